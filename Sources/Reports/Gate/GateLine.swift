import Judging
import Measurement

/// One decision of a gate, in words and figures, for every format.
struct GateLine {
  enum Mark: String {
    case fail, inconclusive, pass, waived
    /// Shown, without an effect on the outcome.
    case advice

    var importance: Table.Importance {
      Table.Importance(self, of: [[.fail], [.inconclusive], [.waived], [.advice], [.pass]])
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

  init(_ figure: GateFigure, _ times: Gate.Times) {
    let verdict = Self.mark(figure.verdict)
    mark = figure.waiver != nil ? .waived : figure.isGated ? verdict : .advice
    key = figure.key
    topology = figure.key.topology
    subject = figure.metric.name
    // The change is that of the two medians, also where multiples were judged.
    let shown = ComparisonFigures(
      figure.metric, figure.judgement, baseline: figure.baseline, candidate: figure.candidate)
    (baseline, candidate, change) = (shown.baseline, shown.candidate, shown.change)
    switch figure.judgement {
    case .time(let judgement):
      let words = figure.otherSpeed?.clause ?? GateSentences.reason(judgement, figure.metric)
      let multiple = figure.yardstick.map { ", as a multiple of \($0.name)" } ?? ""
      let why =
        times == .advise ? Self.advice : "; of another or an unknown machine, so it advises only"
      reason = figure.isGated ? words : "\(words)\(multiple)\(why)"
    case .count(let judgement):
      let words = GateSentences.reason(
        judgement, figure.waiver, of: figure.metric, in: figure.key)
      reason = figure.isGated ? words : "\(words); \(GateSentences.advice(judgement))"
      isAlwaysListed = figure.metric.isInstructions
    }
  }

  init(_ part: MissingPart) {
    mark = .inconclusive
    key = part.key
    topology = part.topologies.map(\.brief).cut(most: 2)
    subject = "every figure"
    baseline = Figures.counted(part.cells, "cell")
    candidate = Table.missing
    reason = part.reason
  }

  init(_ result: LimitResult, _ times: Gate.Times) {
    mark = times.decide(result.limit.metric) ? Self.mark(result.verdict) : .advice
    key = result.key
    topology = result.key?.topology ?? result.limit.topology ?? "all"
    subject = GateSentences.limit(result.limit)
    candidate = result.measured.map { result.limit.text($0.median) } ?? Table.missing
    reason = GateSentences.reason(result) + (mark == .advice ? Self.advice : "")
  }

  init(_ result: ExpectationResult, _ times: Gate.Times) {
    mark = times.decide(result.expectation.metric) ? Self.mark(result.verdict) : .advice
    key = result.key
    topology = result.expectation.better
    subject = GateSentences.expectation(result.expectation)
    reason = GateSentences.reason(result) + (mark == .advice ? Self.advice : "")
  }

  var isListed: Bool { isAlwaysListed || mark != .pass }

  var sentence: String {
    let place = key.map { ", \($0.place)" } ?? ""
    return "\(topology.brief) \(subject)\(place): \(reason)"
  }

  private static let advice = "; times advise only"

  private static func mark(_ verdict: Verdict) -> Mark {
    switch verdict {
    case .fail: .fail
    case .inconclusive: .inconclusive
    case .pass: .pass
    }
  }
}
