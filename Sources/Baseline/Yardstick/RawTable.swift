import GRDBSQLite
import ObjectGraph
import SQLiteStore

struct RawTable {
  private struct Location {
    let primaryKey: Int64
    var version: Int64
  }

  /// The most keys of one lookup, with padding. By default, SQLite binds at most 32,766 values.
  static let longestLookup = 30_720

  let table: EntityTable
  let rows: RowEntity
  private let connection: Connection
  /// The types of the columns that a lookup reads.
  private let storedTypes: ContiguousArray<AttributeType>
  /// The index of the key attribute among them.
  private let keyPlace: Int
  private let insertion: PreparedStatement
  private let deletion: PreparedStatement
  private let reservation: PreparedStatement
  let deletionReachesOthers: Bool
  /// The columns that an upsert sets.
  private let given: AttributeMask
  private var locations: [Value: Location] = [:]
  private var nextKey: Int64 = 0

  init(_ rows: RowEntity, _ connection: Connection, schema: Schema) throws {
    self.connection = connection
    table = schema.table(of: rows.entity)
    self.rows = rows
    storedTypes = ContiguousArray(table.layouts.flatMap(\.storedTypes))
    keyPlace = table.layouts[..<rows.keyIndex].reduce(0) { $0 + $1.stored.count }
    insertion = try connection.statement(.insertion(table.index))
    deletion = try connection.statement(.deletion(table.index))
    reservation = try connection.statement(.keyReservation)
    deletionReachesOthers = schema.model.deletionReachesOthers(rows.entity)
    given = AttributeMask(rows.givenColumns.map { AttributeMask(index: $0) })
  }

  func update(of columns: [Int]) throws -> PreparedStatement {
    let changed = AttributeMask(columns.map { AttributeMask(index: $0) })
    return try connection.statement(.update(table.index, changed))
  }

  func lookup(of count: Int) throws -> PreparedStatement {
    try connection.statement(
      .query(
        .rows(ofEntity: table.index, where: rows.keyIndex, isInListOf: paddedCount(count))))
  }

  // MARK: - Finding rows

  mutating func forget() { locations.removeAll(keepingCapacity: true) }

  mutating func look(up key: Value, by statement: PreparedStatement) throws {
    try bind(key, to: statement.handle, at: 1)
    try readLocations(statement)
  }

  mutating func look(upAll keys: [Value], by statement: PreparedStatement) throws {
    for index in 0..<paddedCount(keys.count) {
      try bind(keys[min(index, keys.count - 1)], to: statement.handle, at: CInt(index + 1))
    }
    try readLocations(statement)
  }

  /// Reads all columns and keeps the key.
  private mutating func readLocations(_ statement: PreparedStatement) throws {
    while try statement.step() {
      for index in storedTypes.indices {
        touch(storedTypes[index], of: statement.handle, at: CInt(index + 2))
      }
      let key = decodeValue(storedTypes[keyPlace], of: statement.handle, at: CInt(keyPlace + 2))
      locations[key] = Location(
        primaryKey: sqlite3_column_int64(statement.handle, 0),
        version: sqlite3_column_int64(statement.handle, 1))
    }
    statement.reset()
  }

  func id(of key: Value) throws -> ManagedObjectID {
    guard let location = locations[key] else { throw noSuchRow(key) }
    return ManagedObjectID(
      store: 0, entityIndex: Int32(table.index), primaryKey: location.primaryKey)
  }

  func knows(_ key: Value) -> Bool { locations[key] != nil }

  // MARK: - Changing rows

  mutating func reserveKeys(_ count: Int) throws {
    guard count > 0 else { return }
    sqlite3_bind_int64(reservation.handle, 1, Int64(count))
    sqlite3_bind_int64(reservation.handle, 2, Int64(table.rootIndex + 1))
    nextKey = try (reservation.number() ?? 0) - Int64(count) + 1
  }

  /// - Parameter isNamed: whether later rows may refer to this row.
  mutating func insert(_ row: ContiguousArray<Value>, isNamed: Bool) throws {
    try bindNew(row, to: insertion)
    try insertion.execute()
    if isNamed { locations[row[rows.keyIndex]] = Location(primaryKey: nextKey, version: 1) }
    nextKey += 1
  }

  private func bindNew(_ row: ContiguousArray<Value>, to statement: PreparedStatement) throws {
    sqlite3_bind_int64(statement.handle, 1, nextKey)
    try table.bindRow(row, to: statement, from: 2)
  }

  /// Updates the found row if it differs, or inserts the row.
  mutating func upsert(_ row: ContiguousArray<Value>) throws {
    let key = row[rows.keyIndex]
    guard let location = locations[key] else { return try insert(row, isNamed: true) }
    let statement = try connection.statement(.updateOfDifferent(table.index, given))
    let parameter = try table.bindColumns(given, of: row, to: statement)
    sqlite3_bind_int64(statement.handle, parameter, location.primaryKey)
    try statement.execute()
    if connection.changes == 1 { locations[key]?.version += 1 }
  }

  /// A uniqueness constraint finds the row to update.
  mutating func takeOver(_ row: ContiguousArray<Value>) throws {
    let statement = try connection.statement(.takeover(table.index, given))
    try bindNew(row, to: statement)
    guard try statement.step() else {
      statement.reset()
      throw StoreError.notUnique(
        entity: table.entity.name,
        values: ["\(table.entity.columns[rows.keyIndex].name) = \(row[rows.keyIndex])"])
    }
    locations[row[rows.keyIndex]] = Location(
      primaryKey: sqlite3_column_int64(statement.handle, 0),
      version: sqlite3_column_int64(statement.handle, 1))
    try statement.finish()
    nextKey += 1
  }

  mutating func update(
    _ key: Value, _ fields: [FieldChange], by statement: PreparedStatement
  ) throws {
    var parameter: CInt = 1
    for field in fields {
      try table.bindColumn(field.value, of: field.index, to: statement, at: &parameter)
    }
    try execute(statement, key, at: parameter)
    locations[key]?.version += 1
  }

  func delete(_ key: Value) throws { try execute(deletion, key, at: 1) }

  /// The statement's last two parameters, from `parameter` on, are the row's key and version.
  private func execute(_ statement: PreparedStatement, _ key: Value, at parameter: CInt) throws {
    guard let location = locations[key] else { throw noSuchRow(key) }
    sqlite3_bind_int64(statement.handle, parameter, location.primaryKey)
    sqlite3_bind_int64(statement.handle, parameter + 1, location.version)
    try statement.execute()
    guard connection.changes == 1 else { throw noSuchRow(key) }
  }

  private func noSuchRow(_ key: Value) -> StoreError {
    .noSuchRow(entity: table.entity.name, key: "\(key)")
  }
}

extension ColumnLayout {
  /// Keys are whole numbers.
  var storedTypes: [AttributeType] {
    if case .attribute(let type) = storage { [type] } else { stored.map { _ in .int64 } }
  }
}

/// Makes SQLite decode the column.
@inline(__always)
func touch(_ type: AttributeType, of handle: OpaquePointer, at column: CInt) {
  switch type {
  case .int64, .bool: _ = sqlite3_column_int64(handle, column)
  case .double, .date, .decimal: _ = sqlite3_column_double(handle, column)
  case .string, .uri:
    _ = sqlite3_column_text(handle, column)
    _ = sqlite3_column_bytes(handle, column)
  case .data, .uuid:
    _ = sqlite3_column_blob(handle, column)
    _ = sqlite3_column_bytes(handle, column)
  }
}
