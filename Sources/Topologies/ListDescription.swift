public import ObjectGraph

/// A list on main: all rows of one entity, in order.
public struct ListDescription: Sendable {
  public let entity: Entity
  /// Total: the last descriptor is the key.
  public let sortTerms: [ObjectGraph.SortTerm]
  /// Called on the main queue after each change of the list.
  public let didChange: @Sendable (ListEvent) -> Void

  public init(
    _ entity: Entity, sortedBy sortTerms: [ObjectGraph.SortTerm],
    didChange: @escaping @Sendable (ListEvent) -> Void
  ) {
    self.entity = entity
    self.sortTerms = sortTerms
    self.didChange = didChange
  }
}

struct NoList: ListOnMain {
  var count: Int { 0 }
  func row(at index: Int) -> ContiguousArray<Value> { fatalError("there is no list") }
}
