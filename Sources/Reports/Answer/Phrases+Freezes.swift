import Judging
import Measurement

// Whether the screen freezes: by the longest gap of each topology, and in how many trials.

extension Phrases {
  static func shortFreeze(_ conclusion: Conclusion) -> String? {
    let freezes = conclusion.freezes
    guard !freezes.isEmpty else { return nil }
    if let limit = conclusion.usualFreeze {
      let frozen = freezes.filter { $0.usual == limit }
      return
        "\(limit.clause) with \(names(frozen.map(\.topology), of: conclusion.topologies.count))"
        + " (\(gaps(frozen, beyond: limit)))"
    }
    if let limit = conclusion.worstFreeze {
      let frozen = freezes.filter { $0.worst == limit }
      return "in some trials \(limit.clause) with "
        + "\(names(frozen.map(\.topology), of: conclusion.topologies.count))"
    }
    let isSeen = conclusion.hidden.isEmpty
    return conclusion.topologies.count == 1
      ? "the screen \(isSeen ? "does not" : "is not seen to") freeze with "
        + brief(freezes[0].topology)
      : "no topology \(isSeen ? "freezes" : "is seen to freeze") the screen"
  }

  /// `98.7 ms`, `up to 98.7 ms`.
  ///
  /// - Parameter frozen: the longest median first.
  private static func gaps(_ frozen: [Freeze], beyond limit: FreezeLimit) -> String {
    guard let gap = frozen[0].gap, limit.isPassed(by: gap) else { return "in half of the trials" }
    return (frozen.count > 1 ? "up to " : "") + milliseconds(gap)
  }

  static func longFreeze(_ conclusion: Conclusion) -> String? {
    let freezes = conclusion.freezes
    guard !freezes.isEmpty else { return nil }
    let parts =
      conclusion.worstFreeze == nil
      ? [smooth(conclusion)] : [usual(freezes), rare(freezes), within(conclusion)]
    return (parts + [hidden(conclusion)]).compactMap { $0 }.joined(separator: " ")
  }

  private static func smooth(_ conclusion: Conclusion) -> String {
    let isOne = conclusion.topologies.count == 1
    let isSeen = conclusion.hidden.isEmpty
    let end = conclusion.freezes.compactMap(\.longest).max().map { longest -> String in
      // The table shows medians, so the sentence names another figure.
      let text = milliseconds(longest)
      let names = conclusion.freezes.filter { $0.longest.map(milliseconds) == text }
        .map { brief($0.topology) }
      return " The longest of all is \(text)" + (isOne ? "." : " (\(few(names.sorted()))).")
    }
    return "\(isOne ? brief(conclusion.freezes[0].topology) : "No topology")"
      + (isSeen
        ? (isOne ? " does not freeze" : " freezes")
        : (isOne ? " is not seen to freeze" : " is seen to freeze"))
      + " the screen: no trial has a gap \(isSeen ? "" : "of its own ")over a frame"
      + " (\(FreezeLimit.frame.words)).\(end ?? "")"
  }

  /// ` While the list opens, 8 of 16 cells have a gap over a frame, up to 3,760 ms (parent-child).`
  static func otherPhases(_ conclusion: Conclusion) -> String {
    conclusion.otherPhases.map { other in
      " \(other.phase.clause.capitalised), \(Figures.whole(other.cellsBeyond)) of "
        + "\(Figures.counted(other.cells, "cell")) \(other.cellsBeyond == 1 ? "has" : "have") a gap"
        + " over a frame, up to \(milliseconds(other.longest)) (\(brief(other.topology)))."
    }.joined()
  }

  private static func hidden(_ conclusion: Conclusion) -> String? {
    conclusion.hidden.isEmpty
      ? nil
      : "In at least one trial, a gap of topobench's own hides the gaps of "
        + "\(few(conclusion.hidden.map(brief)))."
  }

  /// `The screen hangs (a gap over 250 ms) with A (292 ms, 6 of 6 trials).`
  private static func usual(_ freezes: [Freeze]) -> String? {
    let sentences = FreezeLimit.allCases.reversed().compactMap { limit -> String? in
      let frozen = freezes.filter { $0.usual == limit }.map { freeze in
        "\(brief(freeze.topology)) (\(gap(freeze, beyond: limit)))"
      }
      return frozen.isEmpty
        ? nil : "\(limit.clause) (a gap over \(limit.words)) with \(few(frozen))."
    }
    return sentences.isEmpty ? nil : sentences.map(\.capitalised).joined(separator: " ")
  }

  /// Freezes that are worse in fewer than half of the trials.
  private static func rare(_ freezes: [Freeze]) -> String? {
    let clauses = FreezeLimit.allCases.reversed().compactMap { limit -> String? in
      let frozen = freezes.filter { $0.worst == limit && $0.isSometimesWorse }.map { freeze in
        "\(brief(freeze.topology)) (\(trials(freeze, limit)),"
          + " up to \(milliseconds(freeze.longest ?? 0)))"
      }
      return frozen.isEmpty ? nil : "\(limit.clause) (over \(limit.words)) with \(few(frozen))"
    }
    return clauses.isEmpty
      ? nil : "In fewer than half of the trials, \(clauses.joined(separator: "; "))."
  }

  /// Nil if the order names these topologies.
  private static func within(_ conclusion: Conclusion) -> String? {
    let steady = conclusion.freezes.filter { $0.worst == nil }
    let isSeen = Set(conclusion.hidden).isDisjoint(with: steady.map(\.topology))
    let isNamed = Set(conclusion.order.steady).isSuperset(of: steady.map(\.topology))
    guard !steady.isEmpty, !isSeen || !isNamed else { return nil }
    let names = steady.map { "\(brief($0.topology)) (\(gap($0)))" }
    return "Within a frame (\(FreezeLimit.frame.words)) in every trial"
      + "\(isSeen ? "" : ", as far as seen"): \(few(names))."
  }

  private static func gap(_ freeze: Freeze) -> String {
    freeze.gap.map(milliseconds) ?? "no gap of its own"
  }

  /// `292 ms, 6 of 6 trials`; with a median within the limit, `5 of 10 trials, up to 120 ms`.
  private static func gap(_ freeze: Freeze, beyond limit: FreezeLimit) -> String {
    let trials = trials(freeze, limit)
    guard let gap = freeze.gap, !limit.isPassed(by: gap) else {
      return "\(gap(freeze)), \(trials)"
    }
    return "\(trials), up to \(milliseconds(freeze.longest ?? gap))"
  }

  private static func milliseconds(_ gap: Double) -> String { "\(Figures.gap(gap)) ms" }

  private static func trials(_ freeze: Freeze, _ limit: FreezeLimit) -> String {
    "\(freeze.trialsBeyond[limit]) of \(Figures.counted(freeze.trials, "trial"))"
  }
}

extension FreezeLimit {
  /// `16.7 ms`
  var words: String { "\(Figures.plain(milliseconds)) ms" }

  var clause: String {
    switch self {
    case .frame: "the screen freezes for more than a frame"
    case .noticed: "the screen freezes noticeably"
    case .hang: "the screen hangs"
    }
  }
}

extension Question.Phase {
  /// Nil for the usual phase, in which changes arrive.
  var lead: String? { self == .change ? nil : clause }

  var clause: String {
    switch self {
    case .open: "while the list opens"
    case .change: "while changes arrive"
    case .scroll: "while the user scrolls through the list"
    }
  }
}
