import Foundation
import Measurement
import Topologies
import Testing

// `scripts/check-trace` shares no code with the command.

private let hasPython = FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")

@Suite(
  "A recorded run is drawn", .serialized, .timeLimit(.minutes(5)),
  .enabled(if: hasPython, "python3, which checks traces, is not installed"))
struct TraceTests {
  private let command = CommandRun()

  private func measure(_ topology: String, _ more: String...) async throws {
    let outcome = try await command.runAside(
      [
        "--scenario", "save-per-object", "--smoke", "--set", "user.fetches_per_s=0", "--trials",
        "1", "--quiet", "--topology", topology,
      ] + more)
    // Too few trials or a suspect cell do not matter here.
    #expect([0, 4].contains(outcome.status), "\(outcome.errors)")
  }

  private func check(_ trace: String) async throws -> CommandRun.Outcome {
    try await command.runAside(
      [trace, "a.csv"], executable: CommandRun.root.appendingPathComponent("scripts/check-trace"))
  }

  @Test func `every topology's trace is valid and adds up to its row`() async throws {
    try await measure("all", "--record", "--output", "a.csv")
    let drawn = try await command.runAside(
      ["trace", "a.csv", "--output", "trace.json"], expecting: 0)
    #expect(drawn.errors.contains("Trace: file:///") && drawn.output.isEmpty)
    let checked = try await check("trace.json")
    #expect(checked.status == 0, "\(checked.errors)")
    let trace = try command.text("trace.json")
    for topology in Topologies.builtIn {
      #expect(checked.output.contains("\(topology.name) · "), "\(checked.output)")
    }
    // Every change leads to a frame on main, but in one topology saves may share a frame.
    let cells = try command.cells("a.csv")
    let sharing = cells.filter { $0.topology == "refetch-coalesced" }
    let (most, fewer) = (cells.saves, sharing.saves - 1)
    #expect(checked.output.contains("\(cells.count) cells, \(most) arrows"), "\(checked.output)")
    #expect((most - fewer...most).contains(try ShownChanges(in: trace).count))

    try await command.runAside(
      ["trace", "a.csv", "--output", "trace.json"], expecting: 64,
      saying: "'trace.json' exists; name another file, or --force")
    try await expectMistakesAreFound()
    try await expectReportStays("a.csv")
  }

  private func expectReportStays(_ report: String) async throws {
    let before = try command.text(report)
    try command.link("link.json", to: command.folder.appendingPathComponent(report).path)
    try await command.runAside(
      ["trace", report, "--output", "link.json", "--force"], expecting: 64)
    #expect(try command.text(report) == before)
  }

  /// The script must reject each of these traces.
  private func expectMistakesAreFound() async throws {
    try await command.runAside(
      [
        "trace", "a.csv", "--output", "small.json", "--topology", "main-only", "--topology",
        "root-main-private",
      ], expecting: 0)
    let trace = try command.text("small.json")
    for (what, broken) in TraceMistake.all {
      let text = try #require(broken(trace), "nothing in the trace could be broken: \(what)")
      #expect(text != trace, "\(what)")
      try command.write(text, to: "broken.json")
      let outcome = try await check("broken.json")
      #expect(outcome.status == 1, "\(what): \(outcome.output) \(outcome.errors)")
    }
  }

  @Test func `cells without a recording are an error with a remedy`() async throws {
    try await measure("main-only", "--output", "b.csv")
    #expect(!command.exists("b.cells/0001-save-per-object-main-only-pool-1.events.json"))
    let outcome = try await command.runAside(
      ["trace", "b.csv", "--output", "trace.json"], expecting: 64)
    #expect(
      outcome.errors
        == "Error: 'b.csv': none of its cells was recorded; measure again with --record\n")
    #expect(!command.exists("trace.json"))

    try await command.runAside(
      ["--scenario", "save-per-object", "--record", "--output", "-"], expecting: 64,
      saying: "--record needs a file; name a CSV file with --output")
  }
}

private struct ShownChanges {
  private struct Trace: Decodable {
    struct Event: Decodable {
      let ph: String
      let name: String
      let tid: Int
      var ts: Double?
      var id: Int?
    }

    let traceEvents: [Event]
  }

  private struct Place: Hashable {
    let tid: Int
    let time: Double
  }

  let count: Int

  init(in trace: String) throws {
    let events = try JSONDecoder().decode(Trace.self, from: Data(trace.utf8)).traceEvents
    let frames = Set(
      events.filter { $0.name == "frame" }.map { Place(tid: $0.tid, time: $0.ts ?? -1) })
    let points = events.filter { ["t", "f"].contains($0.ph) }
    count =
      Set(points.filter { frames.contains(Place(tid: $0.tid, time: $0.ts ?? -1)) }.map(\.id)).count
  }
}

private enum TraceMistake {
  static let all: [(String, @Sendable (String) -> String?)] = [
    ("a slice that crosses another's end", { withLongerCommit($0) }),
    ("nanoseconds", { inNanoseconds($0) }),
    ("an arrow without an end", { removing(#""ph":"f""#, from: $0) }),
    ("an arrow without a beginning", { removing(#""ph":"s""#, from: $0) }),
    (
      "an arrow that begins nowhere",
      { $0.replacing(#""ph":"X","name":"change "#, with: #""ph":"M","name":"change "#) }
    ),
    (
      "a counter that is no number", { $0.replacing(#""args":{"KiB":"#, with: #""args":{"KiB":-"#) }
    ),
    ("a track without a name", { removing(#""args":{"name":"main"}"#, from: $0) }),
    (
      "slices of main's that are another's",
      { $0.replacing(#""name":"save","cat":"database""#, with: #""name":"save","cat":"other""#) }
    ),
    (
      "a sum that is another's",
      { $0.replacing(#""main_executing_ns":"#, with: #""main_executing_ns":9"#) }
    ),
  ]

  private static func removing(_ mark: String, from trace: String) -> String? {
    var lines = trace.components(separatedBy: "\n")
    guard let place = lines.firstIndex(where: { $0.contains(mark) }) else { return nil }
    lines.remove(at: place)
    return lines.joined(separator: "\n")
  }

  private static func inNanoseconds(_ trace: String) -> String {
    trace.replacing(/"ts":([0-9.]+)/) { found in
      "\"ts\":\(Int(((Double(found.1) ?? 0) * 1000).rounded()))"
    }
  }

  /// The commit ends a microsecond after its transaction.
  private static func withLongerCommit(_ trace: String) -> String? {
    var lines = trace.components(separatedBy: "\n")
    guard let place = lines.firstIndex(where: { $0.contains(#""name":"commit""#) }),
      let transaction = lines[..<place].last(where: { $0.contains(#""name":"transaction""#) })
    else { return nil }
    let end = figure("ts", transaction) + figure("dur", transaction)
    let length = (end - figure("ts", lines[place]) + 1) * 1000
    lines[place] = lines[place].replacing(#""dur":0"#, with: "\"dur\":\(length.rounded() / 1000)")
    return lines.joined(separator: "\n")
  }

  private static func figure(_ name: String, _ line: String) -> Double {
    let found = line.split(separator: "\"\(name)\":", maxSplits: 1).last ?? ""
    return Double(found.prefix { $0.isNumber || $0 == "." }) ?? 0
  }
}

extension [CellResult] {
  fileprivate var saves: Int { reduce(0) { $0 + ($1.saves ?? 0) } }
}
