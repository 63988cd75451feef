import GRDB
import GRDBSQLite
import ObjectGraph

/// Reads rows that are more than a key, a version and attributes in order: of several entities, with
/// relationships, or with attributes that are not stored.
struct KindDecoder {
  /// What a value is made of.
  private enum Cell {
    case attribute(AttributeType, CInt)
    /// A key, of a target of this entity.
    case object(CInt, entityIndex: Int32)
    /// A key, and the number of the target's entity; of this entity if that is null.
    case objectOfKind(CInt, kind: CInt, entityIndex: Int32)
    case constant(Value)
  }

  private let storeNumber: Int32
  /// By the entity's number; nil for those that cannot occur.
  private var cells: [[Cell]?]
  /// Where the entity's number stands; nil if it is always the same.
  private let kindColumn: CInt?
  private let number: Int
  private let tableName: String

  /// - Parameter withSubentities: whether rows are of the columns that
  ///   `EntityTable.familyRowColumns` names, otherwise `rowColumns`.
  init(
    _ index: Int, in schema: Schema, storeNumber: Int32, withSubentities: Bool
  ) {
    let table = schema.tables[index]
    let names = withSubentities ? table.familyColumns : table.valueColumns
    let first: CInt = withSubentities ? 3 : 2
    let places = Dictionary(
      uniqueKeysWithValues: zip(names, names.indices.map { first + CInt($0) }))
    self.storeNumber = storeNumber
    number = table.number
    tableName = table.name
    kindColumn = withSubentities ? 2 : nil
    cells = Array(repeating: nil, count: schema.tables.count + 1)
    for kind in withSubentities ? table.kinds : [table.number] {
      let resolved = schema.model.resolved[kind - 1]
      cells[kind] = schema.tables[kind - 1].layouts.enumerated().map { column, layout in
        Self.cell(layout, resolved.toOne[column]?.destination, places: places)
      }
    }
  }

  private static func cell(
    _ layout: ColumnLayout, _ destination: Int?, places: [String: CInt]
  ) -> Cell {
    func place(_ name: String) -> CInt {
      guard let place = places[name.quoted] else {
        preconditionFailure("column \(name) is not among those read")
      }
      return place
    }
    switch layout.storage {
    case .attribute(let type): return .attribute(type, place(layout.name))
    case .toOne(let index): return .object(place(layout.name), entityIndex: index)
    case .toOneOfKind(let column):
      return .objectOfKind(
        place(layout.name), kind: place(column), entityIndex: Int32(destination ?? 0))
    case .transient(let value): return .constant(value)
    }
  }

  /// - Throws: `StoreError.unknownKind` if the row is of an entity that the table has no rows of.
  func row(of handle: OpaquePointer) throws -> FetchedRow {
    let kind = kindColumn.map { Int(sqlite3_column_int64(handle, $0)) } ?? number
    guard cells.indices.contains(kind), let cells = cells[kind] else {
      throw StoreError.unknownKind(table: tableName, number: kind)
    }
    let values = ContiguousArray(cells.map { value($0, of: handle) })
    return FetchedRow(
      id: id(sqlite3_column_int64(handle, 0), Int32(kind - 1)),
      snapshot: RowSnapshot(values: values, version: sqlite3_column_int64(handle, 1)))
  }

  private func value(_ cell: Cell, of handle: OpaquePointer) -> Value {
    switch cell {
    case .attribute(let type, let column): return decodeValue(type, of: handle, at: column)
    case .constant(let value): return value
    case .object(let column, let entityIndex):
      let key = sqlite3_column_int64(handle, column)
      return key > 0 ? .object(id(key, entityIndex)) : .null
    case .objectOfKind(let column, let kind, let entityIndex):
      let key = sqlite3_column_int64(handle, column)
      let number = Int32(truncatingIfNeeded: sqlite3_column_int64(handle, kind))
      guard key > 0 else { return .null }
      return .object(id(key, number > 0 ? number - 1 : entityIndex))
    }
  }

  private func id(_ key: Int64, _ entityIndex: Int32) -> ManagedObjectID {
    ManagedObjectID(store: storeNumber, entityIndex: entityIndex, primaryKey: key)
  }
}

/// How the rows of an entity are read.
enum EntityDecoder {
  /// Stored attributes only.
  case plain(RowDecoder)
  case kinds(KindDecoder)

  init(_ index: Int, in schema: Schema, storeNumber: Int32, withSubentities: Bool) {
    let table = schema.tables[index]
    if table.isPlain, !withSubentities {
      self = .plain(RowDecoder(table, storeNumber: storeNumber))
    } else {
      self = .kinds(
        KindDecoder(index, in: schema, storeNumber: storeNumber, withSubentities: withSubentities))
    }
  }

  /// The row on which a statement stands.
  func row(of handle: OpaquePointer) throws -> FetchedRow {
    switch self {
    case .plain(let decoder): decoder.row(of: handle)
    case .kinds(let decoder): try decoder.row(of: handle)
    }
  }

  /// All rows of a statement that is bound.
  func rows(of statement: PreparedStatement) throws -> DecodedRows {
    var rows = DecodedRows()
    switch self {
    case .plain(let decoder):
      while try statement.step() { rows.append(decoder.row(of: statement.handle)) }
    case .kinds(let decoder):
      while try statement.step() { rows.append(try decoder.row(of: statement.handle)) }
    }
    return rows
  }
}
