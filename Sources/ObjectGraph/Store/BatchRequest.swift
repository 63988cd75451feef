// A batch request bypasses contexts and the row cache:
//
//   context    creates, changes, deletes, announces and validates nothing
//   row cache  is not updated: objects show old values until a refresh that reads SQLite
//   SQLite     one transaction; updated rows get a new version, so a context that loaded such a row
//              before gets a conflict when it saves

/// Changes many rows in the store: Core Data's batch insert, update and delete requests.
///
/// Example: `Snippets/batch-insert.swift`.
public struct BatchRequest: Sendable {
  public enum Operation: Sendable {
    /// Rows in the order of the columns. An existing row takes only the `given` columns.
    case insert(rows: [ContiguousArray<Value>], given: AttributeMask)
    /// New column values for all rows that the request finds.
    case update(FetchRequest, values: [(column: Int, value: Value)])
    /// All rows that the request finds, with its order and limit.
    case delete(FetchRequest)
    /// The listed rows, if they exist. Objects never saved have none.
    case deleteObjects([ManagedObjectID])
  }

  /// How to treat a new row whose unique values another row has.
  public enum UniquenessRule: Sendable {
    /// The whole request fails.
    case fail
    /// The new row is skipped.
    case skip
    /// The existing row takes the given columns, and keeps its others and its relationships. Core
    /// Data's SQL does so too: fatbobman.com/en/posts/batchprocessingincoredata
    case update
  }

  public let entity: Entity
  public private(set) var operation: Operation
  /// Whether the result lists the rows. Otherwise it only counts them.
  public var returnsObjectIDs = false
  public var uniquenessRule = UniquenessRule.fail
  /// For the store's history.
  public var author: String?
  public var contextName: String?

  /// Inserts rows, in the order of the entity's columns. To-one columns must be null.
  ///
  /// - Parameter given: the columns that an existing row takes; nil for all stored attributes.
  /// - Precondition: the entity is not abstract, and each row has a value for each column.
  public static func insert(
    _ entity: Entity, rows: [ContiguousArray<Value>], giving given: AttributeMask? = nil
  ) -> BatchRequest {
    require(!entity.isAbstract, "'\(entity.name)' is abstract; insert one of its subentities")
    for row in rows {
      require(
        row.count == entity.columns.count
          && zip(entity.columns, row).allSatisfy { $0.accepts($1) && $1.objectID == nil },
        "a batch row of '\(entity.name)' must have a value of the right type for each column, and no"
          + " relationships")
    }
    let attributes = entity.columns.indices.filter {
      entity.columns[$0].attribute?.isTransient == false
    }
    return BatchRequest(
      entity: entity, operation: .insert(rows: rows, given: given ?? AttributeMask(attributes)))
  }

  /// Inserts a row for each set of attributes, with defaults for the others.
  ///
  /// - Precondition: all sets have the same keys, which are attributes of the entity.
  public static func insert(_ entity: Entity, objects: [[String: Value]]) -> BatchRequest {
    let names = objects.first.map { Set($0.keys) } ?? []
    let given = AttributeMask(names.map { column($0, of: entity) })
    let rows = objects.map { object in
      require(Set(object.keys) == names, "objects of a batch insert must name the same attributes")
      return ContiguousArray(zip(entity.columns, entity.defaults).map { object[$0.name] ?? $1 })
    }
    return insert(entity, rows: rows, giving: given)
  }

  /// Sets columns of all matching rows to constants. (Core Data also accepts expressions.)
  ///
  /// - Precondition: the columns are the entity's, not transient, and accept the values. An object
  ///   among the values is saved, and is of the relationship's destination entity.
  public static func update(
    _ entity: Entity, where predicate: FetchPredicate? = nil, includesSubentities: Bool = true,
    set values: [String: Value]
  ) -> BatchRequest {
    require(!values.isEmpty, "a batch update of '\(entity.name)' sets nothing; name a column")
    var request = FetchRequest(entity, where: predicate)
    request.includesSubentities = includesSubentities
    let columns = values.map { name, value in
      let column = column(name, of: entity)
      require(
        entity.columns[column].accepts(value) && !entity.columns[column].isTransient,
        "a batch update cannot set '\(entity.name).\(name)' to \(value)")
      return (column, value)
    }
    return BatchRequest(
      entity: entity, operation: .update(request, values: columns.sorted { $0.0 < $1.0 }))
  }

  public static func delete(_ request: FetchRequest) -> BatchRequest {
    BatchRequest(entity: request.entity, operation: .delete(request))
  }

  /// Deletes the rows of these objects.
  ///
  /// - Precondition: the objects are of the entity or its subentities.
  public static func delete(_ entity: Entity, objects: [ManagedObjectID]) -> BatchRequest {
    BatchRequest(entity: entity, operation: .deleteObjects(objects))
  }

  private static func column(_ name: String, of entity: Entity) -> Int {
    guard let column = entity.index(of: name) else {
      let known = entity.columns.map(\.name).joined(separator: ", ")
      fatalError("'\(entity.name)' has no column '\(name)'. Known: \(known)")
    }
    return column
  }

  /// Stops the program if the request names an object of the wrong entity, because rows of two
  /// entities may have the same key. Objects of another store match no row.
  package func checkEntities(in model: Model, store: Int32) {
    for (id, wanted) in namedObjects(in: model) where id.isOf(store: store) {
      let actual = model.entities[Int(id.entityIndex)]
      require(
        actual.isKind(of: wanted),
        "a batch request of '\(entity.name)' names an object of '\(actual.name)' where it takes one"
          + " of '\(wanted.name)'; name an object of that entity")
    }
  }

  /// The objects to delete or to relate rows to, with the entities that are allowed there.
  private func namedObjects(in model: Model) -> [(ManagedObjectID, Entity)] {
    switch operation {
    case .insert, .delete: return []
    case .deleteObjects(let ids): return ids.map { ($0, entity) }
    case .update(_, let values):
      let toOne = model.resolved(entity).toOne
      return values.compactMap { column, value in
        guard let id = value.objectID, let relationship = toOne[column] else { return nil }
        return (id, model.entities[relationship.destination])
      }
    }
  }

  func naming(_ permanentIDs: [ManagedObjectID: ManagedObjectID]) -> BatchRequest {
    guard !permanentIDs.isEmpty else { return self }
    var request = self
    switch operation {
    case .insert: break
    case .update(let fetch, let values):
      let named = PredicateRewriting.naming(permanentIDs).value
      request.operation = .update(
        fetch.naming(permanentIDs),
        values: values.map { (column: $0.column, value: named($0.value)) })
    case .delete(let fetch): request.operation = .delete(fetch.naming(permanentIDs))
    case .deleteObjects(let ids):
      request.operation = .deleteObjects(ids.map { permanentIDs[$0] ?? $0 })
    }
    return request
  }
}

/// The result of a batch request.
public struct BatchResult: Sendable, Equatable {
  /// Rows inserted, updated or deleted. Rows that only lost a relation do not count.
  public let count: Int
  /// In order of keys, if the request asked for them.
  public let objectIDs: [ManagedObjectID]?

  package init(count: Int, objectIDs: [ManagedObjectID]?) {
    self.count = count
    self.objectIDs = objectIDs
  }
}
