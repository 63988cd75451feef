/// What to fetch, in which order, and how many.
public struct FetchRequest: Sendable {
  public var entity: Entity
  public var predicate: FetchPredicate?
  /// Applied in order; ties fall to the object ID. Empty: no order is promised.
  public var sortDescriptors: [SortDescriptor]
  /// The most objects to return; nil for all.
  public var limit: Int?
  /// Whether unregistered objects come back as faults, their rows left in the coordinator's row
  /// cache (the default, as in Core Data), or realised.
  public var returnsObjectsAsFaults = true
  /// Whether objects of the entity's subentities count too.
  public var includesSubentities = true

  public init(
    _ entity: Entity, where predicate: FetchPredicate? = nil,
    sortedBy sortDescriptors: [SortDescriptor] = [], limit: Int? = nil
  ) {
    self.entity = entity
    self.predicate = predicate
    self.sortDescriptors = sortDescriptors
    self.limit = limit
  }

  /// Whether objects of an entity can match.
  func covers(_ other: Entity) -> Bool {
    includesSubentities ? other.isKind(of: entity) : other === entity
  }
}

/// One criterion of an order: an attribute, by its index, and a direction. Values are ordered as
/// `Value.order(relativeTo:)` says.
public struct SortDescriptor: Hashable, Sendable {
  public var attribute: Int
  public var isAscending: Bool

  public init(_ attribute: Int, isAscending: Bool = true) {
    self.attribute = attribute
    self.isAscending = isAscending
  }
}

extension [SortDescriptor] {
  /// Negative if `a` comes before `b`, 0 if these descriptors do not tell them apart.
  public func order(_ a: ContiguousArray<Value>, _ b: ContiguousArray<Value>) -> Int {
    for descriptor in self {
      let order = a[descriptor.attribute].order(relativeTo: b[descriptor.attribute])
      if order != 0 { return descriptor.isAscending ? order : -order }
    }
    return 0
  }
}
