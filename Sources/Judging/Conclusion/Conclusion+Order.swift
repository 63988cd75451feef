import Measurement

extension Conclusion.Order {
  package var isRanked: Bool { standing.isRanked }

  init(
    _ ranking: Ranking, _ freezes: [Freeze], trialsNeeded: Int, hasCells: Bool,
    discardedBecause: [String]
  ) {
    let candidates = Candidates(ranking, freezes)
    trials = ranking.pairs.map(\.rounds).max() ?? 0
    let standing: Standing =
      switch ranking.places.count {
      case _ where !hasCells: .nothing
      case _ where !discardedBecause.isEmpty: .discarded
      case 0: .unmeasured
      case 1: .alone
      case _ where trials < trialsNeeded: .tooFewTrials
      case _ where candidates.all.isEmpty: .frozen
      default: candidates.isTied ? .tied : .separated
      }
    self.standing = standing
    let isRanked = standing.isRanked
    best = isRanked ? candidates.best.map(Entry.init) : []
    excluded = isRanked ? candidates.excluded.map(Entry.init) : []
    unranked =
      isRanked ? ranking.places.filter { !ranking.isRanked($0.name) }.map(Entry.init) : []
    steady = isRanked && !candidates.excluded.isEmpty ? candidates.all.map(\.name) : []
    isAlwaysSteady = freezes.allSatisfy { $0.usual != nil || $0.worst == nil }
    separatesAny = isRanked && candidates.areSeparated
    all = ranking.places.map(Entry.init)
    self.trialsNeeded = trialsNeeded
    self.discardedBecause = discardedBecause
  }
}

extension Conclusion.Order.Standing {
  fileprivate var isRanked: Bool { self == .separated || self == .tied || self == .frozen }
}

extension Conclusion.Order.Entry {
  fileprivate init(_ place: Ranking.Place) {
    self.init(topology: place.name, blocked: place.median)
  }
}

/// The ranked topologies that may be called best: those that stay within a frame. All, if not even
/// an unranked one does.
private struct Candidates {
  let all: [Ranking.Place]
  /// Ranked topologies that usually freeze although another one stays within a frame.
  let excluded: [Ranking.Place]
  /// The least blocked, and those that the trials do not separate from it.
  let best: [Ranking.Place]
  /// Whether the trials separate two of them.
  let areSeparated: Bool

  init(_ ranking: Ranking, _ freezes: [Freeze]) {
    // Too few trials of a topology separate it from nobody.
    let ranked = ranking.places.filter { ranking.isRanked($0.name) }
    func places(_ isIncluded: (Freeze) -> Bool) -> [Ranking.Place] {
      let names = Set(freezes.filter(isIncluded).map(\.topology))
      return ranked.filter { names.contains($0.name) }
    }
    let (frozen, within) = (places { $0.usual != nil }, places { $0.usual == nil })
    let isRestricted = !frozen.isEmpty && freezes.contains { $0.usual == nil }
    let all = isRestricted ? within : ranked
    let names = Set(all.map(\.name))
    self.all = all
    excluded = isRestricted ? frozen : []
    best =
      all.first.map { first in
        all.filter { !ranking.separates(first.name, $0.name) }
      } ?? []
    areSeparated = ranking.pairs.contains {
      $0.isSeparated && names.contains($0.better) && names.contains($0.worse)
    }
  }

  var isTied: Bool { all.count > 1 && best.count == all.count }
}
