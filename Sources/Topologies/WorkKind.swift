/// A kind of work that a scenario may need and that some topologies cannot do.
public enum WorkKind: String, Sendable, CaseIterable {
  /// Rows of several entities that refer to one another.
  case relatedRows = "related rows"
  /// Whole rows that arrive, to be updated or inserted.
  case arrivals
  /// Whole rows that arrive and are inserted without a lookup. A uniqueness constraint finds
  /// duplicates.
  case constraint = "arrivals by a uniqueness constraint"
  /// Nested records as JSON.
  case records
  /// Deleting the rows that a predicate matches.
  case deleteWhere
  /// A store that has a history, which every stack continues.
  case history
}

extension WorkKind {
  /// Why a stack without contexts refuses a store with history.
  static let noHistory: [WorkKind: String] = [.history: "its commits would be missing there"]
}

extension TopologyDescriptor {
  /// The same topology, with reasons why it cannot do these kinds of work.
  public func refusing(_ reasons: [WorkKind: String]) -> TopologyDescriptor {
    var descriptor = self
    descriptor.refusals.merge(reasons) { $1 }
    return descriptor
  }

  /// One sentence for each kind of work that it cannot do, with the reason.
  package var refusalSentences: [String] {
    WorkKind.allCases.compactMap { kind in
      refusals[kind].map { "No \(kind.rawValue): \($0)." }
    }
  }

  /// Why it cannot do one of these kinds of work; nil if it can do all.
  public func refusal(of kinds: Set<WorkKind>) -> String? {
    WorkKind.allCases.first { kinds.contains($0) && refusals[$0] != nil }
      .flatMap { kind in refusals[kind].map { "\(kind.rawValue): \($0)" } }
  }
}
