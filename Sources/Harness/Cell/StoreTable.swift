import Foundation
import ObjectGraph
import SQLiteStore
import Topologies
import Workload

/// One entity's rows: of the data files, and of the store.
struct StoreTable: Sendable {
  /// As the data files have it.
  let rows: RowDescription
  let entity: Entity
  /// For each column of the data files, its place in a row of the store.
  let columns: [Int]
  /// For each reference, the place of its destination among the entities that have rows.
  let destinations: [Int]
  /// For each attribute, its place among attributes alone, as a row that is read back by plain SQL
  /// has them; for each reference, its place among relationships to one.
  private let places: [Int]
  private let defaults: ContiguousArray<Value>

  /// - Parameter destinations: the names of the entities that have rows, by their places.
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

  /// What the topologies are told of it.
  var rowEntity: RowEntity {
    let places = columns.dropFirst(rows.attributes.count)
    return RowEntity(
      entity, keyIndex: keyIndex,
      references: zip(places, destinations).map { RowReference(column: $0, destination: $1) })
  }

  /// A row of the data files as a row of the store; where it refers to another, with that one's key.
  func values(_ row: Row) -> ContiguousArray<Value> {
    var values = defaults
    for (column, value) in zip(columns, row) { values[column] = value }
    return values
  }

  /// The attributes of the data files, of a row of the store.
  func attributes(_ values: ContiguousArray<Value>) -> Row {
    columns.prefix(rows.attributes.count).map { values[$0] }
  }

  /// The columns of the data files, of a row that was read back by plain SQL.
  ///
  /// - Parameter keys: for each reference, the business keys of its destination's rows by their
  ///   primary keys.
  func row(_ row: PlainReader.Row, keys: [[Int64: Value]]) -> Row {
    let count = rows.attributes.count
    let attributes = places.prefix(count).map { row.values[$0] }
    guard !rows.references.isEmpty else { return attributes }
    let references = zip(places.dropFirst(count), keys).map { place, keys in
      // What leads to no row is no key of any, so that it is found to be wrong.
      row.targets[place].map { keys[$0] ?? .data(.init()) } ?? .null
    }
    return attributes + references
  }
}

/// The rows that a store begins with: primary keys in the place of business keys.
struct InitialRows {
  private let tables: [StoreTable]
  private let model: Model
  /// The primary keys, by entity and business key.
  private var primaryKeys: [[Value: Int64]] = []

  /// - Parameter rows: of the data files, by entity.
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

  /// - Parameter index: the place of the entity.
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
  /// The business keys of rows that were read back by plain SQL, by their primary keys.
  func keys(_ rows: [PlainReader.Row]) -> [Int64: Value] {
    let key = places[self.rows.keyIndex]
    return Dictionary(uniqueKeysWithValues: rows.map { ($0.key, $0.values[key]) })
  }

  /// Whether rows of these may refer to its rows.
  func isReferredTo(by tables: [StoreTable]) -> Bool {
    tables.contains { $0.rows.references.contains { $0.destination == rows.name } }
  }
}

extension Entity {
  /// The topmost entity of its hierarchy, whose rows are counted together.
  fileprivate var root: Entity { parent?.root ?? self }
}
