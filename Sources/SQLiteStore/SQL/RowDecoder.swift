import Foundation
import GRDBSQLite
package import ObjectGraph

package enum EntityDecoder {
  case plain(RowDecoder)
  case kinds(KindDecoder)

  /// - Parameter withSubentities: whether rows have the columns of `EntityTable.familyRowColumns`
  ///   instead of `rowColumns`.
  package init(_ index: Int, in schema: Schema, storeNumber: Int32, withSubentities: Bool) {
    if let types = schema.tables[index].plainTypes, !withSubentities {
      self = .plain(RowDecoder(table: schema.tables[index], types: types, storeNumber: storeNumber))
    } else {
      self = .kinds(
        KindDecoder(index, in: schema, storeNumber: storeNumber, withSubentities: withSubentities))
    }
  }

  package func row(of handle: OpaquePointer) throws -> FetchedRow {
    switch self {
    case .plain(let decoder): try decoder.row(of: handle)
    case .kinds(let decoder): try decoder.row(of: handle)
    }
  }

  package func rows(of statement: PreparedStatement) throws -> DecodedRows {
    var rows = DecodedRows()
    switch self {
    case .plain(let decoder):
      while try statement.step() { rows.append(try decoder.row(of: statement.handle)) }
    case .kinds(let decoder):
      while try statement.step() { rows.append(try decoder.row(of: statement.handle)) }
    }
    return rows
  }
}

/// For stored attributes only. It allocates only the values and their buffer.
package struct RowDecoder {
  let table: EntityTable
  let types: ContiguousArray<AttributeType>
  let storeNumber: Int32

  @inline(__always)
  func row(of handle: OpaquePointer) throws -> FetchedRow {
    let key = try checkedKey(sqlite3_column_int64(handle, 0), in: table.name)
    let version = try checkedVersion(sqlite3_column_int64(handle, 1), in: table.name)
    return FetchedRow(
      id: ManagedObjectID(
        store: storeNumber, entityIndex: Int32(truncatingIfNeeded: table.index), primaryKey: key),
      snapshot: RowSnapshot(values: decodeValues(types, of: handle, from: 2), version: version))
  }
}

/// - Throws: `Damage` if a save could not raise the version.
@inline(__always)
func checkedVersion(_ version: Int64, in table: @autoclosure () -> String) throws -> Int64 {
  guard version >= 0, version < .max else {
    throw Damage(description: "a row of \(table()) has the version \(version)")
  }
  return version
}

/// The values from column `first` on.
@inline(__always)
func decodeValues(
  _ types: ContiguousArray<AttributeType>, of handle: OpaquePointer, from first: CInt
) -> ContiguousArray<Value> {
  // `append` is faster here. `init(unsafeUninitializedCapacity:)` is not specialised: looking up
  // its storage type would take a tenth of a fetch.
  var values = ContiguousArray<Value>()
  values.reserveCapacity(types.count)
  types.withUnsafeBufferPointer { types in
    for index in 0..<types.count {
      values.append(
        decodeValue(types[index], of: handle, at: first + CInt(truncatingIfNeeded: index)))
    }
  }
  return values
}

// Checks whether a number is null only if it is 0, because each check is a call.
@inline(__always)
package func decodeValue(_ type: AttributeType, of handle: OpaquePointer, at column: CInt) -> Value
{
  switch type {
  case .string:
    guard let text = decodeText(of: handle, at: column) else { return .null }
    return .string(text)
  case .int64:
    let number = sqlite3_column_int64(handle, column)
    return number == 0 && isNull(handle, column) ? .null : .int64(number)
  case .bool:
    let number = sqlite3_column_int64(handle, column)
    return number == 0 && isNull(handle, column) ? .null : .bool(number != 0)
  case .double:
    let number = sqlite3_column_double(handle, column)
    return number == 0 && isNull(handle, column) ? .null : .double(number)
  case .date:
    let seconds = sqlite3_column_double(handle, column)
    return seconds == 0 && isNull(handle, column)
      ? .null : .date(Date(timeIntervalSinceReferenceDate: seconds))
  case .data:
    guard !isNull(handle, column) else { return .null }
    guard let bytes = sqlite3_column_blob(handle, column) else { return .data(Data()) }
    return .data(Data(bytes: bytes, count: Int(sqlite3_column_bytes(handle, column))))
  case .decimal:
    let number = sqlite3_column_double(handle, column)
    return number == 0 && isNull(handle, column) ? .null : .decimal(StoredDecimal(number: number))
  case .uuid: return decodeUUID(of: handle, at: column)
  case .uri:
    guard let text = decodeText(of: handle, at: column) else { return .null }
    return .uri(text)
  }
}

private func decodeUUID(of handle: OpaquePointer, at column: CInt) -> Value {
  guard !isNull(handle, column) else { return .null }
  let bytes = sqlite3_column_blob(handle, column)
  let count = Int(sqlite3_column_bytes(handle, column))
  return .uuid(UUID(UnsafeRawBufferPointer(start: bytes, count: count)))
}

@inline(__always)
func decodeText(of handle: OpaquePointer, at column: CInt) -> String? {
  guard let text = sqlite3_column_text(handle, column) else { return nil }
  let count = Int(sqlite3_column_bytes(handle, column))
  return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
}

@inline(__always)
private func isNull(_ handle: OpaquePointer, _ column: CInt) -> Bool {
  sqlite3_column_type(handle, column) == SQLITE_NULL
}

/// Decodes rows with several entities, relationships or transient attributes.
package struct KindDecoder {
  private enum Cell {
    case attribute(AttributeType, CInt)
    case object(CInt, entityIndex: Int32)
    /// If `kind` is null, the target is of this table's entity.
    case objectOfKind(CInt, kind: CInt, EntityTable)
    case constant(Value)
  }

  private let storeNumber: Int32
  /// By entity number.
  private var cells: [[Cell]?]
  /// Nil if all rows are of one entity.
  private let kindColumn: CInt?
  private let table: EntityTable

  init(_ index: Int, in schema: Schema, storeNumber: Int32, withSubentities: Bool) {
    let table = schema.tables[index]
    let names = withSubentities ? table.familyColumns : table.valueColumns
    let first: CInt = withSubentities ? 3 : 2
    let columns = Dictionary(
      uniqueKeysWithValues: zip(names, names.indices.map { first + CInt($0) }))
    self.storeNumber = storeNumber
    self.table = table
    kindColumn = withSubentities ? 2 : nil
    cells = Array(repeating: nil, count: schema.tables.count + 1)
    for kind in withSubentities ? table.kinds : [table.number] {
      cells[kind] = schema.tables[kind - 1].layouts.map {
        Self.cell($0, columns: columns, in: schema)
      }
    }
  }

  private static func cell(_ layout: ColumnLayout, columns: [String: CInt], in schema: Schema)
    -> Cell
  {
    func index(of name: String) -> CInt {
      guard let index = columns[name.quoted] else {
        fatalError("column \(name) is not among those read")
      }
      return index
    }
    switch layout.storage {
    case .attribute(let type): return .attribute(type, index(of: layout.name))
    case .toOne(let entity): return .object(index(of: layout.name), entityIndex: entity)
    case .toOneOfKind(let entity, let column):
      return .objectOfKind(
        index(of: layout.name), kind: index(of: column), schema.tables[Int(entity)])
    case .transient(let value): return .constant(value)
    }
  }

  func row(of handle: OpaquePointer) throws -> FetchedRow {
    let kind = kindColumn.map { Int(sqlite3_column_int64(handle, $0)) } ?? table.number
    guard cells.indices.contains(kind), let cells = cells[kind] else {
      throw unknownKind(kind, in: table.name)
    }
    let key = try checkedKey(sqlite3_column_int64(handle, 0), in: table.name)
    let version = try checkedVersion(sqlite3_column_int64(handle, 1), in: table.name)
    let values = ContiguousArray(try cells.map { try value($0, of: handle) })
    return FetchedRow(
      id: id(key, Int32(kind - 1)), snapshot: RowSnapshot(values: values, version: version))
  }

  private func value(_ cell: Cell, of handle: OpaquePointer) throws -> Value {
    switch cell {
    case .attribute(let type, let column): return decodeValue(type, of: handle, at: column)
    case .constant(let value): return value
    case .object(let column, let entityIndex):
      let key = sqlite3_column_int64(handle, column)
      return key > 0 ? .object(id(key, entityIndex)) : .null
    case .objectOfKind(let column, let kind, let table):
      let key = sqlite3_column_int64(handle, column)
      let number = sqlite3_column_int64(handle, kind)
      guard key > 0 else { return .null }
      let target = number > 0 ? try table.checkedKind(number) - 1 : table.index
      return .object(id(key, Int32(target)))
    }
  }

  private func id(_ key: Int64, _ entityIndex: Int32) -> ManagedObjectID {
    ManagedObjectID(store: storeNumber, entityIndex: entityIndex, primaryKey: key)
  }
}

/// Rows for the caller, and the same rows for the row cache. The second reference is taken as soon
/// as a row is read, while the row's buffer is in the processor's caches.
package struct DecodedRows {
  private(set) var rows: [FetchedRow] = []
  private(set) var snapshots: [RowSnapshot] = []

  init(_ rows: [FetchedRow] = []) {
    for row in rows { append(row) }
  }

  package var count: Int { rows.count }

  mutating func append(_ row: consuming FetchedRow) {
    snapshots.append(row.snapshot)
    rows.append(row)
  }

  static func += (rows: inout DecodedRows, more: DecodedRows) {
    rows.rows += more.rows
    rows.snapshots += more.snapshots
  }

  /// `body` consumes the cache's snapshots.
  mutating func handOver(_ body: (ManagedObjectID, consuming RowSnapshot) -> Void) {
    rows.withUnsafeBufferPointer { rows in
      snapshots.withUnsafeMutableBufferPointer { snapshots in
        for index in rows.indices { body(rows[index].id, snapshots[index].take()) }
      }
    }
    snapshots = []
  }
}
