@testable import Judging
import Measurement
import Testing

@Suite struct GateTests {
  @Test func `an equal candidate passes, and every gated figure was compared`() {
    let result = Gate.judging()
    #expect(result.outcomes == [.pass])
    // Blocked time and one count, of three topologies.
    #expect(result.gated.count == 6 && result.advising.isEmpty)
    let areCompared = result.gated.allSatisfy { $0.judgement.isCompared }
    #expect(areCompared)
    #expect(result.neededTrials == nil)
  }

  @Test func `a topology that blocks a tenth longer is a regression, and the only one`() {
    let result = Gate.judging(candidate: { $0.factors["parent-child"] = 1.1 })
    #expect(result.outcome == .regression)
    let failed = result.figures.filter { $0.verdict == .fail }
    #expect(failed.map(\.key.topology) == ["parent-child"])
    #expect(failed.map(\.metric) == [.mainBlocked])
  }

  @Test func `one statement more is a regression, however noisy the times`() {
    let noisy = GateReport.candidate {
      $0.statements["notification-merge"] = 1
      $0.spread = 0.5
    }
    let result = Gate.judging(GateReport(spread: 0.5), noisy)
    #expect(result.outcomes == [.regression, .inconclusive, .pass])
    #expect(result.figures.first { $0.verdict == .fail }?.metric == .mainStatements)
  }

  @Test func `noise is inconclusive, with the number of trials that would suffice`() throws {
    let noisy = GateReport(spread: 0.3)
    let result = Gate.judging(noisy, .candidate { $0.spread = 0.3 })
    #expect(result.outcome == .inconclusive)
    #expect(try #require(result.neededTrials) > 50)
  }

  @Test func `a count that differs between trials is reported and does not pass`() {
    let result = Gate.judging(candidate: {
      $0.edit = { if $0.trial == 3 { $0.metrics["main_statements"] = 99 } }
    })
    #expect(result.outcomes == [.inconclusive, .pass])
    #expect(result.neededTrials == nil)
  }

  @Test func `counts of another machine gate, and its times advise, if that is allowed`() {
    let elsewhere = GateReport.candidate {
      $0.host = "h2"
      $0.factors = ["parent-child": 3]
    }
    let refused = Gate.judging(GateReport(), elsewhere)
    #expect(refused.outcome == .baseline)
    #expect(refused.problems.map(\.evidence) == ["h1, not h2"])
    let allowed = Gate.judging(GateReport(), elsewhere, allowsOtherMachine: true)
    #expect(allowed.outcomes == [.pass])
    #expect(allowed.advising.contains { $0.verdict == .fail })
    var worse = elsewhere
    worse.statements["parent-child"] = 2
    #expect(Gate.judging(GateReport(), worse, allowsOtherMachine: true).outcome == .regression)
    #expect(
      Gate.judging(GateReport(host: ""), .candidate()).problems.map(\.what) == [
        "a side does not say which machine it was measured on"
      ])
  }

  @Test func `times of another machine are multiples of its own speed, where that is steadier`() {
    // Each cell has its own speed. The candidate's machine is half as fast.
    func report(_ host: String, _ slowness: Double) -> GateReport {
      var report = GateReport.candidate { $0.host = host }
      report.run = host
      report.edit = { cell in
        let speed = slowness * (1 + 0.3 * Double(cell.trial % 5))
        cell.metrics["main_blocked_ms"]? *= speed
        cell.metrics["raw_sqlite_ms"] = 12 * speed
        cell.metrics["sync_ms"] = 0.2 + Double(cell.trial * 7 % 5)
      }
      return report
    }
    let multiples = Gate.judging(report("h1", 1), report("h2", 2), allowsOtherMachine: true)
      .advising
    #expect(multiples.map(\.yardstick) == Array(repeating: Metric.rawSQLite, count: 3))
    #expect(multiples.map(\.verdict) == [.pass, .pass, .pass])
    let same = Gate.judging(report("h1", 1), report("h1", 2)).figures
    #expect(same.compactMap(\.yardstick).isEmpty)
    let steady = Gate.judging(GateReport(), .candidate { $0.host = "h2" }, allowsOtherMachine: true)
    #expect(steady.advising.count == 3 && steady.advising.compactMap(\.yardstick).isEmpty)
  }

  @Test func `a baseline of another scenario, version, seed or work is none`() {
    let other = Gate.judging(candidate: { $0.digest = "d2" })
    #expect(other.outcomes.prefix(2) == [.baseline, .nothingCompared])
    #expect(Gate.judging(candidate: { $0.scenario = "import" }).outcome == .nothingCompared)
    #expect(Gate.judging(candidate: { $0.seed = 2 }).outcome == .baseline)
    let unequal = Gate.judging(candidate: { $0.edit = { $0.fingerprint = "beef" } })
    #expect(unequal.outcome == .baseline && unequal.problems.count == 3)
  }

  @Test func `without a gated figure on both sides nothing was compared`() {
    let result = Gate.judging(candidate: {
      $0.edit = { $0.topology = "my-\($0.topology)" }
    })
    #expect(result.outcomes == [.nothingCompared, .inconclusive, .pass])
    #expect(result.missing.map(\.key.topology) == GateReport.topologies)
    let failed = Gate.judging(candidate: { $0.edit = { $0.status = .crashed } })
    #expect(failed.outcomes == [.badCell, .nothingCompared, .inconclusive, .pass])
  }

  @Test func `times are inconclusive if SQLite alone changed by more than the margin`() throws {
    func report(_ run: String, raw: Double, times: Double) -> GateReport {
      var report = GateReport.candidate()
      report.run = run
      report.edit = { cell in
        cell.metrics["raw_sqlite_ms"] = 12 * raw
        cell.metrics["main_blocked_ms"]? *= times
      }
      return report
    }
    let calm = report("calm", raw: 1, times: 1)
    for (raw, times) in [(1.72, 1.85), (1.72, 1), (0.5, 0.5), (0.5, 1)] {
      let result = Gate.judging(calm, report("loaded", raw: raw, times: times))
      #expect(result.outcomes == [.inconclusive, .pass], "\(raw), \(times)")
      #expect(result.neededTrials == nil)
      let figure = try #require(result.figures.first { $0.metric == .mainBlocked })
      #expect(figure.otherSpeed?.evidence.hasPrefix("SQLite alone took") == true)
    }
    #expect(Gate.judging(calm, report("near", raw: 1.05, times: 1)).outcome == .pass)
    #expect(Gate.judging(calm, report("near", raw: 1.05, times: 1.3)).outcome == .regression)
    var wide = Policy()
    wide.rules[.mainBlocked] = JudgingRule(relativeFloor: 1, margin: 3)
    #expect(Gate.judging(calm, report("slow", raw: 1.72, times: 1), policy: wide).outcome == .pass)
    // Counts do not follow the speed.
    var more = report("loaded", raw: 1.72, times: 1)
    more.statements["parent-child"] = 1
    #expect(Gate.judging(calm, more).outcome == .regression)
  }

  @Test func `if times advise, counts alone decide, on any machine`() {
    let loaded = GateReport.candidate {
      $0.factors = ["parent-child": 3]
      $0.spread = 0.5
      $0.edit = { $0.metrics["raw_sqlite_ms"] = $0.runID == "candidate" ? 24 : 12 }
    }
    for host in ["h1", "h2", ""] {
      var candidate = loaded
      candidate.host = host
      let result = Gate.judging(GateReport(edit: loaded.edit), candidate, times: .advise)
      #expect(result.outcomes == [.pass], "\(host)")
      #expect(result.advising.count == 3 && result.gated.count == 3)
      candidate.statements["parent-child"] = 1
      let more = Gate.judging(GateReport(edit: loaded.edit), candidate, times: .advise)
      #expect(more.outcome == .regression)
      candidate.trials = 5
      let short = Gate.judging(GateReport(edit: loaded.edit), candidate, times: .advise)
      #expect(short.outcome == .inconclusive)
    }
    var policy = Policy()
    policy.limits = [
      Limit(topology: nil, metric: .mainLongestGap, relation: .atMost, bound: 0.001)
    ]
    policy.expectations = [Expectation(better: "root-main-private", worse: "notification-merge")]
    let report = GateReport.candidate()
    #expect(Gate.judging(GateReport(), report, policy: policy).outcome == .regression)
    #expect(Gate.judging(GateReport(), report, times: .advise, policy: policy).outcome == .pass)
    policy.limits[0].metric = .mainStatements
    let counts = Gate.judging(GateReport(), report, times: .advise, policy: policy)
    #expect(counts.outcome == .regression)
  }

  @Test func `a part of the baseline that the candidate lacks is inconclusive, never a pass`() {
    func judging(_ baseline: [CellResult], _ candidate: [CellResult]) -> GateResult {
      guard let today = CalendarDay("2026-06-01") else { preconditionFailure("it is a day") }
      return Gate(times: .gate, today: today).judge(
        Matching(baseline: SideCells(baseline), candidate: SideCells(candidate)))
    }
    func elsewhere(_ report: GateReport, _ edit: (inout CellResult) -> Void) -> [CellResult] {
      report.cells.map { cell in
        var cell = cell
        edit(&cell)
        return cell
      }
    }
    let (all, same) = (GateReport().cells, GateReport.candidate().cells)
    let topology = judging(all, same.filter { $0.topology != "parent-child" })
    #expect(topology.outcomes == [.inconclusive, .pass])
    #expect(topology.missing.map(\.key.topology) == ["parent-child"])
    #expect(topology.exitStatus == 4)
    let store = judging(all + elsewhere(GateReport()) { $0.store = "serial" }, same)
    #expect(store.outcome == .inconclusive && store.missing.count == 3)
    let scenario = judging(all + elsewhere(GateReport()) { $0.scenario = "import" }, same)
    #expect(scenario.outcome == .inconclusive && scenario.missing.count == 3)
    let counted = elsewhere(.candidate()) { $0.metrics[.mainStaleObjects] = 3 }
    #expect(judging(all, counted).outcome == .pass)
    let lacking = judging(counted, same)
    #expect(lacking.outcome == .inconclusive && lacking.neededTrials == nil)
    // A topology that only the candidate has needs a baseline first. Failed cells gate nothing.
    #expect(judging(all.filter { $0.topology != "parent-child" }, same).outcome == .pass)
    let failed = elsewhere(GateReport()) {
      ($0.topology, $0.status) = ("my-stack", .crashed)
    }
    #expect(judging(all + failed, same).outcome == .pass)
  }

  @Test func `a metric that was asked for and measured on no side is inconclusive`() {
    for metric in [Metric.mainInstructions, .mainCPU] {
      var policy = Policy()
      policy.gated = [metric]
      let result = Gate.judging(GateReport(), .candidate(), policy: policy)
      #expect(result.outcomes == [.inconclusive, .pass], "\(metric.name)")
      #expect(result.figures.count { $0.metric == metric } == 3)
    }
  }

  @Test func `a report compared with itself compares nothing, with one cell or a duet's`() {
    let result = Gate.judging(GateReport(), GateReport())
    #expect(result.outcome == .nothingCompared)
    #expect(result.sharedCells?.what.hasPrefix("36 cells of the candidate are") == true)
    let pairs: (inout CellResult) -> Void = {
      $0.duet = DuetMark(pair: $0.trial, side: .baseline, phase: .first)
    }
    let duet = Gate.judging(GateReport(edit: pairs), GateReport(edit: pairs))
    #expect(duet.sharedCells == result.sharedCells)
    let candidate = SideCells(GateReport.candidate().cells + GateReport().cells.prefix(1))
    #expect(candidate.cellsShared(with: GateReport().side) == 1)
    // Other cells of the same run are others.
    #expect(
      GateReport(trials: 3).side.cellsShared(with: GateReport(edit: { $0.order += 50 }).side) == 0)
  }

  @Test
  func `a bad cell of the candidate outweighs a regression, one of the baseline does not count`() {
    let crash: (inout CellResult) -> Void = {
      if $0.trial == 2, $0.topology == "parent-child" { $0.status = .crashed }
    }
    let result = Gate.judging(candidate: {
      $0.edit = crash
      $0.factors["notification-merge"] = 1.3
    })
    #expect(result.outcomes == [.badCell, .regression, .pass])
    #expect(result.badCells.map(\.key.topology) == ["parent-child"])
    #expect(Gate.judging(GateReport(edit: crash), .candidate()).outcome == .pass)
  }

  @Test func `more than a tenth of suspect cells is inconclusive`() {
    let result = Gate.judging(candidate: {
      $0.edit = { if $0.trial < 3 { $0.status = .suspect } }
    })
    #expect(result.outcomes == [.inconclusive, .pass])
    #expect(
      result.suspects.map(\.what) == ["17 % of the candidate's cells are suspect"])
    let few = Gate.judging(candidate: {
      $0.edit = { if $0.trial == 1 { $0.status = .suspect } }
    })
    #expect(few.outcome == .pass)
  }
}

extension Gate {
  fileprivate static func judging(candidate change: (inout GateReport) -> Void) -> GateResult {
    judging(GateReport(), .candidate(change))
  }
}
