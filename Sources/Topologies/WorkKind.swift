/// A kind of work that a scenario may ask for and that not every topology can do.
public enum WorkKind: String, Sendable, CaseIterable {
  /// Rows of several entities that refer to one another.
  case relatedRows = "related rows"
  /// Whole rows as they arrive, to be found and updated, or inserted.
  case arrivals
  /// The same without finding: a uniqueness constraint tells what is there already.
  case constraint = "arrivals by a uniqueness constraint"
  /// Nested records as JSON.
  case records
  /// Deleting what a predicate matches.
  case deleteWhere
}

extension TopologyDescriptor {
  /// The same topology, which says of these kinds of work why it cannot do them.
  public func refusing(_ reasons: [WorkKind: String]) -> TopologyDescriptor {
    var descriptor = self
    descriptor.refusals.merge(reasons) { $1 }
    return descriptor
  }

  /// What it cannot do, and why: a sentence for each kind of work.
  package var refusalSentences: [String] {
    WorkKind.allCases.compactMap { kind in
      refusals[kind].map { "No \(kind.rawValue): \($0)." }
    }
  }

  /// Why it cannot do work of these kinds; nil if it can.
  public func refusal(of kinds: Set<WorkKind>) -> String? {
    WorkKind.allCases.first { kinds.contains($0) && refusals[$0] != nil }
      .flatMap { kind in refusals[kind].map { "\(kind.rawValue): \($0)" } }
  }
}
