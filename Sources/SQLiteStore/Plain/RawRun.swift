import GRDBSQLite
import ObjectGraph
import Queues

/// One run of the plain SQL: its statements, and where the rows of the batch at hand are.
struct RawRun {
  /// A batch with its statements at hand.
  struct Batch {
    fileprivate var lookups: [Lookup] = []
    /// By entity.
    fileprivate var insertCounts: [Int]
    /// By entity: the keys of the whole rows that arrive, of which those that are not found are inserted.
    fileprivate var arriving: [Set<Value>]
    fileprivate var changes: [(entity: Int, change: Change)] = []
  }

  fileprivate enum Change {
    case insert(ContiguousArray<Value>)
    /// The fields in the order of the statement's parameters.
    case update(PreparedStatement, key: Value, [(Int, Value)])
    case delete(key: Value)
    case upsert(ContiguousArray<Value>)
    case takeOver(ContiguousArray<Value>)
    case deleteWhere(FetchPredicate)
  }

  fileprivate struct Lookup {
    let entity: Int
    let keys: [Value]
    let statement: PreparedStatement
  }

  private var tables: [RawTable]
  /// By entity: whether a batch that inserts a row may name it again, by rows that refer to it or by an
  /// update that makes it refer to others.
  private let isNamed: [Bool]
  private let lookup: RawSQLite.Lookup
  private let connection: Connection
  /// What carries delete rules out; nil where rows go alone.
  private let deletion: PlainDeletion?
  private let begin: PreparedStatement
  private let commit: PreparedStatement
  private let rollback: PreparedStatement

  init(
    _ connection: Connection, _ tables: [RawTable], lookup: RawSQLite.Lookup,
    deletion: PlainDeletion? = nil
  ) throws {
    self.tables = tables
    self.connection = connection
    self.deletion = deletion
    let destinations = Set(tables.flatMap { $0.references.map(\.destination) })
    isNamed = tables.indices.map { destinations.contains($0) || !tables[$0].references.isEmpty }
    self.lookup = lookup
    begin = try connection.statement(.begin)
    commit = try connection.statement(.commit)
    rollback = try connection.statement(.rollback)
  }

  mutating func apply(_ batch: Batch) throws {
    for entity in tables.indices { tables[entity].forget() }
    for lookup in batch.lookups { try look(up: lookup) }
    try begin.execute()
    guard let thread = Activity.recorder?.timeline else { return try write(batch) }
    try thread.span(.write) { try write(batch) }
  }

  private mutating func write(_ batch: Batch) throws {
    do {
      for entity in tables.indices {
        let unknown = batch.arriving[entity].count(where: { !tables[entity].knows($0) })
        try tables[entity].reserveKeys(batch.insertCounts[entity] + unknown)
      }
      for (entity, change) in batch.changes { try apply(change, of: entity) }
      try commit.execute()
    } catch {
      try? rollback.execute()
      throw error
    }
  }

  private mutating func look(up lookup: Lookup) throws {
    switch self.lookup {
    case .perObject:
      for key in lookup.keys { try tables[lookup.entity].look(up: key, by: lookup.statement) }
    case .perBatch:
      try tables[lookup.entity].look(upAll: lookup.keys, by: lookup.statement)
    }
  }

  private mutating func apply(_ change: Change, of entity: Int) throws {
    switch change {
    case .insert(let row):
      try tables[entity].insert(resolved(row, of: entity), isNamed: isNamed[entity])
    case .update(let statement, let key, let fields):
      try tables[entity].update(key, resolved(fields, of: entity), by: statement)
    case .delete(let key): try delete(key, of: entity)
    case .upsert(let row): try tables[entity].upsert(resolved(row, of: entity))
    case .takeOver(let row): try tables[entity].takeOver(resolved(row, of: entity))
    case .deleteWhere(let predicate):
      guard let deletion else { preconditionFailure("the ruler deletes by key") }
      try deletion.deleteWhere(tables[entity].table.entity, where: predicate, on: connection)
    }
  }

  private func delete(_ key: Value, of entity: Int) throws {
    guard let deletion, tables[entity].deletionReachesOthers else {
      return try tables[entity].delete(key)
    }
    try deletion.delete([try tables[entity].id(of: key)], on: connection)
  }

  /// With IDs in the place of the keys that refer to other rows.
  private func resolved(
    _ row: ContiguousArray<Value>, of entity: Int
  ) throws -> ContiguousArray<Value> {
    guard !tables[entity].references.isEmpty else { return row }
    var row = row
    for (column, destination) in tables[entity].references where !row[column].isNull {
      row[column] = .object(try tables[destination].id(of: row[column]))
    }
    return row
  }

  private func resolved(_ fields: [(Int, Value)], of entity: Int) throws -> [(Int, Value)] {
    guard !tables[entity].references.isEmpty else { return fields }
    return try fields.map { column, value in
      let reference = tables[entity].references.first { $0.column == column }
      guard let reference, !value.isNull else { return (column, value) }
      return (column, .object(try tables[reference.destination].id(of: value)))
    }
  }
}

// MARK: - Before the clock runs

extension RawRun {
  /// Everything that can be done before the clock runs.
  func prepare(_ changes: [RawSQLite.Change]) throws -> Batch {
    var batch = Batch(
      insertCounts: tables.map { _ in 0 }, arriving: tables.map { _ in [] })
    var keys = SoughtKeys(tables.map(\.references), eachOnce: lookup == .perBatch)
    for change in changes { try prepare(change, of: 0, in: &batch, &keys) }
    for entity in tables.indices where !keys.byEntity[entity].isEmpty {
      let sought = keys.byEntity[entity]
      let statement = try tables[entity].lookup(of: lookup == .perBatch ? sought.count : 1)
      batch.lookups.append(Lookup(entity: entity, keys: sought, statement: statement))
    }
    return batch
  }

  private func prepare(
    _ change: RawSQLite.Change, of entity: Int, in batch: inout Batch, _ keys: inout SoughtKeys
  ) throws {
    switch change {
    case .insert(let row):
      keys.willInsert(row[tables[entity].keyAttribute], of: entity)
      keys.seek(referredToBy: row, of: entity)
      batch.insertCounts[entity] += 1
      batch.changes.append((entity, .insert(row)))
    case .update(let key, let fields):
      keys.seek(key, of: entity)
      for (column, value) in fields { keys.seek(value, referredToBy: column, of: entity) }
      let statement = try tables[entity].update(of: fields.map(\.0))
      batch.changes.append(
        (entity, .update(statement, key: key, fields.sorted { $0.0 < $1.0 })))
    case .delete(let key):
      keys.seek(key, of: entity)
      batch.changes.append((entity, .delete(key: key)))
    case .find(let key): keys.seek(key, of: entity)
    case .upsert(let row):
      let key = row[tables[entity].keyAttribute]
      keys.seek(key, of: entity)
      keys.seek(referredToBy: row, of: entity)
      batch.arriving[entity].insert(key)
      batch.changes.append((entity, .upsert(row)))
    case .takeOver(let row):
      keys.willInsert(row[tables[entity].keyAttribute], of: entity)
      keys.seek(referredToBy: row, of: entity)
      batch.insertCounts[entity] += 1
      batch.changes.append((entity, .takeOver(row)))
    case .deleteWhere(let predicate): batch.changes.append((entity, .deleteWhere(predicate)))
    case .of(let other, let change): try prepare(change, of: other, in: &batch, &keys)
    }
  }
}

/// The keys of the rows that a batch has to find.
private struct SoughtKeys {
  private(set) var byEntity: [[Value]]
  private var known: [Set<Value>]
  private let references: [[(column: Int, destination: Int)]]
  private let eachOnce: Bool

  init(_ references: [[(column: Int, destination: Int)]], eachOnce: Bool) {
    self.references = references
    self.eachOnce = eachOnce
    byEntity = Array(repeating: [], count: references.count)
    known = Array(repeating: [], count: references.count)
  }

  /// Found without looking, from here on.
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
