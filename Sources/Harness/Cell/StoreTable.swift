import Foundation
import ObjectGraph
import SQLiteStore
import Topologies
import Workload

struct StoreTable: Sendable {
  let rows: RowDescription
  let entity: Entity
  /// The position in a row of the store, by column of the data files.
  let columns: [Int]
  /// By reference, among the entities with rows.
  let destinations: [Int]
  /// The positions in a row that plain SQL read back: of attributes among attributes, of references
  /// among to-one relationships.
  private let places: [Int]
  private let defaults: ContiguousArray<Value>

  init(_ rows: RowDescription, _ entity: Entity, destinations: [String]) {
    self.rows = rows
    self.entity = entity
    columns = rows.columns.map(\.name).compactMap(entity.index(of:))
    self.destinations = rows.references.compactMap { destinations.firstIndex(of: $0.destination) }
    let attributes = entity.attributes.map(\.name)
    let relationships = entity.columns.compactMap(\.relationship?.name)
    places =
      rows.attributes.map(\.name).compactMap(attributes.firstIndex(of:))
      + rows.references.map(\.column.name).compactMap(relationships.firstIndex(of:))
    defaults = ContiguousArray(entity.columns.map { $0.attribute?.defaultValue ?? .null })
  }

  var keyIndex: Int { columns[rows.keyIndex] }

  var rowEntity: RowEntity {
    let places = columns.dropFirst(rows.attributes.count)
    return RowEntity(
      entity, keyIndex: keyIndex,
      references: zip(places, destinations).map { RowReference(column: $0, destination: $1) })
  }

  /// Into a row of the store. References keep business keys.
  func values(_ row: Row) -> ContiguousArray<Value> {
    var values = defaults
    for (column, value) in zip(columns, row) { values[column] = value }
    return values
  }

  /// Into a row of the data files, without references.
  func attributes(_ values: ContiguousArray<Value>) -> Row {
    columns.prefix(rows.attributes.count).map { values[$0] }
  }

  /// From plain SQL into a row of the data files.
  ///
  /// - Parameter keys: for each reference, the destination's business keys by primary key.
  func row(_ row: PlainReader.Row, keys: [[Int64: Value]]) -> Row {
    let count = rows.attributes.count
    let attributes = places.prefix(count).map { row.values[$0] }
    guard !rows.references.isEmpty else { return attributes }
    let references = zip(places.dropFirst(count), keys).map { place, keys in
      // A dangling reference gets a value that equals no key, so that verification fails.
      row.targets[place].map { keys[$0] ?? .data(.init()) } ?? .null
    }
    return attributes + references
  }
}

/// Primary keys replace business keys.
struct InitialRows {
  private let tables: [StoreTable]
  private let model: Model
  private var primaryKeys: [[Value: Int64]] = []

  init(_ rows: [[Row]], in model: StoreModel) {
    tables = model.tables
    self.model = model.model
    var last: [ObjectIdentifier: Int64] = [:]
    for (table, rows) in zip(tables, rows) {
      let root = ObjectIdentifier(table.entity.root)
      let first = last[root, default: 0] + 1
      last[root] = first + Int64(rows.count) - 1
      primaryKeys.append(
        table.isReferredTo(by: tables)
          ? Dictionary(uniqueKeysWithValues: zip(rows.map { $0[table.rows.keyIndex] }, first...))
          : [:])
    }
  }

  func values(_ row: Row, of index: Int) -> ContiguousArray<Value> {
    let table = tables[index]
    var values = table.values(row)
    for reference in table.rowEntity.references where !values[reference.column].isNull {
      let destination = tables[reference.destination].entity
      values[reference.column] =
        primaryKeys[reference.destination][values[reference.column]].map {
          .object(
            ManagedObjectID(
              store: 0, entityIndex: Int32(model.index(of: destination)), primaryKey: $0))
        } ?? .null
    }
    return values
  }
}

extension StoreTable {
  func key(of row: PlainReader.Row) -> Value { row.values[places[rows.keyIndex]] }

  func isReferredTo(by tables: [StoreTable]) -> Bool {
    tables.contains { $0.rows.references.contains { $0.destination == rows.name } }
  }
}

extension Entity {
  /// The topmost entity, which numbers the rows of all its subentities.
  fileprivate var root: Entity { parent?.root ?? self }
}
