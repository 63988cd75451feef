// What a batch request passes by, and where that shows:
//
//   context    no object is made, changed or deleted, nothing is announced, nothing validated
//   row cache  keeps what it has: objects show old values until a refresh that goes to SQLite
//   SQLite     one transaction; rows that are updated get a new version, so that a context which
//              loaded one before and saves it now conflicts with it

/// A change of many rows by the store alone, as Core Data's batch insert, update and delete requests.
public struct BatchRequest: Sendable {
  public enum Operation: Sendable {
    /// Rows in the order of the columns. What is not in `given` was not asked for, and is left as it
    /// is where the row takes the place of another.
    case insert(rows: [ContiguousArray<Value>], given: AttributeMask)
    /// New values of columns of all rows that the request finds.
    case update(FetchRequest, values: [(column: Int, value: Value)])
    /// All rows that the request finds, its order and limit counting.
    case delete(FetchRequest)
    /// These rows, where they exist; all of one hierarchy of entities.
    case deleteObjects([ManagedObjectID])
  }

  /// What becomes of a new row whose unique values another row has.
  public enum UniquenessRule: Sendable {
    /// The whole request fails.
    case fail
    /// The new row is left out.
    case skip
    /// The other row takes the new one's values.
    case update
  }

  public let entity: Entity
  public let operation: Operation
  /// Whether the result names the rows, rather than count them only.
  public var returnsObjectIDs = false
  public var uniquenessRule = UniquenessRule.fail
  /// Who asks, for the store's history.
  public var author: String?
  public var contextName: String?

  private init(_ entity: Entity, _ operation: Operation) {
    self.entity = entity
    self.operation = operation
  }

  /// Inserts rows, which are in the order of the entity's columns. Rows cannot be related so: each
  /// to-one column must be null.
  ///
  /// - Parameter given: what of them a row takes over whose place they take; everything, if nil.
  /// - Precondition: the entity is not abstract; each row is as long as the entity has columns.
  public static func insert(
    _ entity: Entity, rows: [ContiguousArray<Value>], giving given: AttributeMask? = nil
  ) -> BatchRequest {
    precondition(!entity.isAbstract, "'\(entity.name)' is abstract; insert one of its subentities")
    for row in rows {
      precondition(
        row.count == entity.columns.count
          && zip(entity.columns, row).allSatisfy { $0.accepts($1) && $1.objectID == nil },
        "a batch row of '\(entity.name)' must have a value of the right type for each column, and no"
          + " relationships")
    }
    return BatchRequest(
      entity, .insert(rows: rows, given: given ?? .all(entity.columns.count)))
  }

  /// Inserts a row for each of these sets of attributes; the others take their defaults.
  ///
  /// - Precondition: all sets name the same attributes, which are the entity's.
  public static func insert(
    _ entity: Entity, objects: [[String: Value]]
  ) -> BatchRequest {
    var given: AttributeMask = []
    let names = objects.first.map { Set($0.keys) } ?? []
    for name in names { given.insert(AttributeMask(index: column(name, of: entity))) }
    let rows = objects.map { object in
      precondition(
        Set(object.keys) == names, "the objects of one batch insert name the same attributes")
      return ContiguousArray(
        zip(entity.columns, entity.defaults).map { object[$0.name] ?? $1 })
    }
    return insert(entity, rows: rows, giving: given)
  }

  /// Sets columns of all rows that match to constants. (Core Data takes expressions of the row too;
  /// where the new value depends on the old, fetch the objects and save them, or send one request for
  /// each value.)
  ///
  /// - Precondition: the columns are the entity's, not transient, and can hold the values.
  public static func update(
    _ entity: Entity, where predicate: FetchPredicate? = nil, includesSubentities: Bool = true,
    set values: [String: Value]
  ) -> BatchRequest {
    precondition(!values.isEmpty, "a batch update of '\(entity.name)' sets nothing")
    var request = FetchRequest(entity, where: predicate)
    request.includesSubentities = includesSubentities
    let columns = values.map { name, value in
      let column = column(name, of: entity)
      precondition(
        entity.columns[column].accepts(value) && !entity.columns[column].isTransient,
        "a batch update cannot set '\(entity.name).\(name)' to \(value)")
      return (column, value)
    }
    return BatchRequest(entity, .update(request, values: columns.sorted { $0.0 < $1.0 }))
  }

  /// Deletes all rows that a fetch would find.
  public static func delete(_ request: FetchRequest) -> BatchRequest {
    BatchRequest(request.entity, .delete(request))
  }

  /// Deletes these rows of the entity or its subentities.
  ///
  /// - Precondition: the IDs are permanent.
  public static func delete(_ entity: Entity, objects: [ManagedObjectID]) -> BatchRequest {
    precondition(
      !objects.contains(where: \.isTemporary), "a batch delete takes saved objects only")
    return BatchRequest(entity, .deleteObjects(objects))
  }

  private static func column(_ name: String, of entity: Entity) -> Int {
    guard let column = entity.index(of: name) else {
      let known = entity.columns.map(\.name).joined(separator: ", ")
      preconditionFailure("'\(entity.name)' has no column '\(name)'. Known: \(known)")
    }
    return column
  }
}

/// What a batch request did.
public struct BatchResult: Sendable, Equatable {
  /// How many rows were inserted, updated or deleted; not those that were only unrelated.
  public let count: Int
  /// The rows, by key, if the request asked for them.
  public let objectIDs: [ManagedObjectID]?

  package init(count: Int, objectIDs: [ManagedObjectID]?) {
    self.count = count
    self.objectIDs = objectIDs
  }
}
