import Judging
import Measurement
import MeasurementSamples
import Testing

/// Cells that counted instructions, without times.
@Suite struct CountedCellsTests {
  private func cell(
    _ topology: String, _ instructions: Double, run: String, pair: Int = 1,
    dependsOnTiming: Bool = false
  ) -> CellResult {
    var cell = CellResult(
      runID: run, startedAt: "t", scenario: "s", topology: topology, store: "pool", trial: pair,
      order: pair, seed: 1, status: .ok)
    cell.isCounted = true
    cell.metrics[.mainInstructions] = instructions
    cell.metrics[.workerInstructions] = 500
    cell.metrics[.mainStatements] = 7
    if dependsOnTiming { cell.metrics[label: .unsteadyCounts] = "main_instructions" }
    return cell
  }

  private func judge(
    _ baseline: [CellResult], _ candidate: [CellResult], isSameToolchain: Bool = true
  ) throws -> GateResult {
    var gate = Gate(today: try #require(CalendarDay("2026-06-01")))
    gate.isSameToolchain = isSameToolchain
    return gate.judge(
      Matching(baseline: SideCells(baseline), candidate: SideCells(candidate)))
  }

  @Test func `2 % more instructions fail, on any machine, and equal ones pass`() throws {
    let before = cell("main-only", 40_000_000, run: "a")
    #expect(try judge([before], [cell("main-only", 40_120_000, run: "b")]).outcome == .pass)
    let worse = try judge([before], [cell("main-only", 40_800_000, run: "b")])
    #expect(worse.outcome == .regression)
    #expect(worse.figures.filter { $0.verdict == .fail }.map(\.metric) == [.mainInstructions])
  }

  @Test func `instructions advise where the clock or another toolchain decides them`() throws {
    let clock = try judge(
      [cell("sliced-merge", 40_000_000, run: "a", dependsOnTiming: true)],
      [cell("sliced-merge", 48_000_000, run: "b", dependsOnTiming: true)])
    #expect(clock.outcome == .pass)
    #expect(clock.figures.first { $0.metric == .mainInstructions }?.isGated == false)
    let other = try judge(
      [cell("main-only", 40_000_000, run: "a")], [cell("main-only", 48_000_000, run: "b")],
      isSameToolchain: false)
    #expect(other.outcome == .pass)
  }

  @Test func `a limit of instructions decides where times advise`() throws {
    let cells = (1...6).map { cell("main-only", 40_000_000, run: "a", pair: $0) }
    let others = (1...6).map { cell("main-only", 40_000_000, run: "b", pair: $0) }
    var policy = Policy()
    policy.limits = [
      Limit(topology: "main-only", metric: .mainInstructions, relation: .atMost, bound: 1)
    ]
    let gate = Gate(
      policy: policy, times: .advise, today: try #require(CalendarDay("2026-06-01")))
    let matching = Matching(baseline: SideCells(cells), candidate: SideCells(others))
    #expect(gate.judge(matching).outcome == .regression)
  }

  @Test func `an expectation of times leaves counted cells out`() throws {
    let names = [("main-only", 5.0), ("parent-child", 9)]
    let cells = names.flatMap { name, blocked in
      (1...8).map {
        CellResult.sample(name, trial: $0, blocked: blocked + 0.01 * Double($0), scenario: "s")
      } + [cell(name, 40_000_000, run: "a")]
    }
    var policy = Policy()
    policy.expectations = [Expectation(better: "main-only", worse: "parent-child")]
    let gate = Gate(
      policy: policy, times: .gate, today: try #require(CalendarDay("2026-06-01")))
    let result = gate.judge(Matching(baseline: SideCells(cells), candidate: SideCells(cells)))
    #expect(result.expectations.map(\.verdict) == [.pass])
  }

  @Test func `counted cells have a section of their own, and no part in times`() {
    let timed = CellResult.sample("main-only", trial: 1, blocked: 5, scenario: "s")
    let summary = Summary(cells: [timed, cell("main-only", 40_000_000, run: "a")])
    #expect(summary.sections.map(\.counted) == [nil, true])
    #expect(summary.sections[0].topologies[0].cells == 1)
    #expect(summary.sections[1].conclusion.doubts.isEmpty)
    #expect(CellKey(timed) != CellKey(cell("main-only", 40_000_000, run: "a")))
  }

  @Test func `a counted duet measures one pair, and another where counts rise`() {
    var course = CountCourse(targets: 2)
    let first = course.next()
    #expect(first?.pairs == [1, 1])
    for (target, after) in [(0, 40_800_000.0), (1, 40_080_000)] {
      course.add(
        DuetPair(
          baseline: cell("t", 40_000_000, run: "a"), candidate: cell("t", after, run: "a")),
        of: target, in: .count)
    }
    let second = course.next()
    #expect(second?.pairs == [1, 0])
    let third = course.next()
    #expect(third == nil)
    #expect(course.isOver)
  }
}
