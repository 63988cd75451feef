import GRDBSQLite
import ObjectGraph

/// One run of the plain SQL: its statements, and where the rows of the batch at hand are.
struct RawRun {
  /// A batch with its statements at hand.
  struct Batch {
    /// Of the rows to look up.
    let keys: [Value]
    let insertCount: Int
    let changes: [Change]
    /// Nil if there is nothing to look up.
    let lookup: PreparedStatement?
  }

  enum Change {
    case insert(ContiguousArray<Value>)
    /// The values in the order of the statement's parameters.
    case update(PreparedStatement, key: Value, [Value])
    case delete(key: Value)
  }

  private struct Location {
    let primaryKey: Int64
    let version: Int64
  }

  private let connection: Connection
  private let table: EntityTable
  private let keyAttribute: Int
  /// Of the columns that a lookup reads, in their order.
  private let storedTypes: ContiguousArray<AttributeType>
  /// Where the key attribute is among them.
  private let keyPlace: Int
  private let lookup: RawSQLite.Lookup
  private let begin: PreparedStatement
  private let commit: PreparedStatement
  private let rollback: PreparedStatement
  private let reservation: PreparedStatement
  private let insertion: PreparedStatement
  private let deletion: PreparedStatement
  private var locations: [Value: Location] = [:]

  init(
    _ connection: Connection, table: EntityTable, keyAttribute: Int, lookup: RawSQLite.Lookup
  ) throws {
    self.connection = connection
    self.table = table
    self.keyAttribute = keyAttribute
    storedTypes = ContiguousArray(table.layouts.flatMap(\.storedTypes))
    keyPlace = table.layouts[..<keyAttribute].reduce(0) { $0 + $1.stored.count }
    self.lookup = lookup
    begin = try connection.statement(.begin)
    commit = try connection.statement(.commit)
    rollback = try connection.statement(.rollback)
    reservation = try connection.statement(.keyReservation)
    insertion = try connection.statement(.insertion(table.number - 1))
    deletion = try connection.statement(.deletion(table.number - 1))
  }

  /// Everything that can be done before the clock runs.
  func prepare(_ batch: [RawSQLite.Change]) throws -> Batch {
    let keys = batch.compactMap(\.key)
    return Batch(
      keys: keys, insertCount: batch.count - keys.count, changes: try batch.map(prepare),
      lookup: keys.isEmpty ? nil : try lookupStatement(lookup == .perBatch ? keys.count : 1))
  }

  mutating func apply(_ batch: Batch) throws {
    if let lookup = batch.lookup { try look(up: batch.keys, by: lookup) }
    try begin.execute()
    do {
      var nextKey = try reserveKeys(batch.insertCount)
      for change in batch.changes {
        switch change {
        case .insert(let row):
          try insert(row, primaryKey: nextKey)
          nextKey += 1
        case .update(let statement, let key, let values): try execute(statement, key, values)
        case .delete(let key): try execute(deletion, key, [])
        }
      }
      try commit.execute()
    } catch {
      try? rollback.execute()
      throw error
    }
  }

  private func prepare(_ change: RawSQLite.Change) throws -> Change {
    switch change {
    case .insert(let row): return .insert(row)
    case .delete(let key): return .delete(key: key)
    case .update(let key, let fields):
      let changed = AttributeMask(fields.map { AttributeMask(index: $0.0) })
      let statement = try connection.statement(.update(table.number - 1, changed))
      return .update(statement, key: key, fields.sorted { $0.0 < $1.0 }.map(\.1))
    }
  }

  private func lookupStatement(_ count: Int) throws -> PreparedStatement {
    let condition = PredicateToken.isIn(keyAttribute, count: paddedCount(count), isNegated: false)
    let shape = QueryShape(output: .rows, entityIndex: table.number - 1, condition: [condition])
    return try connection.statement(.query(shape))
  }

  /// Finds where the rows of these keys are. All their columns are read, only the key is kept.
  private mutating func look(up keys: [Value], by statement: PreparedStatement) throws {
    locations.removeAll(keepingCapacity: true)
    switch lookup {
    case .perObject:
      for key in keys {
        bind(key, to: statement.handle, at: 1)
        try readLocations(statement)
      }
    case .perBatch:
      for index in 0..<paddedCount(keys.count) {
        bind(keys[min(index, keys.count - 1)], to: statement.handle, at: CInt(index + 1))
      }
      try readLocations(statement)
    }
  }

  private mutating func readLocations(_ statement: PreparedStatement) throws {
    while try statement.step() {
      for index in storedTypes.indices {
        touch(storedTypes[index], of: statement.handle, at: CInt(index + 2))
      }
      let key = decodeValue(
        storedTypes[keyPlace], of: statement.handle, at: CInt(keyPlace + 2))
      locations[key] = Location(
        primaryKey: sqlite3_column_int64(statement.handle, 0),
        version: sqlite3_column_int64(statement.handle, 1))
    }
    statement.reset()
  }

  /// - Returns: the first of the keys.
  private func reserveKeys(_ count: Int) throws -> Int64 {
    guard count > 0 else { return 0 }
    sqlite3_bind_int64(reservation.handle, 1, Int64(count))
    sqlite3_bind_int64(reservation.handle, 2, Int64(table.rootNumber))
    return try (reservation.number() ?? 0) - Int64(count) + 1
  }

  private func insert(_ row: ContiguousArray<Value>, primaryKey: Int64) throws {
    sqlite3_bind_int64(insertion.handle, 1, primaryKey)
    if table.isPlain {
      for index in row.indices { bind(row[index], to: insertion.handle, at: CInt(index + 2)) }
    } else {
      var parameter: CInt = 2
      for index in row.indices {
        try bindColumn(row[index], of: index, table, to: insertion, at: &parameter)
      }
    }
    try insertion.execute()
  }

  /// Runs a statement whose parameters are these values, the row and its version.
  private func execute(_ statement: PreparedStatement, _ key: Value, _ values: [Value]) throws {
    guard let location = locations[key] else { throw noSuchRow(key) }
    let count = CInt(values.count)
    for index in values.indices { bind(values[index], to: statement.handle, at: CInt(index + 1)) }
    sqlite3_bind_int64(statement.handle, count + 1, location.primaryKey)
    sqlite3_bind_int64(statement.handle, count + 2, location.version)
    try statement.execute()
    guard connection.changes == 1 else { throw noSuchRow(key) }
  }

  private func noSuchRow(_ key: Value) -> StoreError {
    .noSuchRow(entity: table.entity.name, key: "\(key)")
  }
}

extension RawSQLite.Change {
  /// Of the row to look up; nil for an insert.
  fileprivate var key: Value? {
    switch self {
    case .insert: nil
    case .update(let key, _), .delete(let key): key
    }
  }
}

extension ColumnLayout {
  /// What its columns hold: keys are whole numbers.
  fileprivate var storedTypes: [AttributeType] {
    if case .attribute(let type) = storage { [type] } else { stored.map { _ in .int64 } }
  }
}

/// Makes SQLite decode a column, as a reader would.
@inline(__always)
private func touch(_ type: AttributeType, of handle: OpaquePointer, at column: CInt) {
  switch type {
  case .int64, .bool: _ = sqlite3_column_int64(handle, column)
  case .double, .date: _ = sqlite3_column_double(handle, column)
  case .string:
    _ = sqlite3_column_text(handle, column)
    _ = sqlite3_column_bytes(handle, column)
  case .data:
    _ = sqlite3_column_blob(handle, column)
    _ = sqlite3_column_bytes(handle, column)
  }
}
