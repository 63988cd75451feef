/// Work that a scenario may need and that some topologies cannot do.
public enum WorkKind: String, Sendable, CaseIterable {
  /// Rows of several entities that refer to one another.
  case relatedRows = "related rows"
  /// Whole rows that arrive, to be updated or inserted.
  case arrivals
  /// Whole rows, inserted without a lookup. A uniqueness constraint finds duplicates.
  case constraint = "arrivals by a uniqueness constraint"
  /// Nested records as JSON.
  case records
  /// Deleting the rows that a predicate matches.
  case deleteWhere
  /// A store with a history, which every stack continues.
  case history
}

extension WorkKind {
  /// The refusal of topologies without contexts.
  static let noHistory: [WorkKind: String] = [.history: "its commits would be missing there"]
}

extension TopologyDescriptor {
  /// A copy that refuses these kinds of work, for these reasons.
  public func refusing(_ reasons: [WorkKind: String]) -> TopologyDescriptor {
    var descriptor = self
    descriptor.refusals.merge(reasons) { $1 }
    return descriptor
  }

  package var refusalSentences: [String] {
    WorkKind.allCases.compactMap { kind in
      refusals[kind].map { "No \(kind.rawValue): \($0)." }
    }
  }

  /// The first refused kind of work, with the reason; nil if none is refused.
  public func refusal(of kinds: Set<WorkKind>) -> String? {
    WorkKind.allCases.first { kinds.contains($0) && refusals[$0] != nil }
      .flatMap { kind in refusals[kind].map { "\(kind.rawValue): \($0)" } }
  }
}
