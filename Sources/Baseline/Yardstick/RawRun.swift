import GRDBSQLite
import ObjectGraph
import SQLiteStore
import Queues

/// The statements of the baseline, and the located rows of the current batch.
struct RawRun {
  struct Batch {
    fileprivate var searches: [Search] = []
    /// By entity.
    fileprivate var insertCounts: [Int]
    /// The keys of upserts, by entity. Rows that the lookup does not find are inserted.
    fileprivate var arriving: [Set<Value>]
    fileprivate var writes: [(entity: Int, write: Write)] = []

    /// The keys of the last write, which is removed, if it deletes rows of the entity.
    fileprivate mutating func takeLastDeletion(of entity: Int) -> [Value] {
      guard case (entity, .delete(let keys))? = writes.last else { return [] }
      writes.removeLast()
      return keys
    }
  }

  fileprivate enum Write {
    case insert(ContiguousArray<Value>)
    /// In the order of the statement's parameters.
    case update(PreparedStatement, key: Value, [FieldChange])
    /// Several only if delete rules run.
    case delete(keys: [Value])
    case upsert(ContiguousArray<Value>)
    /// A uniqueness constraint finds the existing row.
    case takeOver(ContiguousArray<Value>)
    case deleteWhere
  }

  fileprivate struct Search {
    let entity: Int
    let keys: [Value]
    let statement: PreparedStatement
  }

  private var tables: [RawTable]
  /// By entity: whether a batch may refer again to a row that it inserts.
  private let isNamed: [Bool]
  private let lookup: Lookup
  private let connection: Connection
  /// Nil if each deletion deletes only one row.
  private let deletion: PlainDeletion?
  /// Rows that predicates and delete rules deleted, less one for each change.
  private(set) var rowsBeyondChanges = 0

  init(
    _ connection: Connection, _ tables: [RawTable], lookup: Lookup, deletion: PlainDeletion? = nil
  ) throws {
    self.tables = tables
    self.connection = connection
    self.deletion = deletion
    isNamed = tables.map(\.rows).mayBeNamedAgain
    self.lookup = lookup
    // Prepared before the clock runs.
    for key in [Connection.StatementKey.begin, .commit] { _ = try connection.statement(key) }
  }

  /// - Parameter others: applied in the same transaction, each after its rows are looked up.
  mutating func apply(_ batch: Batch, and others: ArraySlice<Batch> = []) throws {
    try find(batch)
    try connection.transaction {
      try write(batch)
      for batch in others {
        try find(batch)
        try write(batch)
      }
    }
  }

  private mutating func find(_ batch: Batch) throws {
    for entity in tables.indices { tables[entity].forget() }
    for search in batch.searches { try run(search) }
  }

  private mutating func write(_ batch: Batch) throws {
    for entity in tables.indices {
      let unknown = batch.arriving[entity].count(where: { !tables[entity].knows($0) })
      try tables[entity].reserveKeys(batch.insertCounts[entity] + unknown)
    }
    for (entity, write) in batch.writes { try apply(write, of: entity) }
    Activity.charge(.rowWritten, batch.writes.count)
  }

  private mutating func run(_ search: Search) throws {
    switch lookup {
    case .perObject:
      for key in search.keys { try tables[search.entity].look(up: key, by: search.statement) }
    case .perBatch, .constraint:
      try tables[search.entity].look(upAll: search.keys, by: search.statement)
    }
  }

  private mutating func apply(_ write: Write, of entity: Int) throws {
    switch write {
    case .insert(let row):
      try tables[entity].insert(resolved(row, of: entity), isNamed: isNamed[entity])
    case .update(let statement, let key, let fields):
      try tables[entity].update(key, resolved(fields, of: entity), by: statement)
    case .delete(let keys): try delete(keys, of: entity)
    case .upsert(let row): try tables[entity].upsert(resolved(row, of: entity))
    case .takeOver(let row): try tables[entity].takeOver(resolved(row, of: entity))
    case .deleteWhere:
      guard let deletion else { fatalError("the baseline deletes by key") }
      rowsBeyondChanges += try deletion.deleteWhere(tables[entity].rows, on: connection) - 1
    }
  }

  private mutating func delete(_ keys: [Value], of entity: Int) throws {
    guard let deletion, runsRules(of: entity) else {
      for key in keys { try tables[entity].delete(key) }
      return
    }
    let ids = try keys.map { try tables[entity].id(of: $0) }
    rowsBeyondChanges += try deletion.delete(ids, on: connection) - ids.count
  }

  private func runsRules(of entity: Int) -> Bool {
    deletion != nil && tables[entity].deletionReachesOthers
  }

  /// Replaces business keys by IDs.
  private func resolved(
    _ row: ContiguousArray<Value>, of entity: Int
  ) throws -> ContiguousArray<Value> {
    let references = tables[entity].rows.references
    guard !references.isEmpty else { return row }
    var row = row
    for reference in references where !row[reference.column].isNull {
      let key = row[reference.column]
      row[reference.column] = .object(try tables[reference.destination].id(of: key))
    }
    return row
  }

  private func resolved(_ fields: [FieldChange], of entity: Int) throws -> [FieldChange] {
    let references = tables[entity].rows.references
    guard !references.isEmpty else { return fields }
    return try fields.map { field in
      let reference = references.first { $0.column == field.index }
      guard let reference, !field.value.isNull else { return field }
      let id = try tables[reference.destination].id(of: field.value)
      return FieldChange(index: field.index, value: .object(id))
    }
  }
}

// MARK: - Before the clock runs

extension RawRun {
  func prepare(_ changes: [Change]) throws -> Batch {
    var batch = Batch(insertCounts: tables.map { _ in 0 }, arriving: tables.map { _ in [] })
    let sharesLookup = lookup != .perObject
    var keys = SoughtKeys(tables.map(\.rows.references), eachOnce: sharesLookup)
    for change in changes { try prepare(change, in: &batch, &keys) }
    for entity in tables.indices {
      for sought in keys.byEntity[entity].parts(of: RawTable.longestLookup) {
        let statement = try tables[entity].lookup(of: sharesLookup ? sought.count : 1)
        batch.searches.append(Search(entity: entity, keys: sought, statement: statement))
      }
    }
    return batch
  }

  private func prepare(
    _ change: Change, in batch: inout Batch, _ keys: inout SoughtKeys
  ) throws {
    let entity = change.entity
    switch change.kind {
    case .insert(let row): prepare(insert: row, .insert(row), of: entity, in: &batch, &keys)
    case .upsert(let row) where lookup == .constraint:
      prepare(insert: row, .takeOver(row), of: entity, in: &batch, &keys)
    case .upsert(let row):
      let key = row[tables[entity].rows.keyIndex]
      keys.seek(key, of: entity)
      keys.seek(referredToBy: row, of: entity)
      batch.arriving[entity].insert(key)
      batch.writes.append((entity, .upsert(row)))
    case .update(let key, let fields):
      keys.seek(key, of: entity)
      guard !fields.isEmpty else { return }
      for field in fields { keys.seek(field.value, referredToBy: field.index, of: entity) }
      let statement = try tables[entity].update(of: fields.map(\.index))
      let sorted = fields.sorted { $0.index < $1.index }
      batch.writes.append((entity, .update(statement, key: key, sorted)))
    case .delete(let key):
      keys.seek(key, of: entity)
      var keys = runsRules(of: entity) ? batch.takeLastDeletion(of: entity) : []
      keys.append(key)
      batch.writes.append((entity, .delete(keys: keys)))
    case .deleteWhere: batch.writes.append((entity, .deleteWhere))
    }
  }

  private func prepare(
    insert row: ContiguousArray<Value>, _ write: Write, of entity: Int, in batch: inout Batch,
    _ keys: inout SoughtKeys
  ) {
    keys.willInsert(row[tables[entity].rows.keyIndex], of: entity)
    keys.seek(referredToBy: row, of: entity)
    batch.insertCounts[entity] += 1
    batch.writes.append((entity, write))
  }
}

extension [Value] {
  fileprivate func parts(of length: Int) -> [[Value]] {
    stride(from: 0, to: count, by: length).map { Array(self[$0...].prefix(length)) }
  }
}

private struct SoughtKeys {
  private(set) var byEntity: [[Value]]
  private var known: [Set<Value>]
  private let references: [[RowReference]]
  private let eachOnce: Bool

  init(_ references: [[RowReference]], eachOnce: Bool) {
    self.references = references
    self.eachOnce = eachOnce
    byEntity = Array(repeating: [], count: references.count)
    known = Array(repeating: [], count: references.count)
  }

  /// Later changes need no lookup for this key.
  mutating func willInsert(_ key: Value, of entity: Int) {
    if eachOnce { known[entity].insert(key) }
  }

  mutating func seek(_ key: Value, of entity: Int) {
    if eachOnce, !known[entity].insert(key).inserted { return }
    byEntity[entity].append(key)
  }

  mutating func seek(referredToBy row: ContiguousArray<Value>, of entity: Int) {
    for index in row.indices { seek(row[index], referredToBy: index, of: entity) }
  }

  mutating func seek(_ value: Value, referredToBy column: Int, of entity: Int) {
    guard !references[entity].isEmpty, !value.isNull,
      let reference = references[entity].first(where: { $0.column == column })
    else { return }
    seek(value, of: reference.destination)
  }
}
