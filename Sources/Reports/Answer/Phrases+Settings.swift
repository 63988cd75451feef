package import Judging
import Measurement
import Support

// Several settings, such as the scenarios of a report. Their sentences are made of the settings'
// conclusions, so that a title says no more than its sections.

extension Phrases {
  /// One line without a full stop.
  package static func short(_ conclusions: [Conclusion]) -> String {
    if conclusions.count == 1 { return short(conclusions[0]) }
    return [freezes(conclusions), best(conclusions), discarded(conclusions)].compactMap { $0 }
      .joined(separator: "; ").capitalised
  }

  /// `while the list opens, `, if all settings ask about the opening. Empty if no setting needs it.
  static func lead(_ conclusions: [Conclusion]) -> String {
    if Set(conclusions.map(\.question.phase)).count == 1 {
      return conclusions.compactMap(\.lead).first.map { "\($0), " } ?? ""
    }
    return conclusions.allSatisfy(\.otherPhases.isEmpty) ? "" : "in the phases asked about, "
  }

  private static func discarded(_ conclusions: [Conclusion]) -> String? {
    let count = conclusions.count { $0.order.standing == .discarded }
    guard count > 0 else { return nil }
    return "\(count) of \(Figures.counted(conclusions.count, "setting"))"
      + " \(count == 1 ? "is" : "are") to be discarded"
  }

  /// In how many settings the screen freezes, by the worst limit that one reaches.
  static func freezes(_ conclusions: [Conclusion]) -> String? {
    let kept = conclusions.filter { $0.order.standing != .discarded }
    let known = kept.filter { !$0.freezes.isEmpty }
    guard !known.isEmpty else { return nil }
    func clause(_ lead: String, _ limit: FreezeLimit?, _ of: KeyPath<Freeze, FreezeLimit?>)
      -> String?
    {
      guard let limit else { return nil }
      let frozen = known.map { $0.freezes.filter { $0[keyPath: of] == limit }.map(\.topology) }
        .filter { !$0.isEmpty }
      let all = Set(known.flatMap(\.topologies)).count
      let settings = "in \(frozen.count) of \(Figures.counted(kept.count, "setting"))"
      let isSame = frozen.allSatisfy { Set($0) == Set(frozen[0]) }
      return "\(lead)\(limit.clause) "
        + (isSame
          ? "with \(names(frozen[0], of: all)) \(settings)"
          : "\(settings), with \(counted(frozen.map(\.count), of: all))")
    }
    let isSeen = known.allSatisfy(\.hidden.isEmpty)
    let place =
      known.count < conclusions.count
      ? " in \(known.count) of \(Figures.counted(conclusions.count, "setting"))" : ""
    return lead(conclusions)
      + (clause("", known.compactMap(\.usualFreeze).max(), \.usual)
        ?? clause("in some trials ", known.compactMap(\.worstFreeze).max(), \.worst)
        ?? "no topology \(isSeen ? "freezes" : "is seen to freeze") the screen\(place)")
  }

  /// `1 to 10 of 12 topologies`, or `2 of 12 topologies each` if the counts are equal.
  private static func counted(_ counts: [Int], of all: Int) -> String {
    let (least, most) = (counts.min() ?? 0, counts.max() ?? 0)
    return least == most
      ? "\(most) of \(all) topologies each" : "\(least) to \(most) of \(all) topologies"
  }

  /// The topologies that are most often among the best: of several, those that freeze in the fewest
  /// settings.
  private static func best(_ conclusions: [Conclusion]) -> String {
    let best = conclusions.filter { $0.order.standing == .separated }
      .flatMap { $0.order.best.map(\.topology) }
    let counts = Dictionary(best.map { ($0, 1) }, uniquingKeysWith: +)
    guard let most = counts.values.max() else {
      if conclusions.contains(where: { $0.order.standing == .frozen }) {
        return "\(noneBest) in \(conclusions.count) settings"
      }
      return conclusions.contains { $0.order.standing == .tied }
        ? "\(noneSeparated) in \(conclusions.count) settings"
        : "nothing is ranked in \(conclusions.count) settings"
    }
    let often = counts.filter { $0.value == most }.map(\.key).sorted()
    let known = conclusions.filter { $0.order.standing != .discarded }.flatMap(\.freezes)
    let steadiest = fewest(
      fewest(often, known.filter { $0.usual != nil }), known.filter { $0.worst != nil })
    let names =
      steadiest.count < 3
      ? steadiest.map(brief) : [brief(steadiest[0]), "\(steadiest.count - 1) more"]
    let settings = "\(most) of \(Figures.counted(conclusions.count, "setting"))"
    return "\(names.listed) \(names.count == 1 ? "is" : "are") among the best in \(settings)"
      + (names.count == 1 ? "" : " each")
  }

  /// The topologies with the fewest of these freezes.
  private static func fewest(_ topologies: [String], _ freezes: [Freeze]) -> [String] {
    let counts = Dictionary(freezes.map { ($0.topology, 1) }, uniquingKeysWith: +)
    let least = topologies.map { counts[$0] ?? 0 }.min()
    return topologies.filter { counts[$0] ?? 0 == least }
  }
}
