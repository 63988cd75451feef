import Foundation
import Measurement
import Testing

@Suite("Resuming an interrupted run", .serialized, .timeLimit(.minutes(5)))
struct ResumeTests {
  private let command = CommandRun()

  private static let work = [
    "--scenario", CommandRun.fewCities, "--topology", "main-only", "--set", "data.rows=150",
    "--set", "repeat_for_ms=1",
  ]

  @discardableResult
  private func run(
    _ arguments: String..., command name: String = "topobench", expecting status: Int32?,
    saying words: String? = nil
  ) async throws -> CommandRun.Outcome {
    try await command.runAside(
      Self.work + arguments, command: name, expecting: status, saying: words)
  }

  /// Kills the run with SIGKILL when some rows are on disk.
  private func kill(
    _ arguments: String..., work: [String] = Self.work, afterRows rows: Int
  ) async throws {
    let process = command.process(work + arguments)
    try process.run()
    while process.isRunning, ((try? command.cells("a.csv").count) ?? 0) < rows {
      await Task.yield()
    }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    while !command.processesLeft().isEmpty { await Task.yield() }
  }

  @Test func `a killed run with a torn row ends like an uninterrupted run`() async throws {
    try await kill("--trials", "40", "--output", "a.csv", afterRows: 2)
    let before = try command.text("a.csv")
    let finished = try command.cells("a.csv").count
    #expect(finished >= 2 && finished < 40)
    try command.write(String(before.dropLast(30)), to: "a.csv")

    // An incomplete file of a killed process.
    let draft = "a.cells/0001-few-cities.json.topobench-draft"
    try command.write("{", to: draft)

    let trials = "\(finished + 2)"
    let outcome = try await run(
      "--trials", trials, "--output", "a.csv", "--resume", expecting: nil,
      saying: "Its last row was cut off; ")
    // Times that spread widely beside other work end a run of many trials with 4.
    let isDiscarded = outcome.output.contains("Discard this run")
    #expect(outcome.status == (isDiscarded ? 4 : 0), "\(outcome.errors)")
    #expect(outcome.errors.contains("row(s) were restored"))
    #expect(!command.exists(draft))
    #expect(try command.text("a.csv").hasPrefix(before))
    let cells = try command.cells("a.csv")
    #expect(cells.map(\.order) == Array(1...finished + 2))
    #expect(cells.map(\.trial) == Array(1...finished + 2))
    #expect(Set(cells.map { "\($0.runID) \($0.fingerprint) \($0.status)" }).count == 1)

    // A kill after the last cell leaves the drafts of a whole report.
    let drafts = [draft, "a.env.json.topobench-draft"]
    for draft in drafts { try command.write("{", to: draft) }

    let again = try await run(
      "--trials", trials, "--output", "a.csv", "--resume", expecting: nil,
      saying: "Resuming: \(trials) of \(trials) cells are finished.")
    #expect(again.output.contains("\(trials) trials"))
    #expect(!drafts.contains { command.exists($0) })
    #expect(try command.cells("a.csv") == cells)
  }

  /// `scripts/soak` runs more.
  private static let sweepTrials =
    ProcessInfo.processInfo.environment["TOPOBENCH_SOAK"] == nil ? 2 : 10

  @Test func `a resumed sweep reports all cells`() async throws {
    let count = 5 * 4 * Self.sweepTrials  // settings, topologies
    let work = [
      "--scenario", "drawing", "--smoke", "--trials", "\(Self.sweepTrials)", "--output", "a.csv",
    ]
    try await kill(work: work, afterRows: 7)
    let finished = try command.cells("a.csv")
    #expect((7..<count).contains(finished.count))

    let outcome = try await command.runAside(work + ["--resume"])
    #expect(outcome.status == 0 || outcome.status == 4, "\(outcome.errors)")
    #expect(outcome.errors.contains("of \(count) cells are finished."))
    let cells = try command.cells("a.csv")
    #expect(Array(cells.prefix(finished.count)) == finished, "what was measured is kept as it was")
    #expect(cells.map(\.order).sorted() == Array(1...count))
    #expect(Set(cells.map { "\($0.parameters) \($0.topology) \($0.trial)" }).count == count)
    #expect(Set(cells.map(\.fingerprint)).count == 1)
    for field in ["delta", "cell", "reload", "snapshot_item"] {
      #expect(outcome.output.contains("drawing, pool store, over drawing.\(field)_us"))
    }
  }

  @Test func `another run's file is refused and stays unchanged`() async throws {
    try await run("--trials", "1", "--output", "a.csv", "--quiet", expecting: 0)
    let before = try command.text("a.csv")
    let cases: [([String], String)] = [
      (["--trials", "1", "--seed", "2"], "the seed of cell 1 was '1', these options plan '2'"),
      (["--trials", "1", "--set", "horizon_ms=9"], "the parameters of cell 1 "),
      (["--trials", "2", "--shard", "2/2"], "which these options do not plan"),
      (["--trials", "1", "--force"], "--resume keeps the rows that --force overwrites"),
    ]
    for (options, words) in cases {
      try await command.runAside(
        Self.work + ["--output", "a.csv", "--resume"] + options, expecting: 64, saying: words)
    }
    try await run(
      "--trials", "1", "--output", "a.csv", "--resume", command: "faulty-topobench",
      expecting: 64, saying: "the binary or environment changed: binary was '")
    try await run("--trials", "1", "--resume", expecting: 64)
    try await run("--trials", "1", "--resume", "--output", "-", expecting: 64)
    #expect(try command.text("a.csv") == before)
    try command.write("another's notes\n", to: "notes.csv")
    try await run(
      "--trials", "1", "--output", "notes.csv", "--resume", expecting: 64,
      saying: "does not begin with this version's header row")
    #expect(try command.text("notes.csv") == "another's notes\n" && !command.exists("notes.cells"))
  }
}
