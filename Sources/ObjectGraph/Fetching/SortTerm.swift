/// One criterion of an order: an attribute, by its index, and a direction. Values are ordered as
/// `Value.order(relativeTo:)` says: null first, text by its bytes.
public struct SortTerm: Hashable, Sendable {
  /// A column of the object, or of the one at the end of a key path.
  public var attribute: Int
  public var isAscending: Bool
  /// How text is ordered.
  public var options: TextOptions = []
  /// The to-one relationships that a key path leads over, by their columns.
  package var steps: [Int] = []

  public init(_ attribute: Int, isAscending: Bool = true) {
    self.attribute = attribute
    self.isAscending = isAscending
  }

  /// - Precondition: the path leads over to-one relationships to a column.
  package init(_ path: PredicatePath, isAscending: Bool, options: TextOptions) {
    guard let column = path.column, path.level == 0 else {
      preconditionFailure("an order is by an attribute")
    }
    self.init(column, isAscending: isAscending)
    self.options = options
    self.steps = path.steps.map { step in
      guard case .toOne(let column) = step else {
        preconditionFailure("an order cannot lead over a to-many relationship")
      }
      return column
    }
  }

  package var path: PredicatePath {
    PredicatePath(steps.map { .toOne(column: $0) }, column: attribute)
  }
}

extension AttributeOperand {
  public var ascending: SortTerm { sorted(ascending: true) }
  public var descending: SortTerm { sorted(ascending: false) }

  private func sorted(ascending: Bool) -> SortTerm {
    SortTerm(path, isAscending: ascending, options: [])
  }
}

extension AttributeOperand where V: TextValue {
  /// In the order of the text without what the options ignore.
  public func ascending(_ options: TextOptions) -> SortTerm {
    SortTerm(path, isAscending: true, options: options)
  }

  public func descending(_ options: TextOptions) -> SortTerm {
    SortTerm(path, isAscending: false, options: options)
  }
}

extension [SortTerm] {
  /// Negative if `a` comes before `b`, 0 if these descriptors do not tell them apart.
  ///
  /// - Precondition: no descriptor leads over a relationship; else use `key(of:)`.
  public func order(_ a: ContiguousArray<Value>, _ b: ContiguousArray<Value>) -> Int {
    for descriptor in self {
      precondition(descriptor.steps.isEmpty, "a row does not hold what it is related to")
      let order = descriptor.order(a[descriptor.attribute], b[descriptor.attribute])
      if order != 0 { return order }
    }
    return 0
  }

  /// Whether a row holds all that the order depends on.
  var isOfRow: Bool { allSatisfy(\.steps.isEmpty) }

  /// What the order of an object depends on, a value for each descriptor. Fires faults.
  func key(of object: ManagedObject) -> ContiguousArray<Value> {
    ContiguousArray(map { $0.path.value(of: object).folded($0.options) })
  }

  /// As `order(_:_:)`, for keys.
  func order(ofKeys a: ContiguousArray<Value>, _ b: ContiguousArray<Value>) -> Int {
    for (index, descriptor) in enumerated() {
      let order = a[index].order(relativeTo: b[index])
      if order != 0 { return descriptor.isAscending ? order : -order }
    }
    return 0
  }

  /// The objects in this order, ties by ID. Fires faults.
  func sorted(_ objects: [ManagedObject]) -> [ManagedObject] {
    guard isOfRow else {
      return objects.map { (object: $0, key: key(of: $0)) }
        .sorted { a, b in
          let order = order(ofKeys: a.key, b.key)
          return order == 0 ? a.object.objectID.rank < b.object.objectID.rank : order < 0
        }
        .map(\.object)
    }
    for object in objects { object.fireFault() }
    return objects.sorted { a, b in
      let order = order(a.values, b.values)
      return order == 0 ? a.objectID.rank < b.objectID.rank : order < 0
    }
  }
}

extension SortTerm {
  fileprivate func order(_ a: Value, _ b: Value) -> Int {
    let order =
      options.isEmpty
      ? a.order(relativeTo: b) : a.folded(options).order(relativeTo: b.folded(options))
    return isAscending ? order : -order
  }
}
