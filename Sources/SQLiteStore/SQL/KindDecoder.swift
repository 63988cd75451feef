import GRDBSQLite
import ObjectGraph

/// For several entities, relationships, or transient attributes.
struct KindDecoder {
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
