@testable import Judging
import Measurement
import Testing

@Suite struct PolicyTests {
  private func judging(
    _ candidate: GateReport = .candidate(), _ fill: (inout Policy) -> Void
  ) -> GateResult {
    var policy = Policy()
    fill(&policy)
    return Gate.judging(GateReport(), candidate, policy: policy)
  }

  private func limit(
    _ limit: Double, _ topology: String? = "root-main-private", scenario: String? = nil,
    metric: Metric = .mainLongestGap
  ) -> Limit {
    Limit(
      topology: topology, scenario: scenario, metric: metric, relation: .atMost, bound: limit)
  }

  // The longest blocks are around 5, 10 and 15 ms.
  @Test func `the interval of the median keeps a limit, breaks it or leaves it open`() {
    #expect(judging { $0.limits = [limit(16.7)] }.outcome == .pass)
    #expect(judging { $0.limits = [limit(14)] }.outcome == .regression)
    let open = judging { $0.limits = [limit(15.01)] }
    #expect(open.outcome == .inconclusive)
    #expect((open.neededTrials ?? 0) > 12)
  }

  @Test func `a limit for all topologies is checked in each`() {
    let result = judging { $0.limits = [limit(12, nil)] }
    #expect(result.limits.map(\.verdict) == [.pass, .pass, .fail])
    #expect(result.limits.map { $0.key?.topology } == GateReport.topologies)
  }

  @Test func `a limit for all leaves out a topology that has no such count`() {
    let peers = GateReport.candidate {
      $0.edit = { if $0.topology == "parent-child" { $0.metrics["main_statements"] = nil } }
    }
    let result = judging(peers) { $0.limits = [limit(1000, nil, metric: .mainStatements)] }
    #expect(result.limits.map { $0.key?.topology } == ["notification-merge", "root-main-private"])
    #expect(result.limits.map(\.verdict) == [.pass, .pass])
  }

  @Test func `a limit may be a lower bound`() {
    var lower = limit(14)
    lower.relation = .atLeast
    #expect(judging { $0.limits = [lower] }.outcome == .pass)
    lower.bound = 16
    #expect(judging { $0.limits = [lower] }.outcome == .regression)
  }

  @Test func `a limit without a measurement is open, unless its scenario was not run`() {
    #expect(judging { $0.limits = [limit(99, "main-only")] }.outcome == .inconclusive)
    #expect(
      judging { $0.limits = [limit(99, "main-only", scenario: "5000-cities")] }.outcome
        == .inconclusive)
    let elsewhere = judging { $0.limits = [limit(1, scenario: "import")] }
    #expect(elsewhere.outcome == .pass && elsewhere.limits.isEmpty)
    let short = judging(.candidate { $0.trials = 5 }) { $0.limits = [limit(99)] }
    #expect(short.limits.map(\.verdict) == [.inconclusive])
    #expect(short.limits.map(\.neededTrials) == [6])
  }

  @Test func `an expectation holds, fails or is open`() {
    let expected = Expectation(better: "notification-merge", worse: "root-main-private")
    let turned = Expectation(better: "root-main-private", worse: "notification-merge")
    #expect(judging { $0.expectations = [expected] }.outcome == .pass)
    let failed = judging { $0.expectations = [turned] }
    #expect(failed.outcome == .regression)
    #expect(abs((failed.expectations[0].change?.estimate ?? 0) - 1.0 / 3) < 0.02)
    let even = GateReport.candidate { $0.factors["notification-merge"] = 3 }
    let open = judging(even) { $0.expectations = [expected] }
    #expect(open.expectations.map(\.verdict) == [.inconclusive])
    #expect(open.expectations[0].rounds == 12)
  }

  @Test func `expectations are corrected for their number`() {
    let expected = Expectation(better: "notification-merge", worse: "root-main-private")
    let one = judging { $0.expectations = [expected] }.expectations[0].p
    let three = judging { $0.expectations = [expected, expected, expected] }.expectations[0].p
    #expect(abs(three - 3 * one) < 1e-12)
  }

  @Test func `an expectation about topologies without common rounds is open`() {
    let result = judging {
      $0.expectations = [Expectation(better: "notification-merge", worse: "main-only")]
    }
    #expect(result.expectations.map(\.verdict) == [.inconclusive])
    #expect(result.expectations[0].key == nil)
  }

  @Test func `a waiver accepts an increase of a count until its last day`() throws {
    let more = GateReport.candidate { $0.statements["parent-child"] = 5 }
    var waiver = Waiver(
      metric: .mainStatements, topology: "parent-child", reason: "one more fetch",
      until: try #require(CalendarDay("2026-06-01")))
    let accepted = judging(more) { $0.waivers = [waiver] }
    #expect(accepted.outcome == .pass)
    #expect(accepted.figures.compactMap(\.waiver) == [waiver])
    waiver.until = try #require(CalendarDay("2026-05-31"))
    let expired = judging(more) { $0.waivers = [waiver] }
    #expect(expired.outcome == .regression && expired.expiredWaivers == [waiver])
  }

  @Test func `a waiver accepts no more than its limit, and nothing elsewhere`() throws {
    let more = GateReport.candidate { $0.statements["parent-child"] = 5 }
    let day = try #require(CalendarDay("2026-12-31"))
    let tight = Waiver(metric: .mainStatements, limit: 104, reason: "r", until: day)
    let elsewhere = Waiver(
      metric: .mainStatements, topology: "main-only", reason: "r", until: day)
    let wide = Waiver(metric: .mainStatements, limit: 105, reason: "r", until: day)
    #expect(judging(more) { $0.waivers = [tight, elsewhere] }.outcome == .regression)
    let accepted = judging(more) { $0.waivers = [tight, wide] }
    #expect(accepted.outcome == .pass && accepted.unusedWaivers == [tight])
  }

  @Test func `a metric is gated on request, by rules of its own`() {
    let longer = GateReport.candidate {
      $0.edit = { $0.metrics["main_longest_gap_ms"]? *= 1.2 }
    }
    #expect(judging(longer) { _ in }.outcome == .pass)
    #expect(judging(longer) { $0.gated = [.mainLongestGap] }.outcome == .regression)
    let lenient = judging(longer) {
      $0.gated = [.mainLongestGap]
      $0.rules[.mainLongestGap] = JudgingRule(relativeFloor: 0.3, margin: 0.5)
    }
    #expect(lenient.outcome == .pass)
  }

  @Test(arguments: [
    "2026-02-29", "2026-13-01", "2026-1-1", "2026-04-31", "tomorrow", "", "2026-00-10",
  ])
  func `an invalid day is refused`(text: String) {
    #expect(CalendarDay(text) == nil)
  }

  @Test func `days are ordered, and leap years have theirs`() throws {
    let leap = try #require(CalendarDay("2028-02-29"))
    #expect(leap < (try #require(CalendarDay("2028-03-01"))))
    #expect("\(leap)" == "2028-02-29")
  }
}
