public import ObjectGraph

/// The rows that a list on main fetches, and how.
///
/// `request` is the only translation: contexts fetch it, and peers make SQL from it (`Query`). A
/// topology names the parts that it cannot do among its refusals.
public struct ListQuery: Sendable {
  public var entity: Entity
  /// A total order: the last term is the key.
  public var sortTerms: [ObjectGraph.SortTerm]
  /// Nil for all rows. It follows no relationship.
  public var predicate: FetchPredicate?
  /// The most rows that a fetch reads; nil for all. A fetched results controller later adds every
  /// matching row that it learns of.
  public var limit: Int?
  /// The rows that a fetch reads at a time; 0 for all.
  public var batchSize = 0
  /// Relationships whose objects a fetch reads too.
  public var prefetching: [PredicatePath] = []
  /// The values that a cell reads besides its row.
  public var related: [RelatedValue] = []
  /// Divides the list into sections. Their column is the first sort term; computed sections are in
  /// its order.
  public var sections: SectionKey?

  public init(_ entity: Entity, sortedBy sortTerms: [ObjectGraph.SortTerm]) {
    self.entity = entity
    self.sortTerms = sortTerms
  }

  public var request: FetchRequest {
    var request = FetchRequest(entity, where: predicate, sortedBy: sortTerms, limit: limit)
    request.batchSize = batchSize
    request.relationshipKeyPathsForPrefetching = prefetching
    return request
  }
}

/// A list on main.
public struct ListDescription: Sendable {
  public let query: ListQuery
  /// Called on the main queue after each change of the list.
  public let didChange: @Sendable (ListEvent) -> Void

  public init(
    _ query: ListQuery, didChange: @escaping @Sendable (ListEvent) -> Void = { _ in }
  ) {
    self.query = query
    self.didChange = didChange
  }
}

extension ListSection {
  /// The sections of a list, from each row's key.
  static func all(_ keys: some Sequence<Value>, by section: SectionKey?) -> [ListSection] {
    guard let section else { return [] }
    var (sections, first, end): ([ListSection], Int, Int) = ([], 0, 0)
    var last: Value?
    func close() {
      guard let last else { return }
      sections.append(ListSection(key: last, name: section.name(last), range: first..<end))
    }
    for key in keys {
      if key != last {
        close()
        (last, first) = (key, end)
      }
      end += 1
    }
    close()
    return sections
  }
}
