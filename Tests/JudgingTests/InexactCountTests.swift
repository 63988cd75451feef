@testable import Judging
import Measurement
import Testing

// Statistics judge an inexact count: it may differ by itself, and can still fail.

@Suite struct InexactCountTests {
  private let declared = InexactCount(
    metric: .mainStatements, topology: "parent-child", reason: "it follows the frames")

  /// 100 to 102 statements in one topology. The candidate has more by a factor.
  private func gate(
    times factor: Double = 1, by inexact: [InexactCount],
    _ change: (inout GateReport) -> Void = { _ in }
  ) -> GateResult {
    func varies(_ factor: Double) -> (inout CellResult) -> Void {
      {
        guard $0.topology == "parent-child" else { return }
        $0.metrics["main_statements"] = (100 + Double($0.trial % 3)) * factor
      }
    }
    let baseline = GateReport(edit: varies(1))
    var candidate = GateReport.candidate { $0.edit = varies(factor) }
    change(&candidate)
    var policy = Policy()
    policy.inexactCounts = inexact
    return Gate.judging(baseline, candidate, allowsOtherMachine: true, policy: policy)
  }

  private func finding(_ result: GateResult) -> GateFigure? {
    result.figures.first { $0.key.topology == "parent-child" && $0.metric == .mainStatements }
  }

  @Test func `a count that differs between trials is open until a policy lists it`() throws {
    let open = gate(by: [])
    #expect(open.outcomes == [.inconclusive, .pass] && open.neededTrials == nil)
    let said = gate(by: [declared])
    #expect(said.outcomes == [.pass])
    let found = try #require(finding(said)?.inexact)
    #expect(found.declared == declared && found.differs)
    #expect(said.needlessInexactCounts.isEmpty)
  }

  @Test func `an inexact count fails if it is worse by more than chance and the floor`() throws {
    let worse = gate(times: 1.2, by: [declared])
    #expect(worse.outcome == .regression)
    let found = try #require(finding(worse))
    #expect(found.verdict == .fail && found.isGated)
    guard case .time(let judgement) = found.judgement else {
      Issue.record("it was not judged by statistics")
      return
    }
    #expect(abs((judgement.change?.estimate ?? 0) - 1.2) < 0.03 && judgement.adjustedP <= 0.01)
  }

  @Test func `an inexact count may have a margin of its own`() {
    var policy = Policy()
    policy.inexactCounts = [declared]
    policy.rules[.mainStatements] = JudgingRule(relativeFloor: 0.5, margin: 1)
    let more = GateReport.candidate { $0.statements = ["parent-child": 40] }
    #expect(Gate.judging(GateReport(), more, policy: policy).outcome == .pass)
    // In exact topologies the rule lets nothing pass.
    let elsewhere = GateReport.candidate { $0.statements = ["notification-merge": 1] }
    #expect(Gate.judging(GateReport(), elsewhere, policy: policy).outcome == .regression)
  }

  @Test func `an inexact count with too few trials on a side is open`() {
    let few = gate(by: [declared]) { $0.trials = 3 }
    #expect(finding(few)?.verdict == .inconclusive)
    let none = gate(by: [declared]) {
      $0.edit = { if $0.topology == "parent-child" { $0.metrics["main_statements"] = nil } }
    }
    #expect(none.outcome == .inconclusive)
  }

  @Test func `an inexact count of another machine only advises, as a time does`() {
    let elsewhere = gate(times: 3, by: [declared]) { $0.host = "h2" }
    #expect(elsewhere.outcome == .pass)
    #expect(finding(elsewhere)?.verdict == .fail && finding(elsewhere)?.isGated == false)
  }

  @Test func `one that does not differ on either side is told`() {
    let steady = InexactCount(metric: .mainStatements, reason: "it once did")
    let only = InexactCount(
      metric: .mainStatements, topology: "notification-merge", reason: "it once did")
    let other = InexactCount(metric: .mainStatements, scenario: "import", reason: "elsewhere")
    #expect(gate(by: [declared, only, other]).needlessInexactCounts == [only])
    #expect(gate(by: [steady]).needlessInexactCounts.isEmpty)
    let torn = gate(by: [only]) { candidate in
      candidate.edit = { $0.metrics[label: .unsteadyCounts] = "main_statements" }
    }
    #expect(torn.needlessInexactCounts.isEmpty)
  }
}
