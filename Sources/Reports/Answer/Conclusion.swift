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
      let names = best.map { "\($0.name) (\(milliseconds($0)))" }.listed
      return "These trials do not separate the topologies: \(names) share the first rank"
        + details + "."
    }
    let others = groups.dropFirst().map { "then " + members($0, comparedWith: best, section) }
    return ([winners(best)] + others).joined(separator: "; ") + details + "."
  }

  private static func only(_ place: Ranking.Place, in section: SummarySection) -> String {
    let estimate = section.topologies.first { $0.name == place.name }?.estimate(.mainBlocked)
    let interval =
      estimate?.interval.map {
        " (95 % interval \(Figures.interval($0)) ms)"
      } ?? ""
    return """
      \(place.name) kept the main queue blocked for \(milliseconds(place))\(interval); there is no \
      other topology with an ok cell to compare it with.
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
      + places.map { "\($0.name) (\(milliseconds($0)))" }.listed + "."
  }

  package static func tooFewTrials(_ trials: Int, toRank topologies: Int) -> String {
    let needed = Trials.needed(topologies: topologies)
    return "\(Figures.counted(trials, "trial")) \(trials == 1 ? "is" : "are") too few to rank"
      + " \(Figures.whole(topologies)) topologies: \(needed) are needed (--trials \(needed))"
  }

  private static func winners(_ group: [Ranking.Place]) -> String {
    guard group.count > 1 else {
      let time = milliseconds(group[0])
      return "\(group[0].name) kept the main queue blocked for the shortest time, \(time)"
    }
    let names = group.map { "\($0.name) (\(milliseconds($0)))" }.listed
    return "\(names) kept the main queue blocked for the shortest time and cannot be separated"
  }

  private static func members(
    _ group: [Ranking.Place], comparedWith best: [Ranking.Place], _ section: SummarySection
  ) -> String {
    let texts = group.map { place in
      let ratio = best.count == 1 ? ratio(best[0].name, place.name, section.ranking) : nil
      let comparison = ratio.map { ", \(Figures.comparison($0))" } ?? ""
      return "\(place.name) (\(milliseconds(place))\(comparison))"
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

  private static func milliseconds(_ place: Ranking.Place) -> String {
    "\(Figures.short(place.median)) ms"
  }
}
