import Foundation
import Judging
import Measurement
import SQLiteStore
import Testing
import Workload

@testable import Harness

// Shell scripts replace the programs, and a script the sequential test.

@Suite(.timeLimit(.minutes(1)))
struct PairRunnerTests {
  private let folder = TemporaryFolder()

  struct Script: PairCourse {
    var steps: [(phase: DuetPhase, pairs: [Int])]
    var got: [(pair: DuetPair, target: Int, phase: DuetPhase)] = []

    mutating func next() -> (phase: DuetPhase, pairs: [Int])? {
      steps.isEmpty ? nil : steps.removeFirst()
    }

    mutating func add(_ pair: DuetPair, of target: Int, in phase: DuetPhase) {
      got.append((pair, target, phase))
    }
  }

  private func path(_ name: String) -> String { folder.url.appendingPathComponent(name).path }

  private func program(_ side: Side, ends: String = "cat \"$0.json\"") throws -> DuetBinary {
    let text = """
      #!/bin/sh
      cat > "$0.asked"
      echo "\(side.rawValue)" >> '\(path("started"))'
      \(ends)
      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: path(side.rawValue)))
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: path(side.rawValue))
    var document = CellDocument.sample(topology: "a")
    document.result.label = side.rawValue
    try JSONEncoder().encode(document)
      .write(to: URL(fileURLWithPath: path("\(side.rawValue).json")))
    let check = CellCheck(topobench: "1", gitSHA: "", build: "release", topologies: [])
    return DuetBinary(side: side, path: path(side.rawValue), check: check)
  }

  private func request(candidate ends: String = "cat \"$0.json\"") throws -> PairRequest {
    let file = Scenario.fewCities
    let scenario = try #require(try Scenario.load(file: file, set: ["data.rows=60"]).first)
    let binaries = DuetBinaries(
      baseline: try program(.baseline), candidate: try program(.candidate, ends: ends),
      scenarios: [RunScenario(scenario: scenario, digest: "digest")])
    let variants = ["a", "b"].map { Variant(scenario: 0, topology: $0, store: .pool) }
    return PairRequest(
      binaries: binaries, variants: variants, seed: 3, folder: folder.url,
      timeLimit: .seconds(20))
  }

  private func started() -> [String] {
    let text = (try? String(contentsOfFile: path("started"), encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init)
  }

  @Test func `cells run in the schedule's order, and each is kept before the next`()
    async throws
  {
    let request = try request()
    var course = Script(steps: [(.spread, [2, 1]), (.confirmation, [0, 2])])
    var kept: [CellResult] = []
    var startedWhenKept: [Int] = []
    try await PairRunner(request, interrupts: Interrupts()).run(
      &course,
      keep: {
        kept.append($0.result)
        startedWhenKept.append(started().count)
      })
    var schedule = DuetSchedule(targets: 2, seed: 3)
    let drawn = schedule.next([2, 1]) + schedule.next([0, 2])
    #expect(started() == drawn.flatMap { $0.sides.map(\.rawValue) })
    #expect(startedWhenKept == Array(1...10))
    #expect(kept.map { $0.duet?.pair } == drawn.flatMap { [$0.number, $0.number] })
    #expect(kept.map { $0.duet?.side } == drawn.flatMap(\.sides))
    #expect(kept.map(\.label) == kept.map { $0.duet?.side.rawValue ?? "" })
    #expect(course.got.map(\.target) == drawn.map(\.target))
    #expect(course.got.map(\.phase) == [.spread, .spread, .spread, .confirmation, .confirmation])
    for (pair, _, _) in course.got {
      #expect(pair.baseline.label == "baseline" && pair.candidate.label == "candidate")
    }
  }

  @Test(arguments: [true, nil])
  func `cells are short only if both builds know how`(limitsRepeats: Bool?) async throws {
    var candidate = try program(.candidate).check
    candidate.limitsRepeats = limitsRepeats
    var request = try request()
    request.binaries = DuetBinaries(
      baseline: request.binaries.baseline,
      candidate: DuetBinary(side: .candidate, path: path("candidate"), check: candidate),
      scenarios: request.binaries.scenarios)
    var course = Script(steps: [(.spread, [1, 0])])
    try await PairRunner(request, interrupts: Interrupts()).run(&course, keep: { _ in })
    for side in Side.allCases {
      let asked = try JSONDecoder().decode(
        CellSpecification.self,
        from: Data(contentsOf: URL(fileURLWithPath: path("\(side.rawValue).asked"))))
      #expect(asked.mostRepeats == limitsRepeats.map { _ in 2 })
      #expect(asked.baselineRuns == limitsRepeats.map { _ in 1 })
    }
  }

  @Test func `a crashed cell belongs to its pair, and the pair is not sound`() async throws {
    var course = Script(steps: [(.spread, [1, 0])])
    let request = try request(candidate: "kill -ILL $$")
    try await PairRunner(request, interrupts: Interrupts()).run(&course, keep: { _ in })
    #expect(course.got.count == 1)
    #expect(course.got.first?.pair.candidate.status == .crashed)
    #expect(course.got.first?.pair.isOK == false)
  }

  @Test func `an interrupt keeps the earlier cells and passes on no half pair`()
    async throws
  {
    var course = Script(steps: [(.spread, [8, 0]), (.first, [8, 0])])
    let interrupts = Interrupts()
    var kept = 0
    try await PairRunner(try request(), interrupts: interrupts).run(
      &course,
      keep: { _ in
        kept += 1
        if kept == 3 { interrupts.interrupt() }
      })
    #expect(kept == 3)
    #expect(course.got.count == 1)
    #expect(course.steps.count == 1)
  }
}
