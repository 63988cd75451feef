import GRDBSQLite
import ObjectGraph

/// One entity in a run of the plain SQL: its statements, and where its rows of the batch at hand are.
struct RawTable {
  private struct Location {
    let primaryKey: Int64
    var version: Int64
  }

  let table: EntityTable
  let keyAttribute: Int
  let references: [(column: Int, destination: Int)]
  private let connection: Connection
  /// Of the columns that a lookup reads, in their order.
  private let storedTypes: ContiguousArray<AttributeType>
  /// Where the key attribute is among them.
  private let keyPlace: Int
  private let insertion: PreparedStatement
  private let deletion: PreparedStatement
  private let reservation: PreparedStatement
  /// Whether delete rules may reach other rows from one of these.
  let deletionReachesOthers: Bool
  /// The columns that a whole row sets.
  private let given: [Int]
  private let givenMask: AttributeMask
  private var locations: [Value: Location] = [:]
  private var nextKey: Int64 = 0

  init(_ rows: RawSQLite.Rows, _ connection: Connection, schema: Schema) throws {
    self.connection = connection
    table = schema.table(of: rows.entity)
    keyAttribute = rows.key
    references = rows.references
    storedTypes = ContiguousArray(table.layouts.flatMap(\.storedTypes))
    keyPlace = table.layouts[..<keyAttribute].reduce(0) { $0 + $1.stored.count }
    insertion = try connection.statement(.insertion(table.number - 1))
    deletion = try connection.statement(.deletion(table.number - 1))
    reservation = try connection.statement(.keyReservation)
    deletionReachesOthers = schema.model.deletionReachesOthers(rows.entity)
    given = rows.givenColumns
    givenMask = AttributeMask(given.map { AttributeMask(index: $0) })
  }

  func update(of columns: [Int]) throws -> PreparedStatement {
    let changed = AttributeMask(columns.map { AttributeMask(index: $0) })
    return try connection.statement(.update(table.number - 1, changed))
  }

  func lookup(of count: Int) throws -> PreparedStatement {
    let condition = PredicateToken.isIn(keyAttribute, count: paddedCount(count), isNegated: false)
    let shape = QueryShape(output: .rows, entityIndex: table.number - 1, condition: [condition])
    return try connection.statement(.query(shape))
  }

  // MARK: - Finding rows

  mutating func forget() { locations.removeAll(keepingCapacity: true) }

  mutating func look(up key: Value, by statement: PreparedStatement) throws {
    bind(key, to: statement.handle, at: 1)
    try readLocations(statement)
  }

  mutating func look(upAll keys: [Value], by statement: PreparedStatement) throws {
    for index in 0..<paddedCount(keys.count) {
      bind(keys[min(index, keys.count - 1)], to: statement.handle, at: CInt(index + 1))
    }
    try readLocations(statement)
  }

  /// All their columns are read, only the key is kept.
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

  /// What stands in a column that refers to the row of this key.
  func id(of key: Value) throws -> ManagedObjectID {
    guard let location = locations[key] else { throw noSuchRow(key) }
    return ManagedObjectID(
      store: 0, entityIndex: Int32(table.number - 1), primaryKey: location.primaryKey)
  }

  /// Whether the row was found, or written, in the batch at hand.
  func knows(_ key: Value) -> Bool { locations[key] != nil }

  // MARK: - Changing rows

  mutating func reserveKeys(_ count: Int) throws {
    guard count > 0 else { return }
    sqlite3_bind_int64(reservation.handle, 1, Int64(count))
    sqlite3_bind_int64(reservation.handle, 2, Int64(table.rootNumber))
    nextKey = try (reservation.number() ?? 0) - Int64(count) + 1
  }

  /// - Parameter isNamed: whether rows that follow may refer to it.
  mutating func insert(_ row: ContiguousArray<Value>, isNamed: Bool) throws {
    try bindNew(row, to: insertion)
    try insertion.execute()
    if isNamed { locations[row[keyAttribute]] = Location(primaryKey: nextKey, version: 1) }
    nextKey += 1
  }

  /// With the next key in front.
  private func bindNew(_ row: ContiguousArray<Value>, to statement: PreparedStatement) throws {
    sqlite3_bind_int64(statement.handle, 1, nextKey)
    if table.isPlain {
      for index in row.indices { bind(row[index], to: statement.handle, at: CInt(index + 2)) }
    } else {
      var parameter: CInt = 2
      for index in row.indices {
        try bindColumn(row[index], of: index, table, to: statement, at: &parameter)
      }
    }
  }

  /// Writes the row where it differs from the one that was found, or inserts it.
  mutating func upsert(_ row: ContiguousArray<Value>) throws {
    let key = row[keyAttribute]
    guard let location = locations[key] else { return try insert(row, isNamed: true) }
    let statement = try connection.statement(.updateOfDifferent(table.number - 1, givenMask))
    var parameter: CInt = 1
    for column in given {
      try bindColumn(row[column], of: column, table, to: statement, at: &parameter)
    }
    sqlite3_bind_int64(statement.handle, parameter, location.primaryKey)
    try statement.execute()
    if connection.changes == 1 { locations[key]?.version += 1 }
  }

  /// Inserts the row, or has the row that a constraint finds take its values.
  mutating func takeOver(_ row: ContiguousArray<Value>) throws {
    let statement = try connection.statement(.takeover(table.number - 1, givenMask))
    try bindNew(row, to: statement)
    guard try statement.step() else {
      statement.reset()
      throw StoreError.notUnique(entity: table.entity.name, reason: "\(row[keyAttribute])")
    }
    locations[row[keyAttribute]] = Location(
      primaryKey: sqlite3_column_int64(statement.handle, 0),
      version: sqlite3_column_int64(statement.handle, 1))
    while try statement.step() {}
    statement.reset()
    nextKey += 1
  }

  /// - Parameter fields: in the order of the columns.
  mutating func update(
    _ key: Value, _ fields: [(Int, Value)], by statement: PreparedStatement
  ) throws {
    var parameter: CInt = 1
    for (column, value) in fields {
      try bindColumn(value, of: column, table, to: statement, at: &parameter)
    }
    try execute(statement, key, at: parameter)
    locations[key]?.version += 1
  }

  func delete(_ key: Value) throws { try execute(deletion, key, at: 1) }

  /// Runs a statement whose last parameters, from this one on, are the row and its version.
  private func execute(
    _ statement: PreparedStatement, _ key: Value, at parameter: CInt
  ) throws {
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
