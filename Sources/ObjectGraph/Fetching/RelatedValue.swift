/// A value that a list's cell shows besides its object's own, as in Key-Value Coding:
/// `country.name`, `orders.@count`, or `orders.sorted(by:).last?.total`.
public struct RelatedValue: Hashable, Sendable {
  package enum Source: Hashable, Sendable {
    /// Over to-one relationships; null if one is empty.
    case column(PredicatePath)
    /// The number of objects at the end of a to-many path.
    case count(PredicatePath)
    /// A column of the last of these objects; null if there is none.
    case last(PredicatePath, by: [SortTerm], column: Int)
  }

  package let source: Source

  package init(_ source: Source) { self.source = source }

  /// Reads the value as a cell does: a relationship fires its fault, and so does each object whose
  /// columns it reads. Call it on the queue of the object's context.
  public func value(of object: ManagedObject) -> Value {
    switch source {
    case .column(let path): path.value(of: object)
    case .count(let path): .int64(Int64(path.objects(of: object).count))
    case .last(let path, let terms, let column):
      terms.last(of: path.objects(of: object)).map { $0[column] } ?? .null
    }
  }
}

extension [SortTerm] {
  fileprivate func last(of objects: [ManagedObject]) -> ManagedObject? {
    objects.map { (object: $0, key: key(of: $0)) }
      .max { order(ofKeys: $0.key, $1.key) < 0 }?.object
  }
}
