import Foundation
import Judging
import Measurement
import Testing

@Suite("A duet of two builds, end to end")
struct DuetTests {
  private let command = CommandRun()

  private static let small = [
    "--scenario", CommandRun.fewCities, "--set", "data.rows=40",
    "--most-pairs", "8", "--output", "a.csv",
  ]

  private static let itself = [
    "duet", "--baseline-binary", CommandRun.executable("topobench").path, "--candidate-binary",
    CommandRun.executable("topobench").path, "--topology", "main-only",
  ]

  /// The names have the same length.
  private func link(_ name: String, to executable: String) throws -> String {
    try command.link(name, to: CommandRun.executable(executable).path)
    return command.folder.appendingPathComponent(name).path
  }

  private func script(_ name: String, _ text: String) throws -> String {
    try command.write("#!/bin/sh\n\(text)\n", to: name)
    let path = command.folder.appendingPathComponent(name).path
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return path
  }

  @discardableResult
  private func duet(
    _ baseline: String, _ candidate: String, _ more: String..., expecting status: Int32,
    saying words: String? = nil
  ) throws -> CommandRun.Outcome {
    try command.run(
      ["duet", "--baseline-binary", baseline, "--candidate-binary", candidate] + Self.small + more,
      expecting: status, saying: words)
  }

  private func baselineRuns(in folder: String) throws -> Set<Int> {
    struct Document: Decodable { let raw_sqlite_ms: [Double] }
    return Set(
      try command.files(in: folder).map {
        let text = try command.text("\(folder)/\($0)")
        return try JSONDecoder().decode(Document.self, from: Data(text.utf8)).raw_sqlite_ms.count
      })
  }

  @Test func `a cell of a run has all repeats, and runs SQLite alone nine times`() throws {
    try command.run(CommandRun.small(rows: 40, repeatFor: 100), expecting: 0)
    #expect(try command.cells("a.csv").allSatisfy { ($0.repeats ?? 0) > 2 })
    #expect(try baselineRuns(in: "a.cells") == [9])
  }

  @Test func `a build compared with itself is not a regression`() throws {
    let outcome = try command.run(Self.itself + Self.small + ["--seed", "7"])
    // On a busy machine eight pairs may be inconclusive, but not worse twice in a row.
    #expect([0, 4].contains(outcome.status), "\(outcome.errors)")
    #expect(outcome.output.contains("byte for byte"))
    #expect(outcome.output.contains("These pairs would have flagged"))
    #expect(outcome.output.contains("seed 7"))
    let cells = try command.cells("a.csv")
    #expect(cells.count >= 16)
    for (index, cell) in cells.enumerated() {
      let mark = try #require(cell.duet)
      #expect(cell.order == index + 1)
      #expect(mark.pair == index / 2 + 1)
      #expect(cell.trial == mark.pair)
      #expect(cell.label == mark.side.rawValue)
    }
    let starts = stride(from: 0, to: 16, by: 2).map { cells[$0].duet?.side }
    #expect(starts.count { $0 == .baseline } == 4)
    #expect(command.exists("a.env.json"))
    #expect(try command.files(in: "a.cells").count == cells.count)
    #expect(try baselineRuns(in: "a.cells") == [1])
    #expect(command.processesLeft() == [])
  }

  @Test func `a build with more work on main fails after fresh pairs confirm it`() throws {
    let outcome = try duet(
      try link("fair-topobench", to: "faulty-topobench"),
      try link("slow-topobench", to: "faulty-topobench"), "--topology", "paced",
      "--format", "json", expecting: 2)
    let cells = try command.cells("a.csv")
    let fresh = cells.filter { $0.duet?.phase == .confirmation }
    #expect(fresh.count >= 12)
    #expect(Set(fresh.map(\.status)) == [.ok])
    #expect(outcome.output.contains(#""verdict" : "fail""#))
    try expectForm("topobench-duet/3", outcome)
    #expect(outcome.output.contains("main_statements +"))
  }

  @Test func `binaries that cannot be compared are refused before anything is measured`() throws {
    let binary = CommandRun.executable("topobench").path
    let later = try script("later", #"echo '{"protocol":"topobench-cell/9"}'"#)
    try duet(binary, later, expecting: 5, saying: "speaks 'topobench-cell/9'")
    let none = try script("none", "exit 3")
    try duet(none, binary, expecting: 5, saying: "exited with status 3")
    let faulty = CommandRun.executable("faulty-topobench").path
    try duet(
      binary, faulty, "--topology", "paced", expecting: 5, saying: "only the candidate binary has")
    #expect(!command.exists("a.csv"))
  }

  @Test(arguments: [
    (["--topology", "paced"], "unknown topology 'paced'"),
    (["--metric", "main_blocked"], "Did you mean 'main_blocked_ms'"),
    (["--metric", "sync_ms"], "--metric"), (["--timeout", "0"], "--timeout"),
    (["--most-pairs", "7"], "8 are the fewest"),
    (
      ["--inexact", "main_blocked_ms"],
      "'main_blocked_ms' is not an exact count. Known: main_statements"
    ),
    (["--inexact", "main_commits", "--most-pairs", "8"], "9 are the fewest"),
    (["--output", "-", "--format", "json"], "--format json: with --output -"),
    (["--output", "-", "--record", "candidate"], "--record needs a file"),
  ])
  func `a wrong option is refused with the allowed values`(options: [String], words: String) throws
  {
    try command.expectRefusal(of: Self.itself + Self.small + options, saying: [words])
    #expect(!command.exists("a.csv"))
  }

  @Test func `topologies that cannot do the work are left out of all, and refused by name`() throws
  {
    let smoke: [String] =
      Self.itself.dropLast(2)
      + ["--scenario", "earthquakes", "--smoke", "--most-pairs", "8", "--output", "a.csv"]
    let name = "root-main-private"
    // So few pairs are refused after the topologies are known, before anything is measured.
    let all = try command.run(
      smoke + ["--topology", "all"], expecting: 64, saying: "8 pairs cannot judge")
    #expect(
      all.errors.contains("'\(name)', '\(name)-nowait' are left out of 'earthquakes': "),
      "\(all.errors)")
    let named = try command.run(smoke + ["--topology", name], expecting: 64)
    #expect(named.errors.contains("'\(name)' cannot do 'earthquakes': "), "\(named.errors)")
    #expect(!command.exists("a.csv"))
  }

  @Test func `a missing program is named with its flag`() throws {
    try duet(
      "/no/such/program", CommandRun.executable("topobench").path, expecting: 64,
      saying: "--baseline-binary: '/no/such/program'")
  }

  @Test func `rows may go to standard output, and verdicts then go to standard error`() throws {
    let outcome = try command.run(
      Self.itself + Self.small.dropLast(2) + ["--output", "-", "--quiet", "--format", "csv"])
    #expect([0, 4].contains(outcome.status), "\(outcome.errors)")
    let cells = try CellCSV.decode(outcome.output)
    #expect(cells.count >= 16 && cells.allSatisfy { $0.duet != nil })
    #expect(outcome.errors.contains("These pairs would have flagged"), "\(outcome.errors)")
    #expect(try command.files() == [])
    try command.write(outcome.output, to: "piped.csv")
    try command.run("compare", "piped.csv", expecting: 0)
  }

  @Test func `Ctrl-C keeps the rows and decides nothing`() throws {
    let process = command.process(Self.itself + Self.small)
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    while process.isRunning, (try? command.cells("a.csv").count < 2) != false { sched_yield() }
    kill(process.processIdentifier, SIGINT)
    let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
    #expect(said.contains("Interrupted: nothing was decided."), "\(said)")
    #expect(try command.cells("a.csv").count >= 2)
    #expect(command.processesLeft() == [])
  }
}
