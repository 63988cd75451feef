package import Judging
import Measurement
import Support

// The only sentences about a `Conclusion`. The short form is a page's title and a setting's line:
//
//   the screen hangs with A (292 ms); of those within a frame, B blocks main least, 16.7 ms
//
// The long form names every topology, its gap, and the trials:
//
//   The screen hangs (a gap over 250 ms) with A (292 ms, 6 of 6 trials). Within a frame (16.7 ms)
//   in every trial: B (4.77 ms) and C (9.20 ms).
//   Of those within a frame, B blocks main least, 16.7 ms; then C (20.1 ms, 20 % longer).

package enum Phrases {
  package static func short(_ section: SummarySection) -> String {
    section.counted ?? false ? Sentences.counted(section) : short(section.conclusion)
  }

  package static func long(_ section: SummarySection) -> String {
    section.counted ?? false
      ? Sentences.counted(section) : long(section.conclusion).joined(separator: " ")
  }

  /// One line without a full stop.
  package static func short(_ conclusion: Conclusion) -> String {
    let order = shortOrder(conclusion.order)
    guard conclusion.order.isConclusive else { return order }
    let text = [shortFreeze(conclusion), order].compactMap { $0 }.joined(separator: "; ")
    return sentence(text, of: conclusion)
  }

  /// Whether the screen freezes, then who blocks main least: a paragraph each.
  package static func long(_ conclusion: Conclusion) -> [String] {
    let order = longOrder(conclusion.order)
    let freeze = conclusion.order.isConclusive ? longFreeze(conclusion) : nil
    return [freeze, sentence(order, of: conclusion)].compactMap { $0 }
  }

  package static func tooFewTrials(_ trials: Int, toRank topologies: Int, needed: Int) -> String {
    "\(Figures.counted(trials, "trial")) \(trials == 1 ? "is" : "are") too few to rank"
      + " \(Figures.whole(topologies)) topologies: \(needed) are needed (--trials \(needed))"
  }
}

// MARK: - Freezes

extension Phrases {
  private static func shortFreeze(_ conclusion: Conclusion) -> String? {
    let freezes = conclusion.freezes
    guard !freezes.isEmpty else { return nil }
    if let limit = conclusion.usualFreeze {
      let frozen = freezes.filter { $0.usual == limit }
      return "\(limit.clause) with \(names(frozen.map(\.topology), of: freezes.count))"
        + " (\(gaps(frozen, beyond: limit)))"
    }
    if let limit = conclusion.worstFreeze {
      let frozen = freezes.filter { $0.worst == limit }
      return "in some trials \(limit.clause) with "
        + "\(names(frozen.map(\.topology), of: freezes.count))"
    }
    return freezes.count == 1
      ? "the screen does not freeze with \(brief(freezes[0].topology))"
      : "no topology freezes the screen"
  }

  /// `98.7 ms`, `up to 98.7 ms`.
  ///
  /// - Parameter frozen: the longest median first.
  private static func gaps(_ frozen: [Freeze], beyond limit: FreezeLimit) -> String {
    guard frozen[0].gap > limit.milliseconds else { return "in half of the trials" }
    return (frozen.count > 1 ? "up to " : "") + Figures.milliseconds(frozen[0].gap)
  }

  private static func longFreeze(_ conclusion: Conclusion) -> String? {
    let freezes = conclusion.freezes
    guard let longest = freezes.first else { return nil }
    guard conclusion.worstFreeze != nil else {
      let others =
        freezes.count == 1
        ? "Its longest gap is \(Figures.milliseconds(longest.gap))."
        : "The longest is \(Figures.milliseconds(longest.gap)) (\(brief(longest.topology)))."
      let subject = freezes.count == 1 ? brief(longest.topology) : "No topology"
      return "\(subject) \(freezes.count == 1 ? "does not freeze" : "freezes") the screen: no"
        + " trial has a gap over a frame (\(FreezeLimit.frame.words)). \(others)"
    }
    return ([usual(freezes), rare(freezes), within(freezes)].compactMap { $0 }).joined(separator: " ")
  }

  /// `The screen hangs (a gap over 250 ms) with A (292 ms, 6 of 6 trials).`
  private static func usual(_ freezes: [Freeze]) -> String? {
    let sentences = FreezeLimit.allCases.reversed().compactMap { limit -> String? in
      let frozen = freezes.filter { $0.usual == limit }.map { freeze in
        "\(brief(freeze.topology)) (\(Figures.milliseconds(freeze.gap)), \(trials(freeze, limit)))"
      }
      return frozen.isEmpty ? nil : "\(limit.clause) (a gap over \(limit.words)) with \(few(frozen))."
    }
    return sentences.isEmpty ? nil : sentences.map(\.capitalised).joined(separator: " ")
  }

  /// Freezes that are worse in fewer than half of the trials.
  private static func rare(_ freezes: [Freeze]) -> String? {
    let clauses = FreezeLimit.allCases.reversed().compactMap { limit -> String? in
      let frozen = freezes.filter { $0.worst == limit && $0.isSometimesWorse }.map { freeze in
        "\(brief(freeze.topology)) (\(trials(freeze, limit)),"
          + " up to \(Figures.milliseconds(freeze.longest)))"
      }
      return frozen.isEmpty ? nil : "\(limit.clause) (over \(limit.words)) with \(few(frozen))"
    }
    return clauses.isEmpty
      ? nil : "In fewer than half of the trials, \(clauses.joined(separator: "; "))."
  }

  private static func within(_ freezes: [Freeze]) -> String? {
    let steady = freezes.filter { $0.worst == nil }.map { freeze in
      "\(brief(freeze.topology)) (\(Figures.milliseconds(freeze.gap)))"
    }
    return steady.isEmpty
      ? nil : "Within a frame (\(FreezeLimit.frame.words)) in every trial: \(few(steady))."
  }

  private static func trials(_ freeze: Freeze, _ limit: FreezeLimit) -> String {
    "\(freeze.trialsBeyond[limit]) of \(Figures.counted(freeze.trials, "trial"))"
  }
}

// MARK: - Order

extension Phrases {
  private static func shortOrder(_ order: Conclusion.Order) -> String {
    let count = order.all.count
    switch order.standing {
    case .nothing: return "Nothing can be concluded: no cell ended ok"
    case .alone:
      return "\(brief(order.all[0].topology)) blocks main for "
        + Figures.milliseconds(order.all[0].blocked)
    case .tooFewTrials:
      return "the trials are too few to rank \(count) topologies"
    case .discarded: return "Discard this run: \(order.discardedBecause.listed)"
    case .tied:
      return "the trials do not separate \(order.steady) in blocked time, \(range(order.best))"
    case .separated:
      let best = order.best
      let names = winners(order)
      if !order.excluded.isEmpty, best.count + order.excluded.count == count {
        return "only \(brief(best[0].topology)) stays within a frame, blocked for \(range(best))"
      }
      let others = order.excluded.isEmpty ? order.all.last.map { $0.blocked } : nil
      return (order.excluded.isEmpty ? "" : "of \(order.steady), ")
        + "\(names) \(best.count == 1 ? "blocks" : "block") main least, \(range(best))"
        + (others.map { " (others up to \(Figures.milliseconds($0)))" } ?? "")
    }
  }

  /// `a and b`, `3 of 8 topologies`, `3 of them`
  private static func winners(_ order: Conclusion.Order) -> String {
    let names = order.best.map { brief($0.topology) }
    if names.count < 3 { return names.listed }
    return order.excluded.isEmpty
      ? "\(names.count) of \(order.all.count) topologies" : "\(names.count) of them"
  }

  private static func longOrder(_ order: Conclusion.Order) -> String {
    switch order.standing {
    case .nothing: return shortOrder(order) + "."
    case .alone:
      return shortOrder(order) + "; no other topology has an ok cell to compare it with."
    case .tooFewTrials:
      let text = tooFewTrials(order.trials, toRank: order.all.count, needed: order.trialsNeeded)
      return "\(text). By medians alone, main is blocked for: \(few(order.all.map(blocked)))."
    case .discarded:
      return shortOrder(order) + ". Nothing is ranked; let nothing else run, and measure again."
    case .tied:
      return "the trials do not separate \(order.steady) in blocked time: "
        + "\(few(order.best.map(blocked))).\(leastFrozen(order))"
    case .separated: return separated(order)
    }
  }

  private static func separated(_ order: Conclusion.Order) -> String {
    let best = order.best
    if !order.excluded.isEmpty, best.count + order.excluded.count == order.all.count {
      return "\(shortOrder(order)).\(leastFrozen(order))"
    }
    let lead = order.excluded.isEmpty ? "" : "of \(order.steady), "
    let least = "\(brief(best[0].topology)) blocks main least, "
      + Figures.milliseconds(best[0].blocked)
    let tied = best.dropFirst().map(blocked)
    let winners = tied.isEmpty ? least : "\(least); not separated from it: \(few(tied))"
    let hidden = Set((best + order.excluded).map(\.topology))
    let others = order.all.filter { !hidden.contains($0.topology) }.map { other in
      let ratio = best.count == 1 && best[0].blocked > 0 ? other.blocked / best[0].blocked : nil
      let comparison = ratio.map { ", \(Figures.comparison($0))" } ?? ""
      return "\(brief(other.topology)) (\(Figures.milliseconds(other.blocked))\(comparison))"
    }
    return "\(lead)\(winners); then \(few(others)).\(leastFrozen(order))"
  }

  /// Names what blocks main for a shorter time than the best, but freezes it.
  private static func leastFrozen(_ order: Conclusion.Order) -> String {
    guard let first = order.best.first else { return "" }
    let less = order.excluded.filter { $0.blocked < first.blocked }
    guard !less.isEmpty else { return "" }
    return " \(few(less.map(blocked))) \(less.count == 1 ? "blocks" : "block") main for a shorter"
      + " time, but \(less.count == 1 ? "freezes" : "freeze") the screen."
  }

  private static func blocked(_ entry: Conclusion.Order.Entry) -> String {
    "\(brief(entry.topology)) (\(Figures.milliseconds(entry.blocked)))"
  }
}

// MARK: - Parts

extension Phrases {
  /// `a`, `a and b`, `3 of 8 topologies`
  static func names(_ names: [String], of all: Int) -> String {
    if names.count == all, all > 1 { return "all \(all) topologies" }
    return names.count < 3
      ? names.map(brief).listed : "\(names.count) of \(all) topologies"
  }

  static func few(_ texts: [String]) -> String {
    texts.count > 5 ? texts.cut(most: 4) : texts.listed
  }

  /// Begins with a capital letter, unless it begins with a topology.
  private static func sentence(_ text: String, of conclusion: Conclusion) -> String {
    let names = conclusion.order.all.map { brief($0.topology) }
    return names.contains(where: text.hasPrefix) ? text : text.capitalised
  }

  static func brief(_ name: String) -> String { PageText.brief(name, most: 40) }

  private static func range(_ entries: [Conclusion.Order.Entry]) -> String {
    let ends = [entries.map(\.blocked).min(), entries.map(\.blocked).max()]
      .map { Figures.short($0 ?? 0) }
    return (ends[0] == ends[1] ? ends[0] : ends.joined(separator: "–")) + " ms"
  }
}

extension Conclusion.Order {
  /// Whether freezes may be stated.
  fileprivate var isConclusive: Bool { standing != .nothing && standing != .discarded }

  /// `the 4 topologies`, `the 3 topologies within a frame`
  fileprivate var steady: String {
    let count = all.count - excluded.count
    return "the \(count) topologies\(excluded.isEmpty ? "" : " within a frame")"
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

extension String {
  var capitalised: String { prefix(1).uppercased() + dropFirst() }
}
