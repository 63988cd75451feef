package import Judging
import Measurement
import Support

// The only sentences about a `Conclusion`. The short form is a page's title and a setting's line:
//
//   the screen hangs with A (292 ms); of the 2 topologies within a frame, B blocks main least,
//   16.7 ms
//
// The long form names every topology, its gap, and the trials:
//
//   The screen hangs (a gap over 250 ms) with A (292 ms, 6 of 6 trials).
//   Of the 2 topologies within a frame (16.7 ms), B blocks main least, 16.7 ms; then C (20.1 ms,
//   20 % longer).

package enum Phrases {
  package static func short(_ section: SummarySection) -> String {
    section.counted ?? false ? Sentences.counted(section) : short(section.conclusion)
  }

  package static func long(_ section: SummarySection) -> String {
    section.counted ?? false
      ? Sentences.counted(section)
      : long(section.conclusion, incomplete: incomplete(section)).joined(separator: " ")
  }

  /// The topologies that lack trials of a run with enough rounds to rank.
  private static func incomplete(_ section: SummarySection) -> [String] {
    guard section.rounds >= section.conclusion.order.trialsNeeded else { return [] }
    return section.topologies.filter { topology in
      let trials = topology.estimate(section.question.blocked)?.trials ?? section.rounds
      return trials < section.rounds
    }.map(\.name)
  }

  /// One line without a full stop.
  package static func short(_ conclusion: Conclusion) -> String {
    let order = shortOrder(conclusion)
    guard conclusion.order.isConclusive else { return order }
    let text = [shortFreeze(conclusion), order].compactMap { $0 }.joined(separator: "; ")
    return sentence(text, of: conclusion, isFirst: true)
  }

  /// Whether the screen freezes, then who blocks main least: a paragraph each.
  ///
  /// - Parameter incomplete: topologies whose other cells failed or are missing, if these are why
  ///   the trials are too few.
  package static func long(_ conclusion: Conclusion, incomplete: [String] = []) -> [String] {
    let order = longOrder(conclusion, incomplete)
    let freeze = conclusion.order.isConclusive ? longFreeze(conclusion) : nil
    let rows = conclusion.lateRows.map { rows in
      " Rows of \(brief(rows.topology)) are visible after \(Figures.milliseconds(rows.visible)),"
        + " those of \(brief(rows.first)) after \(Figures.milliseconds(rows.firstVisible))."
    }
    let few = unjudged(conclusion.order) + unranked(conclusion.order)
    let phases = conclusion.order.isConclusive ? otherPhases(conclusion) : ""
    let last =
      sentence(order, of: conclusion, isFirst: freeze == nil) + few + (rows ?? "") + phases
    return [freeze.map { sentence($0, of: conclusion, isFirst: true) }, last].compactMap { $0 }
  }

  package static func tooFewTrials(
    _ trials: Int, toRank topologies: Int, needed: Int, incomplete: [String] = []
  ) -> String {
    let remedy =
      incomplete.isEmpty
      ? "--trials \(needed)"
      : "other cells of \(few(incomplete.map(brief))) failed or are missing"
    return "\(Figures.counted(trials, "trial")) \(trials == 1 ? "is" : "are") too few to rank"
      + " \(Figures.whole(topologies)) topologies: \(needed) are needed (\(remedy))"
  }
}

// MARK: - Order

extension Phrases {
  private static func shortOrder(_ conclusion: Conclusion) -> String {
    let order = conclusion.order
    let count = order.all.count
    switch order.standing {
    case .nothing: return "Nothing can be concluded: no cell ended ok"
    case .unmeasured: return "no topology has blocked time"
    case .alone:
      return "\(brief(order.all[0].topology)) blocks main for "
        + Figures.milliseconds(order.all[0].blocked)
    case .tooFewTrials:
      return "the trials are too few to rank \(count) topologies"
    case .discarded: return "Discard this run: \(order.discardedBecause.listed)"
    case .frozen: return noneBest
    case .tied:
      return "\(tied(conclusion)), \(range(order.best))"
    case .separated: return shortSeparated(conclusion)
    }
  }

  static let noneBest = "no topology is best"

  private static func shortSeparated(_ conclusion: Conclusion) -> String {
    let (order, best) = (conclusion.order, conclusion.order.best)
    if !order.excluded.isEmpty, order.steady.count == 1 {
      return onlySteady(conclusion)
    }
    let others = order.excluded.isEmpty ? order.ranked.last.map { $0.blocked } : nil
    let isPart = !order.excluded.isEmpty || !order.unranked.isEmpty
    return (isPart ? "of \(contenders(conclusion)), " : "")
      + "\(winners(order)) \(best.count == 1 ? "blocks" : "block") main least, \(range(best))"
      + (others.map { " (others up to \(Figures.milliseconds($0)))" } ?? "")
  }

  private static func onlySteady(_ conclusion: Conclusion, _ frame: String = "a frame") -> String {
    let (order, best) = (conclusion.order, conclusion.order.best)
    return (conclusion.hasUnrankedWithin ? "of the ranked topologies, " : "")
      + "only \(brief(best[0].topology)) \(order.isAlwaysSteady ? "" : "usually ")stays within"
      + " \(frame), blocked for \(range(best))"
  }

  private static func tied(_ conclusion: Conclusion, _ frame: String = "a frame") -> String {
    let (order, all) = (conclusion.order, contenders(conclusion, frame))
    return order.separatesAny
      ? "the trials separate none of \(all) from \(brief(order.best[0].topology)) in blocked time"
      : "the trials do not separate \(all) in blocked time"
  }

  /// `the 4 topologies`, `the 2 ranked topologies`, `the 3 topologies usually within a frame`
  private static func contenders(
    _ conclusion: Conclusion, _ frame: String = "a frame"
  ) -> String {
    let order = conclusion.order
    if order.steady.isEmpty {
      let ranked = order.unranked.isEmpty ? "" : "ranked "
      return "the \(order.ranked.count) \(ranked)topologies"
    }
    let ranked = conclusion.hasUnrankedWithin ? "ranked " : ""
    return "the \(order.steady.count) \(ranked)topologies"
      + " \(order.isAlwaysSteady ? "" : "usually ")within \(frame)"
  }

  /// With its limit, unless another sentence names it.
  private static func frame(_ conclusion: Conclusion) -> String {
    conclusion.freezes.contains { $0.usual == .frame || $0.worst == .frame }
      ? "a frame" : "a frame (\(FreezeLimit.frame.words))"
  }

  /// `a and b`, `3 of 8 topologies`, `3 of them`
  private static func winners(_ order: Conclusion.Order) -> String {
    let names = order.best.map { brief($0.topology) }
    if names.count < 3 { return names.listed }
    return order.excluded.isEmpty
      ? "\(names.count) of \(order.all.count) topologies" : "\(names.count) of them"
  }

  private static func longOrder(
    _ conclusion: Conclusion, _ incomplete: [String]
  ) -> String {
    let order = conclusion.order
    switch order.standing {
    case .nothing: return shortOrder(conclusion) + "."
    case .unmeasured: return shortOrder(conclusion) + ", so nothing is ranked."
    case .alone:
      return shortOrder(conclusion) + "; no other topology has blocked time to compare it with."
    case .tooFewTrials:
      let text = tooFewTrials(
        order.trials, toRank: order.all.count, needed: order.trialsNeeded, incomplete: incomplete)
      return "\(text). By medians alone, main is blocked for: \(few(order.all.map(blocked)))."
    case .discarded:
      return shortOrder(conclusion) + ". Nothing is ranked; remove the cause, and measure again."
    case .frozen:
      let others = conclusion.freezes.filter { $0.usual == nil }.map { brief($0.topology) }
      return "\(noneBest): \(few(order.excluded.map(blocked)))"
        + " \(order.excluded.count == 1 ? "freezes" : "freeze") the screen, and"
        + " \(few(others)) \(others.count == 1 ? "does" : "do") not."
    case .tied:
      return "\(tied(conclusion, frame(conclusion))): "
        + "\(few(order.best.map(blocked))).\(leastFrozen(order))"
    case .separated: return separated(conclusion)
    }
  }

  private static func separated(_ conclusion: Conclusion) -> String {
    let (order, best) = (conclusion.order, conclusion.order.best)
    if !order.excluded.isEmpty, order.steady.count == 1 {
      return "\(onlySteady(conclusion, frame(conclusion))).\(leastFrozen(order))"
    }
    let isPart = !order.excluded.isEmpty || !order.unranked.isEmpty
    let lead = isPart ? "of \(contenders(conclusion, frame(conclusion))), " : ""
    let least =
      "\(brief(best[0].topology)) blocks main least, "
      + Figures.milliseconds(best[0].blocked)
    let tied = best.dropFirst().map(blocked)
    let winners = tied.isEmpty ? least : "\(least); not separated from it: \(few(tied))"
    let candidates = Set(order.steady.isEmpty ? order.ranked.map(\.topology) : order.steady)
    let names = candidates.subtracting(best.map(\.topology))
    let others = order.all.filter { names.contains($0.topology) }.map { other in
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

  /// Names ranked topologies that cannot be called best beside those that freeze.
  private static func unjudged(_ order: Conclusion.Order) -> String {
    guard !order.excluded.isEmpty else { return "" }
    let judged = Set(order.excluded.map(\.topology) + order.steady)
    let names = order.ranked.filter { !judged.contains($0.topology) }.map(blocked)
    guard !names.isEmpty else { return "" }
    return " No trial shows whether \(few(names)) \(names.count == 1 ? "freezes" : "freeze") the"
      + " screen, so \(names.count == 1 ? "it is" : "they are") not called best."
  }

  private static func unranked(_ order: Conclusion.Order) -> String {
    guard !order.unranked.isEmpty else { return "" }
    return " \(few(order.unranked.map(blocked))) \(order.unranked.count == 1 ? "shares" : "share")"
      + " too few trials with others to be ranked."
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
  ///
  /// - Parameter isFirst: whether the phase is named, if it has a lead and something is concluded.
  private static func sentence(
    _ text: String, of conclusion: Conclusion, isFirst: Bool
  ) -> String {
    let names = conclusion.topologies.map(brief)
    let isName = names.contains(where: text.hasPrefix)
    if isFirst, conclusion.order.isConclusive, let lead = conclusion.lead {
      return "\(lead.capitalised), \(isName ? text : text.uncapitalised)"
    }
    return isName ? text : text.capitalised
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

  fileprivate var ranked: [Entry] {
    let names = Set(unranked.map(\.topology))
    return all.filter { !names.contains($0.topology) }
  }
}

extension Conclusion {
  /// Nil for the usual phase, unless a gap of another phase passes a frame.
  var lead: String? { otherPhases.isEmpty ? question.phase.lead : question.phase.clause }

  /// Whether also a topology without a rank usually stays within a frame.
  fileprivate var hasUnrankedWithin: Bool {
    freezes.contains { $0.usual == nil && !order.steady.contains($0.topology) }
  }
}

extension String {
  var capitalised: String { prefix(1).uppercased() + dropFirst() }
  fileprivate var uncapitalised: String { prefix(1).lowercased() + dropFirst() }
}
