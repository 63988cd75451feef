import GRDB
import ObjectGraph
import SQLiteStore

/// Turns changes into records that are inserted, looked up, updated and deleted, one statement each: as
/// `ChangeApplier` does with objects.
struct RecordChanges: Sendable {
  private let entities: [RowEntity]
  /// By entity.
  let tables: [PlainTable]
  private let lookup: Lookup

  /// - Throws: what `PlainTable` throws.
  init(_ environment: TopologyEnvironment) throws {
    entities = environment.rowEntities
    tables = try entities.map { try PlainTable($0.entity, in: environment.model) }
    lookup = environment.lookup
  }

  /// Applies the changes in their order, inside a transaction.
  ///
  /// - Throws: `ChangeError.missing` if there is no row to update, delete or refer to; what SQLite
  ///   reports.
  func apply(_ batch: [Change], in database: Database) throws {
    var application = Application(entities, tables, lookup, database)
    try application.apply(batch)
  }

  /// How many rows of the list have one of these keys. Reads them.
  func count(of keys: [Value], in database: Database) throws -> Int {
    try RowRecord.of(tables[0]) {
      try RowRecord.rows(where: entities[0].keyIndex, isIn: keys).fetchAll(database).count
    }
  }
}

/// One batch on its way into the database.
private struct Application {
  private let entities: [RowEntity]
  private let tables: [PlainTable]
  private let lookup: Lookup
  private let database: Database
  /// By entity: whether its new rows may be named in the same batch.
  private let isKept: [Bool]
  /// By entity: what one request for the batch found, and what the batch inserted.
  private var found: [[Value: RowRecord]]

  init(
    _ entities: [RowEntity], _ tables: [PlainTable], _ lookup: Lookup, _ database: Database
  ) {
    self.entities = entities
    self.tables = tables
    self.lookup = lookup
    self.database = database
    isKept = entities.mayBeNamedAgain
    found = Array(repeating: [:], count: entities.count)
  }

  mutating func apply(_ batch: [Change]) throws {
    if lookup == .perBatch {
      for (entity, keys) in ChangedKeys(of: batch, entities).byEntity.enumerated() {
        guard !keys.isEmpty else { continue }
        for record in try records(keys, of: entity) {
          found[entity][record.values[entities[entity].keyIndex]] = record
        }
      }
    }
    for change in batch { try apply(change) }
  }

  private mutating func apply(_ change: Change) throws {
    let (entity, change) = change.withEntity
    switch change {
    case .insert(let values):
      var record = RowRecord(values: try resolved(values, of: entity))
      try RowRecord.of(tables[entity]) { try record.insert(database) }
      if lookup == .perBatch, isKept[entity] {
        found[entity][values[entities[entity].keyIndex]] = record
      }
    case .update(let key, let fields):
      var record = try record(key, of: entity)
      let fields = try fields.map { field in
        FieldChange(index: field.index, value: try resolved(field.value, field.index, of: entity))
      }
      try RowRecord.of(tables[entity]) {
        _ = try record.updateChanges(database) { $0.change(fields) }
      }
      if lookup == .perBatch { found[entity][key] = record }
    case .delete(let key):
      let record = try record(key, of: entity)
      _ = try RowRecord.of(tables[entity]) { try record.delete(database) }
    case .of: preconditionFailure("a change names its entity once")
    case .upsert, .records, .sweep: preconditionFailure("work of this kind is refused beforehand")
    }
  }

  /// With the rows that it leads to in the place of their business keys.
  private func resolved(
    _ values: ContiguousArray<Value>, of entity: Int
  ) throws -> ContiguousArray<Value> {
    var values = values
    for reference in entities[entity].references {
      values[reference.column] = try resolved(
        values[reference.column], reference.column, of: entity)
    }
    return values
  }

  private func resolved(_ value: Value, _ column: Int, of entity: Int) throws -> Value {
    guard !value.isNull,
      let reference = entities[entity].references.first(where: { $0.column == column })
    else { return value }
    let table = tables[reference.destination]
    guard let key = try record(value, of: reference.destination).key else { return .null }
    return .object(
      ManagedObjectID(store: 0, entityIndex: Int32(table.number - 1), primaryKey: key))
  }

  private func record(_ key: Value, of entity: Int) throws -> RowRecord {
    let record =
      lookup == .perBatch ? found[entity][key] : try records([key], of: entity).first
    guard let record else {
      throw ChangeError.missing(key, entity: entities[entity].entity.name)
    }
    return record
  }

  private func records(_ keys: [Value], of entity: Int) throws -> [RowRecord] {
    try RowRecord.of(tables[entity]) {
      try RowRecord.rows(where: entities[entity].keyIndex, isIn: keys).fetchAll(database)
    }
  }
}
