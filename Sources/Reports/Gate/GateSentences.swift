import Judging
import Measurement

enum GateSentences {
  static func reason(_ judgement: TimeJudgement, _ metric: Metric) -> String {
    switch judgement.reason {
    case .regressed:
      return "\(change(judgement, metric)), p \(p(judgement.adjustedP))"
    case .excluded:
      return "\(change(judgement, metric)); \(bound(judgement, metric))"
    case .tooNoisy:
      return "\(change(judgement, metric)); \(bound(judgement, metric)); "
        + settling(judgement.neededTrials, judgement.pairing)
    case .tooFewTrials:
      return "with \(judgement.pairing.counted(judgement.trials)) nothing can be decided: "
        + "\(judgement.fewestTrials) are the fewest; \(settling(judgement.neededTrials, judgement.pairing))"
    case .noValues:
      return "not measured in the \(judgement.baseline == nil ? "baseline" : "candidate")"
    }
  }

  static func advice(_ judgement: CountJudgement) -> String {
    judgement.outcome == .disagreesWithItself
      ? "its work depends on timing, so it advises only"
      : "of another compiler, architecture or libraries, so it advises only"
  }

  static func reason(
    _ judgement: CountJudgement, _ waiver: Waiver?, of metric: Metric, in key: CellKey
  ) -> String {
    if let side = judgement.unmeasured { return "not measured in the \(side.rawValue)" }
    return switch judgement.outcome {
    case .same where metric.isInstructions: "the same within \(slack(judgement, metric))"
    case .increase where waiver == nil && metric.isInstructions:
      "more by over \(slack(judgement, metric)), which a busy machine does not add"
    case .decrease where metric.isInstructions: "fewer by over \(slack(judgement, metric))"
    case .same: "the same in every trial"
    case .increase where waiver != nil:
      "more, accepted until \(waiver.map { "\($0.until)" } ?? ""): "
        + (waiver?.reason ?? "").brief
    case .increase: "more, though equal work has equal counts"
    case .decrease: "less, though equal work has equal counts"
    case .disagreesWithItself:
      "the \(judgement.doubtfulSide?.rawValue ?? "") disagrees with itself"
        + disagreement(about: metric, in: key)
    case .tooFewTrials:
      "the \(judgement.doubtfulSide?.rawValue ?? "") has fewer than \(CountJudgement.trialsNeeded) trials"
    }
  }

  private static func disagreement(about count: Metric, in key: CellKey) -> String {
    WorkFacts(parameters: key.parameters).reason(count, of: key.topology)
      .map { ", because \($0): name it under `inexact` in the policy" }
      ?? ": find out what it depends on, or name it under `inexact` in the policy"
  }

  /// The allowed difference: `1 %`, or, where 200,000 instructions are more than that,
  /// `200,000, which is 17 % of it`.
  private static func slack(_ judgement: CountJudgement, _ metric: Metric) -> String {
    let count = judgement.baseline?.largest ?? 0
    let (slack, share) = (metric.slack(of: count), metric.slackShare)
    guard count > 0, slack > count * share else { return Figures.percent(share) }
    return "\(Figures.count(slack)), which is \(Figures.percent(slack / count)) of it"
  }

  static func reason(_ finding: LimitResult) -> String {
    guard let measured = finding.measured else { return "it was not measured" }
    guard let lower = finding.lower, let upper = finding.upper else {
      return
        "\(finding.limit.text(measured.median)) in \(Pairing.unpaired.counted(measured.trials)), which "
        + "are too few; \(settling(finding.neededTrials, .unpaired))"
    }
    let (least, most) = (finding.limit.text(lower), finding.limit.text(upper))
    let interval =
      least == most ? "the median is \(least)" : "the median lies between \(least) and \(most)"
    return finding.verdict == .inconclusive
      ? "\(interval); \(settling(finding.neededTrials, .unpaired))" : interval
  }

  static func reason(_ finding: ExpectationResult) -> String {
    guard finding.key != nil else { return "they were not measured together" }
    if let needed = finding.neededTrials {
      return "\(Figures.counted(finding.rounds, "round")) are too few: \(needed) are the fewest"
    }
    let rounds = "in \(Figures.counted(finding.rounds, "round"))\(estimate(finding))"
    return switch finding.verdict {
    case .pass: "it holds \(rounds), p \(p(finding.p))"
    case .fail: "it is the other way round \(rounds)"
    case .inconclusive: "they cannot be separated \(rounds)"
    }
  }

  private static func estimate(_ finding: ExpectationResult) -> String {
    guard let change = finding.change else { return "" }
    let metric = finding.expectation.metric
    return ", with \(finding.expectation.worse.brief) \(ComparisonFigures.estimate(change, metric))"
      + " within rounds"
  }

  static func limit(_ limit: Limit) -> String {
    "\(limit.metric.name) \(limit.relation.rawValue) \(Figures.plain(limit.bound))"
  }

  /// The expectation as a policy writes it.
  static func expectation(_ expectation: Expectation) -> String {
    "\(expectation.metric.name) < \(expectation.worse.brief)"
  }

  private static func change(_ judgement: TimeJudgement, _ metric: Metric) -> String {
    guard let change = judgement.change else { return "" }
    return "\(judgement.pairing.estimateHeading) \(ComparisonFigures.estimate(change, metric))"
      + " (95 % interval \(ComparisonFigures.interval(change, metric)))"
  }

  private static func bound(_ judgement: TimeJudgement, _ metric: Metric) -> String {
    let scale = judgement.change?.scale ?? .ratio
    let allowed = ComparisonFigures.formatted(judgement.allowed, scale, metric)
    guard let bound = judgement.bound else { return "how much worse it may be is unknown" }
    let worst = ComparisonFigures.formatted(bound, scale, metric)
    return judgement.verdict == .pass
      ? "\(worst) at worst, of \(allowed) allowed"
      : "it may be \(worst), and only \(allowed) is allowed"
  }

  static func settling(_ needed: Int?, _ pairing: Pairing) -> String {
    needed.map { "about \(pairing.counted($0)) would settle it" }
      ?? "more trials would not settle it"
  }

  private static func p(_ p: Double) -> String {
    p < 0.0005 ? "< 0.001" : "= \(Figures.short(p))"
  }
}

extension Limit {
  /// With as many digits as show on which side of the bound the value lies.
  func text(_ value: Double) -> String { Figures.distinct(value, from: [bound]) }
}
