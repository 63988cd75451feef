package import Judging
import Measurement

// 1   A          A kept the main queue blocked for the shortest time, 12.3 ms;
// 2=  B, C       then B (45.2 ms, 3.68 times as long) and C (46.0 ms, …), which these trials
//                do not separate;
// 4   D          then D (…).
//
// 1=  A, B, C    These trials do not separate the topologies: A (…), B (…) and C (…) share
//                the first rank.

extension Sentences {
  package static func conclusion(_ section: SummarySection) -> String {
    let groups = section.ranking.places.grouped(by: \.rank).map(\.elements)
    guard let best = groups.first else { return "Nothing can be concluded: no cell ended ok." }
    if section.ranking.places.count == 1 { return only(best[0], in: section) }
    if section.isDiscarded { return discarded(section) }
    if !section.isRanked { return unranked(section) }
    let details = exceptions(section.ranking)
    guard groups.count > 1 else {
      let names = best.map { "\($0.name) (\(Figures.milliseconds($0.median)))" }.listed
      return "These trials do not separate the topologies: \(names) share the first rank"
        + details + "."
    }
    let others = groups.dropFirst().map { "then " + members($0, comparedWith: best, section) }
    return ([winners(best)] + others).joined(separator: "; ") + details + "."
  }

  private static func only(_ place: Ranking.Place, in section: SummarySection) -> String {
    let estimate = section.topologies.first { $0.name == place.name }?.estimate(.mainBlocked)
    let interval = estimate?.interval.map { " (95 % interval \(Figures.interval($0)) ms)" } ?? ""
    return """
      \(place.name) kept the main queue blocked for \(Figures.milliseconds(place.median))\
      \(interval); there is no other topology with an ok cell to compare it with.
      """
  }

  private static func discarded(_ section: SummarySection) -> String {
    let reasons = section.trust.readings.filter { $0.grade == .discard }.map(\.what)
    return "Discard this run: \(reasons.listed). Nothing is ranked; let nothing else run, and"
      + " measure again."
  }

  private static func unranked(_ section: SummarySection) -> String {
    let places = section.ranking.places
    let trials = section.ranking.pairs.map(\.rounds).max() ?? 0
    return "\(tooFewTrials(trials, toRank: places.count)). By medians alone: "
      + places.map { "\($0.name) (\(Figures.milliseconds($0.median)))" }.listed + "."
  }

  package static func tooFewTrials(_ trials: Int, toRank topologies: Int) -> String {
    let needed = Trials.needed(topologies: topologies)
    return "\(Figures.counted(trials, "trial")) \(trials == 1 ? "is" : "are") too few to rank"
      + " \(Figures.whole(topologies)) topologies: \(needed) are needed (--trials \(needed))"
  }

  private static func winners(_ group: [Ranking.Place]) -> String {
    guard group.count > 1 else {
      let time = Figures.milliseconds(group[0].median)
      return "\(group[0].name) kept the main queue blocked for the shortest time, \(time)"
    }
    let names = group.map { "\($0.name) (\(Figures.milliseconds($0.median)))" }.listed
    return "\(names) kept the main queue blocked for the shortest time and cannot be separated"
  }

  private static func members(
    _ group: [Ranking.Place], comparedWith best: [Ranking.Place], _ section: SummarySection
  ) -> String {
    let texts = group.map { place in
      let ratio = best.count == 1 ? ratio(best[0].name, place.name, section.ranking) : nil
      let comparison = ratio.map { ", \(Figures.comparison($0))" } ?? ""
      return "\(place.name) (\(Figures.milliseconds(place.median))\(comparison))"
    }
    return texts.listed + (group.count > 1 ? ", which these trials do not separate" : "")
  }

  /// Separated pairs that share a rank because of a third topology.
  private static func exceptions(_ ranking: Ranking) -> String {
    let ranks = Dictionary(uniqueKeysWithValues: ranking.places.map { ($0.name, $0.rank) })
    let pairs = ranking.pairs.filter { $0.isSeparated && ranks[$0.better] == ranks[$0.worse] }
    guard !pairs.isEmpty else { return "" }
    let texts = pairs.map { pair in
      let comparison = pair.medianRatio.map { " (\(Figures.comparison($0)))" } ?? ""
      return "\(pair.worse) from \(pair.better)\(comparison)"
    }
    return "; separated despite a shared rank: \(texts.listed)"
  }

  private static func ratio(_ better: String, _ worse: String, _ ranking: Ranking) -> Double? {
    ranking.pairs.first { $0.better == better && $0.worse == worse }?.medianRatio
  }

  /// The conclusion, and whether a user notices it: a paragraph each.
  package static func answers(_ section: SummarySection) -> [String] {
    [
      [conclusion(section), gaps(section)].compactMap { $0 }.joined(separator: " "),
      smoothness(section),
    ].compactMap { $0 }
  }

  package static func answer(_ section: SummarySection) -> String {
    answers(section).joined(separator: " ")
  }

  /// Longest gaps that differ although blocked time ties.
  static func gaps(_ section: SummarySection) -> String? {
    guard section.isRanked else { return nil }
    let tied = section.tiedPairs
    let groups = section.gapRanking.pairs
      .filter { $0.isSeparated && tied.contains([$0.better, $0.worse]) }.grouped(by: \.better)
    guard !groups.isEmpty else { return nil }
    let clauses = groups.prefix(mostGaps).map { better, pairs in
      let others = few(pairs.map { gap($0.worse, section) })
      return
        "that of \(gap(better, section)) is shorter than \(pairs.count == 1 ? "that" : "those")"
        + " of \(others)"
    }
    return "Longest gaps separate some that tie: \(clauses.joined(separator: "; "))."
  }

  private static let mostGaps = 3

  static func few(_ texts: [String]) -> String {
    texts.count > 5 ? texts.cut(most: 4) : texts.listed
  }

  private static func gap(_ name: String, _ section: SummarySection) -> String {
    let gap = section.topologies.first { $0.name == name }?.longestGap
    return name + (gap.map { " (\(Figures.milliseconds($0.median)))" } ?? "")
  }
}

// MARK: - Whether it matters

extension Sentences {
  /// Nil where frames were not measured.
  package static func smoothness(_ section: SummarySection) -> String? {
    let measured = section.topologies.filter { $0.smoothness != nil }
    guard !measured.isEmpty else { return nil }
    return [frames(measured), idle(measured, section)].compactMap { $0 }.joined(separator: " ")
  }

  private static func frames(_ topologies: [TopologySummary]) -> String {
    let subject = topologies.count == 1 ? topologies[0].name : "No topology"
    let late = topologies.compactMap { topology in
      often(topology, topology.smoothness?.lateTrials, topology.median(.framesLate)) {
        "\(Figures.count($0)) late"
      }
    }
    let hangs = topologies.compactMap { topology in
      often(topology, topology.smoothness?.hangTrials, topology.median(.mainLongestBusy)) {
        Figures.milliseconds($0)
      }
    }
    let dropped =
      late.isEmpty
      ? "\(subject) drops \(topologies.count == 1 ? "no" : "a") frame here"
      : "Frames are dropped by \(few(late))"
    let none = late.isEmpty ? ", and none would" : ". None would"
    return hangs.isEmpty
      ? "\(dropped)\(none) count as a hang (250 ms)."
      : "\(dropped). Main would hang (250 ms) in \(few(hangs))."
  }

  /// `main-only (3 late)`, `main-only (in 2 of 8 trials)`
  private static func often(
    _ topology: TopologySummary, _ trials: Int?, _ median: Double?, _ text: (Double) -> String
  ) -> String? {
    guard let trials, trials > 0 else { return nil }
    guard trials * 2 > topology.okCells, let median else {
      return "\(topology.name) (in \(trials) of \(Figures.counted(topology.okCells, "trial")))"
    }
    return "\(topology.name) (\(text(median)))"
  }

  private static func idle(_ topologies: [TopologySummary], _ section: SummarySection) -> String? {
    let idle = topologies.filter { $0.smoothness?.isScreenIdle ?? false }
    guard !idle.isEmpty else { return nil }
    return "The screen was idle in the longest gap\(idle.count == 1 ? "" : "s") of "
      + "\(few(idle.map { gap($0.name, section) })): no frame was due."
  }
}

extension SummarySection {
  /// Contains each pair in both orders.
  fileprivate var tiedPairs: Set<[String]> {
    let ranks = Dictionary(uniqueKeysWithValues: ranking.places.map { ($0.name, $0.rank) })
    let tied = ranking.pairs.filter { !$0.isSeparated && ranks[$0.better] == ranks[$0.worse] }
    return Set(tied.flatMap { [[$0.better, $0.worse], [$0.worse, $0.better]] })
  }
}
