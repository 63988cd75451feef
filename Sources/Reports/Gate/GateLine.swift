import Judging
import Measurement

/// One decision of a gate, in words and figures, for every format.
struct GateLine {
  enum Mark: String {
    case fail, inconclusive, pass, waived
    /// Shown, without an effect on the outcome.
    case advice

    /// The smaller, the graver.
    var grade: Int {
      switch self {
      case .fail: 0
      case .inconclusive: 1
      case .waived: 2
      case .advice: 3
      case .pass: 4
      }
    }
  }

  let mark: Mark
  /// Nil if nothing was measured.
  let key: CellKey?
  let topology: String
  /// The metric, the limit or the expectation.
  let subject: String
  var baseline = ""
  var candidate = ""
  var change = ""
  let reason: String
  /// Whether it is listed even if it passes.
  var isAlwaysListed = true

  init(_ finding: GateFinding) {
    let verdict = Self.mark(finding.verdict)
    mark = finding.waiver != nil ? .waived : finding.isGated ? verdict : .advice
    key = finding.key
    topology = finding.key.topology
    subject = finding.metric
    switch finding.evidence {
    case .time(let judgement):
      let metric = Metrics.named(finding.metric)
      let number = metric?.kind == .count ? Figures.count : Figures.short
      baseline = judgement.baseline.map { number($0.median) } ?? Table.missing
      candidate = judgement.candidate.map { number($0.median) } ?? Table.missing
      if let metric, let change = judgement.change {
        self.change = ComparisonFigures.change(change, metric)
      }
      let words = metric.map { GateSentences.reason(judgement, $0) } ?? ""
      let multiple = finding.yardstick.map { ", as a multiple of \($0)" } ?? ""
      reason =
        finding.isGated ? words : "\(words)\(multiple); of another machine, so it advises only"
    case .count(let judgement):
      baseline = judgement.baseline.map(Figures.range) ?? Table.missing
      candidate = judgement.candidate.map(Figures.range) ?? Table.missing
      reason = GateSentences.reason(judgement, finding.waiver)
      isAlwaysListed = false
    }
  }

  init(_ finding: PromiseFinding) {
    mark = Self.mark(finding.verdict)
    key = finding.key
    topology = finding.key?.topology ?? finding.promise.topology ?? "all"
    subject = GateSentences.promise(finding.promise)
    candidate = finding.measured.map { Figures.short($0.median) } ?? Table.missing
    reason = GateSentences.reason(finding)
  }

  init(_ finding: ExpectationFinding) {
    mark = Self.mark(finding.verdict)
    key = finding.key
    topology = finding.expectation.better
    subject = GateSentences.expectation(finding.expectation)
    if let metric = Metrics.named(finding.expectation.metric), let change = finding.change {
      self.change = ComparisonFigures.change(change, metric)
    }
    reason = GateSentences.reason(finding)
  }

  var isListed: Bool { isAlwaysListed || mark != .pass }

  /// `fail: parent-child main_blocked_ms, 5000-cities, pool store: …`
  var sentence: String {
    let place = key.map { ", \(ComparisonSentences.place($0))" } ?? ""
    return "\(ComparisonSentences.brief(topology)) \(subject)\(place): \(reason)"
  }

  private static func mark(_ verdict: Verdict) -> Mark {
    switch verdict {
    case .fail: .fail
    case .inconclusive: .inconclusive
    case .pass: .pass
    }
  }
}
