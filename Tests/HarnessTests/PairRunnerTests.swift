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

  private func program(_ side: Side, ends: String = "cat \"$0.json\"") throws -> DuetBinary {
    let text = """
      #!/bin/sh
      cat > "$0.asked"
      echo "\(side.rawValue)" >> '\(folder.path("started"))'
      \(ends)
      """
    var document = CellDocument.sample(topology: "a")
    document.result.label = side.rawValue
    try JSONEncoder().encode(document)
      .write(to: URL(fileURLWithPath: folder.path("\(side.rawValue).json")))
    let check = CellCheck(topobench: "1", gitSHA: "", build: "release", topologies: [])
    return DuetBinary(side: side, path: try folder.script(side.rawValue, text), check: check)
  }

  private func request(candidate ends: String = "cat \"$0.json\"") throws -> PairRequest {
    let file = Scenario.fewCities
    let scenario = try #require(try Scenario.load(file: file, set: ["data.rows=60"]).first)
    let binaries = DuetBinaries(
      baseline: try program(.baseline), candidate: try program(.candidate, ends: ends),
      scenarios: [RunScenario(scenario: scenario, digest: "digest")])
    let variants = ["a", "b"].map { Variant(scenario: 0, topology: $0, store: .pool) }
    return PairRequest(
      binaries: binaries, variants: variants, seed: 3, folder: folder.url, timeLimit: .seconds(20))
  }

  private func started() -> [String] {
    let text = (try? String(contentsOfFile: folder.path("started"), encoding: .utf8)) ?? ""
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
      candidate: DuetBinary(side: .candidate, path: folder.path("candidate"), check: candidate),
      scenarios: request.binaries.scenarios)
    var course = Script(steps: [(.spread, [1, 0])])
    try await PairRunner(request, interrupts: Interrupts()).run(&course, keep: { _ in })
    for side in Side.allCases {
      let asked = try JSONDecoder().decode(
        CellSpecification.self,
        from: Data(contentsOf: URL(fileURLWithPath: folder.path("\(side.rawValue).asked"))))
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

@Suite struct DuetBinaryTests {
  private static func check(digest: String? = "d1", problem: String? = nil) -> CellCheck {
    CellCheck(
      topobench: "1.2.3", gitSHA: "abc", build: "release",
      topologies: [.init(name: "main-only", store: nil)], scenarioDigest: digest, problem: problem)
  }

  @Test func `a program that speaks the same version is understood`() throws {
    let answer = ChildOutcome.finished(output: try JSONEncoder().encode(Self.check()))
    #expect(try DuetBinary(.baseline, at: "/a", answering: answer).check == Self.check())
  }

  @Test func `another version is named, whatever else the answer has`() {
    let answer = ChildOutcome.finished(
      output: Data(#"{"protocol":"topobench-cell/9","new":[1]}"#.utf8))
    let error = #expect(throws: DuetMismatch.self) {
      try DuetBinary(.candidate, at: "/b/topobench", answering: answer)
    }
    let text = error?.description ?? ""
    #expect(text.contains("candidate binary '/b/topobench' speaks 'topobench-cell/9'"))
    #expect(text.contains("'topobench-cell/1'"))
    #expect(text.contains("build both"))
  }

  @Test(arguments: [
    ChildOutcome.crashed("exited with status 64: Error: Unknown option '--check'"),
    .timedOut(threads: ""),
    .finished(output: Data("hello".utf8)),
    .finished(output: Data(#"{"protocol":"topobench-cell/1"}"#.utf8)),
  ])
  func `a program that does not answer is refused, and the message says what to name`(
    outcome: ChildOutcome
  ) {
    let error = #expect(throws: DuetMismatch.self) {
      try DuetBinary(.baseline, at: "/bin/false", answering: outcome)
    }
    let text = error?.description ?? ""
    #expect(text.contains("'/bin/false' does not answer `cell --check`"))
    #expect(text.contains("Name a topobench"))
  }

  private static func binaries(_ left: CellCheck, _ right: CellCheck) -> [DuetBinary] {
    [
      DuetBinary(side: .baseline, path: "/a", check: left),
      DuetBinary(side: .candidate, path: "/b", check: right),
    ]
  }

  @Test func `binaries with one digest agree`() throws {
    let both = Self.binaries(Self.check(), Self.check())
    #expect(try DuetBinaries.digest(of: "5000-cities", both) == "d1")
  }

  @Test func `a scenario with different digests, or that a binary cannot use, is refused`() {
    let other = Self.binaries(Self.check(), Self.check(digest: "d2"))
    let difference = #expect(throws: DuetMismatch.self) {
      try DuetBinaries.digest(of: "5000-cities", other)
    }
    #expect(difference?.description.contains("baseline d1, candidate d2") == true)
    let unreadable = Self.binaries(
      Self.check(digest: nil, problem: "x.yaml:3: unknown field 'colour'"), Self.check())
    let problem = #expect(throws: DuetMismatch.self) {
      try DuetBinaries.digest(of: "5000-cities", unreadable)
    }
    #expect(problem?.description.contains("baseline binary '/a'") == true)
    #expect(problem?.description.contains("unknown field 'colour'") == true)
  }

  @Test func `a check answers an unknown specification with its own version`() {
    let later = Data(#"{"protocol":"topobench-cell/9"}"#.utf8)
    let check = CellCheck(of: later, topobench: "1", gitSHA: "", topologies: [])
    #expect(check.protocol == "topobench-cell/1")
    #expect(check.scenarioDigest == nil)
    #expect(check.problem?.isEmpty == false)
  }
}
