public import ObjectGraph

/// Turns changes into inserts, lookups, updates and deletes in a context. Written once, for every
/// topology of contexts.
public struct ChangeApplier: Sendable {
  let entities: [RowEntity]
  let lookup: Lookup
  /// Nil where whoever applies the changes has decoded them.
  let decoder: RecordDecoder?

  init(entities: [RowEntity], lookup: Lookup, decoder: RecordDecoder? = nil) {
    self.entities = entities
    self.lookup = lookup
    self.decoder = decoder
  }

  /// Applies the changes in their order, without saving. On the context's queue.
  ///
  /// - Throws: `ChangeError.missing` if there is no row to update, delete or refer to; what a fetch
  ///   or `RecordDecoder` throws.
  public func apply(_ batch: [Change], in context: ManagedObjectContext) throws {
    var application = ChangeApplication(entities, lookup, in: context)
    try application.apply(try decoder?.decoded(batch) ?? batch)
  }

  /// The same, with objects at hand that need not be fetched: by entity and business key.
  func apply(
    _ batch: [Change], in context: ManagedObjectContext, knowing objects: [[Value: ManagedObject]]
  ) throws {
    var application = ChangeApplication(entities, lookup, in: context, knowing: objects)
    try application.apply(batch)
  }
}

/// One batch on its way into a context. On the context's queue.
private struct ChangeApplication {
  private let context: ManagedObjectContext
  private let entities: [RowEntity]
  private let lookup: Lookup
  /// By entity: whether its new objects may be named in the same batch.
  private let isKept: [Bool]
  /// By entity: what was at hand, what one fetch for the batch found, and what the batch inserted.
  private var objects: [[Value: ManagedObject]]
  /// Whether what the batch inserts may arrive in it once more.
  private var isNamedAgain = false

  init(
    _ entities: [RowEntity], _ lookup: Lookup, in context: ManagedObjectContext,
    knowing objects: [[Value: ManagedObject]]? = nil
  ) {
    self.context = context
    self.entities = entities
    self.lookup = lookup
    isKept = entities.mayBeNamedAgain
    self.objects = objects ?? Array(repeating: [:], count: entities.count)
  }

  mutating func apply(_ batch: [Change]) throws {
    isNamedAgain = batch.contains(where: \.isUpsert)
    if lookup != .perObject {
      let keys = ChangedKeys(of: batch, entities, findsArrivals: lookup != .constraint)
      for (entity, keys) in keys.byEntity.enumerated() {
        try fetch(keys, of: entity)
      }
    }
    for change in batch { try apply(change, of: 0) }
  }

  private mutating func apply(_ change: Change, of entity: Int) throws {
    switch change {
    case .insert(let values): try insert(values, of: entity)
    case .update(let key, let fields):
      let object = try find(key, of: entity)
      for field in fields { try set(field.index, of: object, entity, to: field.value) }
    case .delete(let key): context.delete(try find(key, of: entity))
    case .upsert(let values): try upsert(values, of: entity)
    case .deleteWhere(let predicate):
      for object in try context.fetch(FetchRequest(entities[entity].entity, where: predicate)) {
        context.delete(object)
      }
    case .records: preconditionFailure("records are decoded before they are applied")
    case .of(let other, let change): try apply(change, of: other)
    }
  }

  /// Sets what differs, as an importer does that does not want to write what is there already.
  private mutating func upsert(_ values: ContiguousArray<Value>, of entity: Int) throws {
    let rows = entities[entity]
    guard let object = try known(values[rows.keyIndex], of: entity) else {
      try insert(values, of: entity)
      return
    }
    for column in values.indices where rows.entity.columns[column].attribute != nil {
      if object[column] != values[column] { object[column] = values[column] }
    }
    for reference in rows.references {
      let key = values[reference.column]
      let target =
        key.isNull
        ? Value.null : .object(try find(key, of: reference.destination).objectID)
      if object[reference.column] != target { object[reference.column] = target }
    }
  }

  private mutating func insert(_ values: ContiguousArray<Value>, of entity: Int) throws {
    let rows = entities[entity]
    var own = values
    for reference in rows.references { own[reference.column] = .null }
    let object = context.insert(rows.entity, values: own)
    for reference in rows.references where !values[reference.column].isNull {
      try set(reference.column, of: object, entity, to: values[reference.column])
    }
    if lookup != .perObject, isNamedAgain || isKept[entity] {
      objects[entity][values[rows.keyIndex]] = object
    }
  }

  /// - Parameter value: in a column of a reference, a business key.
  private func set(
    _ column: Int, of object: ManagedObject, _ entity: Int, to value: Value
  ) throws {
    guard !value.isNull,
      let reference = entities[entity].references.first(where: { $0.column == column })
    else {
      object[column] = value
      return
    }
    object[column] = .object(try find(value, of: reference.destination).objectID)
  }

  /// An object by its key: by a fetch of its own, or among those of one `IN` fetch. Either way
  /// realised at once, since it is about to be changed, or is the other side of a change.
  private func find(_ key: Value, of entity: Int) throws -> ManagedObject {
    guard let object = try known(key, of: entity) else {
      throw ChangeError.missing(key, entity: entities[entity].entity.name)
    }
    return object
  }

  private func known(_ key: Value, of entity: Int) throws -> ManagedObject? {
    switch lookup {
    case .perObject:
      if let object = objects[entity][key] { return object }
      var request = FetchRequest(
        entities[entity].entity, where: .compare(entities[entity].keyIndex, .equal, key), limit: 1)
      request.returnsObjectsAsFaults = false
      return try context.fetch(request).first
    case .perBatch, .constraint:
      return objects[entity][key]
    }
  }

  private mutating func fetch(_ keys: [Value], of entity: Int) throws {
    let keys = objects[entity].isEmpty ? keys : keys.filter { objects[entity][$0] == nil }
    guard !keys.isEmpty else { return }
    let keyIndex = entities[entity].keyIndex
    var request = FetchRequest(entities[entity].entity, where: .isIn(keyIndex, ValueSet(keys)))
    request.returnsObjectsAsFaults = false
    let found = try context.fetch(request)
    objects[entity].reserveCapacity(found.count)
    for object in found { objects[entity][object[keyIndex]] = object }
  }
}

/// The stream asks for a row that is not there: data set and store do not fit together.
public enum ChangeError: Error, CustomStringConvertible {
  case missing(Value, entity: String)

  public var description: String {
    switch self {
    case .missing(let key, let entity):
      "no row of \(entity) with the key \(key) to update, delete or refer to; the store does not hold"
        + " the data set's rows"
    }
  }
}
