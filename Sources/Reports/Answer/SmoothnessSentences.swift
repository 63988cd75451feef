package import Judging
import Measurement

extension Sentences {
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
    return name + (gap.map { " (\(Figures.short($0.median)) ms)" } ?? "")
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
        "\(Figures.short($0)) ms"
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
  /// In both orders.
  fileprivate var tiedPairs: Set<[String]> {
    let ranks = Dictionary(uniqueKeysWithValues: ranking.places.map { ($0.name, $0.rank) })
    let tied = ranking.pairs.filter { !$0.isSeparated && ranks[$0.better] == ranks[$0.worse] }
    return Set(tied.flatMap { [[$0.better, $0.worse], [$0.worse, $0.better]] })
  }
}
