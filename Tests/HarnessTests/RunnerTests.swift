import Foundation
import Judging
import Measurement
import Queues
import SQLiteStore
import Testing
import Workload

@testable import Harness

#if canImport(Glibc)
  import Glibc
#endif

// A runner with a shell script as its program, so that a cell can end in every possible way:
//
//   runner ── specification ──▶ script: a case for each topology ── document or failure ──▶ runner

@Suite(.timeLimit(.minutes(1)))
struct RunnerTests {
  private let folder = TemporaryFolder()

  /// `cases` are those of the script.
  private func run(
    _ topologies: [String], trials: Int = 1, cases: String, interrupts: Interrupts = Interrupts(),
    timeLimit: Duration = .seconds(30), keepStores: URL? = nil,
    observer: (any CellObserver)? = nil, kept: @escaping () throws -> Void = {}
  ) async throws -> [CellResult] {
    let variants = topologies.map { Variant(scenario: 0, topology: $0, store: .pool) }
    var request = RunRequest(
      scenarios: [try Self.scenario()], plan: Plan(variants: variants, trials: trials, seed: 1),
      seed: 1, folder: try subfolder("stores"), timeLimit: timeLimit, executable: try script(cases))
    request.label = "label, with \"quotes\""
    request.keepStores = keepStores
    let results = try ResultsFile(path: folder.path("a.csv"), force: false)
    return try await Runner(
      request, results: results, interrupts: interrupts, observer: observer, kept: kept
    ).run()
  }

  private static func scenario() throws -> RunScenario {
    let file = Scenario.fewCities
    let scenario = try #require(try Scenario.load(file: file, set: ["data.rows=60"]).first)
    return RunScenario(scenario: scenario, digest: "digest")
  }

  private func subfolder(_ name: String) throws -> URL {
    let url = folder.url.appendingPathComponent(name, isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    return url
  }

  private func script(_ cases: String) throws -> String {
    let text = """
      #!/bin/sh
      cd '\(folder.url.path)'
      specification=$(cat)
      echo "$specification" >> specifications
      topology=$(echo "$specification" | sed 's/.*"topology":"\\([a-z]*\\)".*/\\1/')
      echo "$1 $topology" >> started
      case $topology in
      \(cases)
      esac
      """
    return try folder.script("child", text)
  }

  private func document(_ name: String, _ document: CellDocument) throws {
    try JSONEncoder().encode(document).write(to: URL(fileURLWithPath: folder.path(name)))
  }

  private func started() throws -> [String] {
    let text = try String(contentsOfFile: folder.path("started"), encoding: .utf8)
    return text.split(separator: "\n").map(String.init)
  }

  private func rows() throws -> [CellResult] {
    try CellCSV.decode(String(contentsOfFile: folder.path("a.csv"), encoding: .utf8))
  }
}

private final class Notes: CellObserver {
  let lines = Lock<[String]>([])
  private let rows: @Sendable () -> Int

  init(rows: @escaping @Sendable () -> Int) { self.rows = rows }

  private func note(_ line: String) { lines.withLock { $0.append(line) } }

  func planned(_ cells: [CellKey], finished: [CellResult]) {
    note("planned \(cells.map(\.topology)), finished \(finished.count)")
  }

  func began(_ cell: CellKey) { note("\(cell.topology) began, rows \(rows())") }

  func ended(_ cell: CellKey, as result: CellResult) {
    note("\(cell.topology) ended \(result.status), rows \(rows())")
  }
}

extension RunnerTests {
  @Test func `an observer is called between cells`() async throws {
    let path = folder.path("a.csv")
    let notes = Notes {
      let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      return text.split(separator: "\n").count - 1
    }
    _ = try await run(["a", "b"], trials: 2, cases: "*) exit 3;;", observer: notes)
    let lines = notes.lines.withLock { $0 }
    #expect(lines.count == 9)
    #expect(lines[0].hasPrefix("planned [") && lines[0].hasSuffix("], finished 0"))
    #expect(lines[0].count { $0 == "a" } == 3 && lines[0].count { $0 == "b" } == 2)
    for (index, line) in lines.dropFirst().enumerated() {
      let step =
        index % 2 == 0 ? "began, rows \(index / 2)" : "ended crashed, rows \(index / 2 + 1)"
      #expect(line.hasSuffix(step), "\(lines)")
    }
  }

  @Test func `the steal is noted after each cell, when its row is on disk`() async throws {
    var counts: [Int] = []
    _ = try await run(["a"], trials: 3, cases: "*) exit 3;;") { counts.append(try rows().count) }
    #expect(counts == [1, 2, 3])
  }

  @Test func `a failed cell fails its own row only`() async throws {
    try document("good.json", .sample(topology: "good"))
    let cells = try await run(
      ["good", "dead", "hung", "mute"],
      cases: """
        good) cat good.json;;
        dead) echo 'x.swift:1: Fatal error: lost, "it"' >&2; kill -ILL $$;;
        hung) tail -f /dev/null;;
        mute) echo 'no document';;
        """, timeLimit: .seconds(10))
    let byTopology = Dictionary(uniqueKeysWithValues: cells.map { ($0.topology, $0) })
    #expect(byTopology["good"]?.status == .ok)
    #expect(byTopology["dead"]?.status == .crashed)
    #expect(byTopology["dead"]?.error == "killed by SIGILL: x.swift:1: Fatal error: lost, \"it\"")
    #expect(byTopology["hung"]?.status == .timeout)
    #expect(
      byTopology["hung"]?.error == "not done after 10 s: 1 thread waits. Give more time with"
        + " --timeout, or find a deadlock with TOPOBENCH_CONCURRENCY_DEBUG=1")
    #expect(byTopology["mute"]?.status == .crashed)
    #expect(try rows().sorted { $0.order < $1.order } == cells)
  }

  @Test func `cells run one after the other in the plan's order`() async throws {
    try document("ok.json", .sample(topology: "a"))
    _ = try await run(["a", "b", "c"], trials: 3, cases: "*) cat ok.json;;")
    let variants = ["a", "b", "c"].map { Variant(scenario: 0, topology: $0, store: .pool) }
    let plan = Plan(variants: variants, trials: 3, seed: 1)
    #expect(try started() == plan.cells.map { "cell \($0.variant.topology)" })
  }

  @Test func `a cell gets a specification and a folder, which is removed when the cell ends`()
    async throws
  {
    try document("ok.json", .sample(topology: "a"))
    _ = try await run(
      ["a"],
      cases: "*) echo \"$specification\" | sed 's/.*\"folder\":\"\\([^\"]*\\)\".*/\\1/' > f;"
        + " touch \"$(sed 's/\\\\\\//\\//g' f)/left-behind\" && touch was-there; cat ok.json;;",
      keepStores: folder.url)
    let text = try String(contentsOfFile: folder.path("specifications"), encoding: .utf8)
    let specification = try JSONDecoder().decode(CellSpecification.self, from: Data(text.utf8))
    #expect(specification.protocol == "topobench-cell/1")
    #expect(specification.scenario == "few-cities")
    #expect(specification.overrides == ["data.rows=60"])
    #expect(specification.parameters == #"{"data.rows":60}"#)
    #expect(specification.label == "label, with \"quotes\"")
    #expect(specification.keepStore == folder.path("few-cities-data.rows=60-a-pool-1.sqlite"))
    #expect(FileManager.default.fileExists(atPath: folder.path("was-there")))
    #expect(!FileManager.default.fileExists(atPath: specification.folder))
  }

  @Test func `a suspect cell is run again twice, then stays suspect`() async throws {
    try document("suspect.json", .sample(topology: "a", status: .suspect))
    let cells = try await run(["a"], cases: "*) cat suspect.json;;")
    #expect(cells.map(\.status) == [.suspect])
    #expect(cells.first?.metrics["self_check_reruns"] == 2)
    #expect(try started().count == 3)
    #expect(try rows().count == 1)
  }

  @Test func `a suspect cell with a sound second run counts as sound`() async throws {
    try document("1.json", .sample(topology: "a", status: .suspect))
    try document("2.json", .sample(topology: "a"))
    let cells = try await run(["a"], cases: "*) cat $(wc -l < started).json;;")
    #expect(cells.map(\.status) == [.ok])
    #expect(cells.first?.metrics["self_check_reruns"] == 1)
  }

  @Test func `an interrupt ends the running cell and keeps the earlier rows`() async throws {
    try document("ok.json", .sample(topology: "a"))
    #expect(mkfifo(folder.path("ready"), 0o600) == 0)
    let interrupts = Interrupts()
    // Opening the pipe for reading waits until a child opens it for writing.
    let ready = folder.path("ready")
    Thread.detachNewThread {
      let pipe = open(ready, O_RDONLY)
      interrupts.interrupt()
      close(pipe)
    }
    let cells = try await run(
      ["a", "b"], trials: 4,
      cases: "*) if [ $(wc -l < started) = 3 ]; then echo > ready; tail -f /dev/null; fi;"
        + " cat ok.json;;", interrupts: interrupts)
    #expect(cells.count == 2)
    #expect(try rows().count == 2)
    #expect(try started().count == 3)
    #expect(interrupts.isInterrupted)
  }

  @Test func `a run interrupted before its start runs no cell`() async throws {
    let interrupts = Interrupts()
    interrupts.interrupt()
    #expect(try await run(["a"], cases: "*) ;;", interrupts: interrupts).isEmpty)
    #expect(!FileManager.default.fileExists(atPath: folder.path("started")))
  }

  @Test func `a missing program ends the run with an error`() async throws {
    let variants = [Variant(scenario: 0, topology: "a", store: .pool)]
    let request = RunRequest(
      scenarios: [try Self.scenario()], plan: Plan(variants: variants, trials: 1, seed: 1),
      seed: 1, folder: folder.url, timeLimit: .seconds(5), executable: "/no/such/program")
    let results = try ResultsFile(path: folder.path("a.csv"), force: false)
    await #expect(throws: (any Error).self) {
      try await Runner(request, results: results, interrupts: Interrupts()).run()
    }
  }
}
