public import ObjectGraph

/// Makes changes in a context.
public struct ChangeApplier: Sendable {
  private let entities: [RowEntity]
  private let lookup: Lookup
  private let comparesBeforeSetting: Bool
  private let decoder: RecordDecoder

  init(
    entities: [RowEntity], lookup: Lookup, comparesBeforeSetting: Bool, decoder: RecordDecoder
  ) {
    self.entities = entities
    self.lookup = lookup
    self.comparesBeforeSetting = comparesBeforeSetting
    self.decoder = decoder
  }

  /// Decodes the batch's records, then applies all changes in order, without saving. Call it on the
  /// context's queue.
  ///
  /// - Throws: `ChangeError.missing`; errors of a fetch or of `RecordDecoder`.
  public func apply(_ batch: ChangeBatch, in context: ManagedObjectContext) throws {
    try apply(try changes(of: batch), in: context)
  }

  /// Decodes the batch's records to changes, before the batch's own. Any thread may call it.
  ///
  /// - Throws: errors of `RecordDecoder`.
  public func changes(of batch: ChangeBatch) throws -> [Change] {
    try decoder.changes(of: batch)
  }

  /// Applies the changes in order, without saving. Call it on the context's queue.
  ///
  /// - Throws: `ChangeError.missing`; errors of a fetch.
  public func apply(_ changes: [Change], in context: ManagedObjectContext) throws {
    try apply(changes, in: context, knowing: Array(repeating: [:], count: entities.count))
  }

  /// - Parameter objects: fetched objects, by entity and business key.
  func apply(
    _ changes: [Change], in context: ManagedObjectContext, knowing objects: [[Value: ManagedObject]]
  ) throws {
    var application = ChangeApplication(
      context: context, entities: entities, lookup: lookup,
      comparesBeforeSetting: comparesBeforeSetting, isKept: entities.mayBeNamedAgain,
      objects: objects)
    try application.apply(changes)
  }
}

private struct ChangeApplication {
  let context: ManagedObjectContext
  let entities: [RowEntity]
  let lookup: Lookup
  let comparesBeforeSetting: Bool
  /// By entity: whether later changes of the batch may refer to its new objects.
  let isKept: [Bool]
  /// By entity: given, fetched and inserted objects.
  var objects: [[Value: ManagedObject]]
  /// Whether an inserted row may arrive again in the same batch.
  var isNamedAgain = false

  mutating func apply(_ changes: [Change]) throws {
    isNamedAgain = changes.contains(where: \.isUpsert)
    if lookup != .perObject {
      let keys = ChangedKeys(of: changes, entities, findsArrivals: lookup != .constraint)
      for (entity, keys) in keys.byEntity.enumerated() { try fetch(keys, of: entity) }
    }
    for change in changes { try apply(change) }
  }

  private mutating func apply(_ change: Change) throws {
    let entity = change.entity
    switch change.kind {
    case .insert(let values): try insert(values, of: entity)
    case .update(let key, let fields):
      let object = try find(key, of: entity)
      guard !object.isDeleted else { throw missing(key, of: entity) }
      for field in fields { try set(field.index, of: object, entity, to: field.value) }
    case .delete(let key):
      context.delete(try find(key, of: entity))
      if isNamedAgain { objects[entity][key] = nil }
    case .upsert(let values): try upsert(values, of: entity)
    case .deleteWhere:
      let rows = entities[entity]
      for object in try context.fetch(FetchRequest(rows.entity, where: rows.deletion)) {
        if isNamedAgain { objects[entity][object[rows.keyIndex]] = nil }
        context.delete(object)
      }
    }
  }

  /// Sets the columns that differ, so that an unchanged row is not written. Without comparing, the
  /// object counts as updated even if its row needs no write.
  private mutating func upsert(_ values: ContiguousArray<Value>, of entity: Int) throws {
    let rows = entities[entity]
    guard let object = try known(values[rows.keyIndex], of: entity) else {
      return try insert(values, of: entity)
    }
    for column in values.indices where rows.entity.columns[column].attribute != nil {
      if !comparesBeforeSetting || object[column] != values[column] {
        object[column] = values[column]
      }
    }
    for reference in rows.references {
      let target = try target(values[reference.column], of: reference)
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

  /// - Parameter value: a business key if the column is a reference.
  private func set(_ column: Int, of object: ManagedObject, _ entity: Int, to value: Value) throws {
    let reference = entities[entity].references.first { $0.column == column }
    object[column] = try reference.map { try target(value, of: $0) } ?? value
  }

  private func target(_ key: Value, of reference: RowReference) throws -> Value {
    key.isNull ? .null : .object(try find(key, of: reference.destination).objectID)
  }

  private func find(_ key: Value, of entity: Int) throws -> ManagedObject {
    guard let object = try known(key, of: entity) else { throw missing(key, of: entity) }
    return object
  }

  private func missing(_ key: Value, of entity: Int) -> ChangeError {
    .missing(key, entity: entities[entity].entity.name)
  }

  private func known(_ key: Value, of entity: Int) throws -> ManagedObject? {
    switch lookup {
    case .perObject:
      if let object = objects[entity][key] { return object }
      let request = FetchRequest(
        entities[entity].entity, where: .compare(entities[entity].keyIndex, .equal, key), limit: 1)
      return try context.fetch(request.realised).first
    case .perBatch, .constraint:
      return objects[entity][key]
    }
  }

  private mutating func fetch(_ keys: [Value], of entity: Int) throws {
    let keys = objects[entity].isEmpty ? keys : keys.filter { objects[entity][$0] == nil }
    guard !keys.isEmpty else { return }
    let keyIndex = entities[entity].keyIndex
    let request = FetchRequest(entities[entity].entity, where: .isIn(keyIndex, ValueSet(keys)))
    let found = try context.fetch(request.realised)
    objects[entity].reserveCapacity(found.count)
    for object in found { objects[entity][object[keyIndex]] = object }
  }
}

/// A change names a row that the store does not hold.
public enum ChangeError: Error, CustomStringConvertible {
  case missing(Value, entity: String)
  /// Which of the keys have no row is unknown, because the others' rows are deleted.
  case wrongCount(found: Int, keys: Int, entity: String)

  public var description: String {
    switch self {
    case .missing(let key, let entity):
      "no row of \(entity) with the key \(key) to update, delete or refer to; the store does not hold"
        + " the data set's rows"
    case .wrongCount(let found, let keys, let entity):
      "a batch delete of \(keys) keys found \(found) rows of \(entity); the store does not hold the"
        + " data set's rows"
    }
  }
}
