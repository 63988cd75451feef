import Baseline
import GRDB
import ObjectGraph
import SQLiteStore

/// Applies changes as records, one statement each. `ChangeApplier` does the same with objects.
struct RecordChanges: Sendable {
  fileprivate let entities: [RowEntity]
  /// By entity.
  let tables: [EntityTable]
  /// By entity: the columns that a whole row sets.
  fileprivate let givenColumns: [[Int]]
  fileprivate let lookup: Lookup
  fileprivate let deletion: PlainDeletion
  /// By entity: whether deleting a row may delete or change others.
  fileprivate let deletionReachesOthers: [Bool]
  /// Decode before the transaction, so that no other transaction waits for it.
  let decoder: RecordDecoder

  /// - Throws: errors of `Schema`.
  init(_ environment: TopologyEnvironment) throws {
    let model = environment.model
    entities = environment.rowEntities
    let schema = try Schema(model)
    tables = entities.map { schema.table(of: $0.entity) }
    givenColumns = entities.map(\.givenColumns)
    lookup = environment.lookup
    deletion = PlainDeletion(schema)
    deletionReachesOthers = entities.map { model.deletionReachesOthers($0.entity) }
    decoder = RecordDecoder(entities, in: model)
  }

  /// Call it in a transaction.
  ///
  /// - Throws: `ChangeError.missing`, `StoreError.deleteDenied` or errors of SQLite.
  func apply(_ batch: [Change], in database: Database) throws {
    var application = Application(
      changes: self, database: database, isKept: entities.mayBeNamedAgain,
      found: Array(repeating: [:], count: entities.count))
    try application.apply(batch)
  }

  /// Reads the rows, and returns their number.
  func count(of keys: [Value], in database: Database) throws -> Int {
    try RowRecord.of(tables[0]) {
      try RowRecord.all(where: entities[0].keyIndex, isIn: keys, in: database).count
    }
  }
}

private struct Application {
  let changes: RecordChanges
  let database: Database
  /// By entity: whether later changes of the batch may refer to its new rows.
  let isKept: [Bool]
  /// By entity: fetched and inserted rows.
  var found: [[Value: RowRecord]]
  /// Whether an inserted row may arrive again in the same batch.
  var isNamedAgain = false
  /// Rows of one entity, deleted by one call because their delete rules reach other rows.
  var pendingDeletions: [ManagedObjectID] = []

  mutating func apply(_ batch: [Change]) throws {
    isNamedAgain = batch.contains(where: \.isUpsert)
    for run in batch.runsUntilDeletions {
      if changes.lookup != .perObject { try find(run) }
      for change in run {
        if !pendingDeletions.isEmpty, !continuesDeletion(change) { try deletePending() }
        try apply(change)
      }
      try deletePending()
    }
  }

  /// Fetches the rows of the changes, with one request for each entity.
  private mutating func find(_ run: [Change]) throws {
    let keys = ChangedKeys(
      of: run, changes.entities, findsArrivals: changes.lookup != .constraint)
    for entity in found.indices { found[entity].removeAll() }
    for (entity, keys) in keys.byEntity.enumerated() where !keys.isEmpty {
      for record in try records(keys, of: entity) {
        found[entity][record.values[changes.entities[entity].keyIndex]] = record
      }
    }
  }

  private mutating func apply(_ change: Change) throws {
    let entity = change.entity
    switch change.kind {
    case .insert(let values): try insert(try resolved(values, of: entity), values, of: entity)
    case .update(let key, let fields):
      try update(try record(key, of: entity), try resolved(fields, of: entity), of: entity)
    case .delete(let key): try delete(try record(key, of: entity), of: entity)
    case .upsert(let values): try upsert(values, of: entity)
    case .deleteWhere: try changes.deletion.deleteWhere(changes.entities[entity], on: database)
    }
  }
}

// MARK: - Writing

extension Application {
  /// - Parameter values: the row with business keys as references.
  private mutating func insert(
    _ row: ContiguousArray<Value>, _ values: ContiguousArray<Value>, of entity: Int
  ) throws {
    var record = RowRecord(values: row)
    try RowRecord.of(changes.tables[entity]) { try record.insert(database) }
    if isKept[entity] || isNamedAgain { keep(record, values, of: entity) }
  }

  private mutating func update(
    _ record: RowRecord, _ fields: [FieldChange], of entity: Int
  ) throws {
    var record = record
    try RowRecord.of(changes.tables[entity]) { try record.set(fields, in: database) }
    keep(record, record.values, of: entity)
  }

  private mutating func upsert(_ values: ContiguousArray<Value>, of entity: Int) throws {
    let row = try resolved(values, of: entity)
    guard changes.lookup != .constraint else { return try takeOver(row, values, of: entity) }
    guard let record = try known(values[changes.entities[entity].keyIndex], of: entity) else {
      return try insert(row, values, of: entity)
    }
    let fields = changes.givenColumns[entity].compactMap { column in
      record.values[column] == row[column]
        ? nil : FieldChange(index: column, value: row[column])
    }
    if !fields.isEmpty { try update(record, fields, of: entity) }
  }

  /// Inserts the row, or updates the row that a uniqueness constraint finds.
  private mutating func takeOver(
    _ row: ContiguousArray<Value>, _ values: ContiguousArray<Value>, of entity: Int
  ) throws {
    var record = RowRecord(values: row)
    let written = try RowRecord.of(changes.tables[entity]) {
      try record.upsert(changes.givenColumns[entity], in: database)
    }
    keep(written, values, of: entity)
  }

  private func continuesDeletion(_ change: Change) -> Bool {
    change.isDelete
      && pendingDeletions.first.map { Int($0.entityIndex) } == changes.tables[change.entity].index
  }

  private mutating func deletePending() throws {
    guard !pendingDeletions.isEmpty else { return }
    try changes.deletion.delete(pendingDeletions, on: database)
    pendingDeletions = []
  }

  private mutating func delete(_ record: RowRecord, of entity: Int) throws {
    let table = changes.tables[entity]
    if changes.deletionReachesOthers[entity], let id = record.id(in: table) {
      pendingDeletions.append(id)
    } else {
      _ = try RowRecord.of(table) { try record.delete(database) }
    }
  }

  /// For later changes of the batch.
  private mutating func keep(
    _ record: RowRecord, _ values: ContiguousArray<Value>, of entity: Int
  ) {
    guard changes.lookup != .perObject else { return }
    found[entity][values[changes.entities[entity].keyIndex]] = record
  }
}

// MARK: - Finding

extension Application {
  /// Replaces business keys by row keys.
  private func resolved(
    _ values: ContiguousArray<Value>, of entity: Int
  ) throws -> ContiguousArray<Value> {
    var values = values
    for reference in changes.entities[entity].references {
      values[reference.column] = try resolved(
        values[reference.column], reference.column, of: entity)
    }
    return values
  }

  private func resolved(_ fields: [FieldChange], of entity: Int) throws -> [FieldChange] {
    try fields.map { field in
      FieldChange(index: field.index, value: try resolved(field.value, field.index, of: entity))
    }
  }

  private func resolved(_ value: Value, _ column: Int, of entity: Int) throws -> Value {
    guard !value.isNull,
      let reference = changes.entities[entity].references.first(where: { $0.column == column })
    else { return value }
    let table = changes.tables[reference.destination]
    return try record(value, of: reference.destination).id(in: table).map { .object($0) } ?? .null
  }

  private func record(_ key: Value, of entity: Int) throws -> RowRecord {
    guard let record = try known(key, of: entity) else {
      throw ChangeError.missing(key, entity: changes.entities[entity].entity.name)
    }
    return record
  }

  private func known(_ key: Value, of entity: Int) throws -> RowRecord? {
    changes.lookup == .perObject ? try records([key], of: entity).first : found[entity][key]
  }

  private func records(_ keys: [Value], of entity: Int) throws -> [RowRecord] {
    try RowRecord.of(changes.tables[entity]) {
      try RowRecord.all(where: changes.entities[entity].keyIndex, isIn: keys, in: database)
    }
  }
}
