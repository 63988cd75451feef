import Foundation
import ObjectGraph
import SQLiteStore
import Workload

/// The rows that the store and main's lists must hold at the end, computed without the core.
struct Expectation: Sendable {
  /// The rows by entity. The list's rows come first, in the list's order.
  let tables: [[Row]]
  let fingerprint: Fingerprint

  init(_ cell: PreparedCell, edits: Int) {
    let list = cell.workload.inListOrder(cell.workload.expectedRows(afterEdits: edits))
    tables = [list] + cell.workload.tables.dropFirst().map(\.after.rows)
    fingerprint = Fingerprint(tables, of: cell.model)
  }

  /// The rows of a list on main, in order.
  ///
  /// - Parameter table: the index of the entity that the list shows.
  func list(ofTable table: Int, _ cell: PreparedCell) -> [Row] {
    let description = cell.model.tables[table].rows
    let order = cell.scenario.order(ofTable: table)
    let rows = table == 0 ? tables[0] : tables[table].sorted { order.isOrdered($0, before: $1) }
    return description.references.isEmpty
      ? rows : rows.map { Array($0.prefix(description.attributes.count)) }
  }
}

extension Fingerprint {
  /// - Parameter tables: the rows of each entity, the list's first.
  fileprivate init(_ tables: [[Row]], of model: StoreModel) {
    self.init(tables[0])
    for (table, rows) in zip(model.tables, tables).dropFirst() { add(rows, of: table.rows.name) }
  }
}

/// Checks that the store, read back by plain SQL, and main's lists hold the expected rows.
struct StoreVerification {
  let fingerprint: String
  /// The first difference, in one line; nil if there is none.
  let wrong: String?

  /// - Throws: SQLite's error if the store cannot be read.
  init(
    _ cell: PreparedCell, _ expectation: Expectation, store: URL,
    lists: [[ContiguousArray<Value>]]
  ) throws {
    let stored = try Self.rows(in: store, of: cell.model)
    let fingerprint = Fingerprint(stored, of: cell.model)
    self.fingerprint = fingerprint.hex
    wrong =
      fingerprint == expectation.fingerprint
      ? Self.difference(of: lists, expectation, cell)
      : Self.difference(of: stored, expectation, cell.model)
  }

  /// The rows of all entities. References hold the destination's business key.
  private static func rows(in store: URL, of model: StoreModel) throws -> [[Row]] {
    let reader = try PlainReader(store)
    let read = try model.tables.map { try reader.rows(of: $0.entity) }
    let keys = zip(model.tables, read).map { table, rows in
      table.isReferredTo(by: model.tables) ? table.keys(rows) : [:]
    }
    return zip(model.tables, read).map { table, rows in
      let keys = table.destinations.map { keys[$0] }
      return rows.map { table.row($0, keys: keys) }
    }
  }

  private static func difference(
    of stored: [[Row]], _ expectation: Expectation, _ model: StoreModel
  ) -> String? {
    for (index, table) in model.tables.enumerated() {
      let place = index == 0 ? "the store" : "the store's \(table.rows.name)"
      let found = difference(
        stored[index], expectation.tables[index], key: table.rows.keyIndex, place: place)
      if let found { return found }
    }
    return "the store holds a row twice"
  }

  private static func difference(
    of lists: [[ContiguousArray<Value>]], _ expectation: Expectation, _ cell: PreparedCell
  ) -> String? {
    let shown = cell.scenario.list.shown
    let expected = Dictionary(
      uniqueKeysWithValues: Set(shown).map { ($0, expectation.list(ofTable: $0, cell)) })
    for (number, (index, list)) in zip(shown, lists).enumerated() {
      let table = cell.model.tables[index]
      let rows = list.map(table.attributes)
      guard let expected = expected[index], rows != expected else { continue }
      let place = number == 0 ? "the list on main" : "list \(number + 1) on main"
      return difference(rows, expected, key: table.rows.keyIndex, place: place)
        ?? "\(place) holds the right rows in the wrong order"
    }
    return nil
  }

  private static func difference(
    _ found: [Row], _ expected: [Row], key: Int, place: String
  ) -> String? {
    let found = Dictionary(found.map { ($0[key], $0) }, uniquingKeysWith: { first, _ in first })
    let expected = Dictionary(
      expected.map { ($0[key], $0) }, uniquingKeysWith: { first, _ in first })
    let missing = expected.keys.filter { found[$0] == nil }.sorted()
    if let first = missing.first {
      return "\(place) lacks \(missing.count) row(s), the first with the key \(first)"
    }
    let extra = found.keys.filter { expected[$0] == nil }.sorted()
    if let first = extra.first {
      return "\(place) holds \(extra.count) row(s) too many, the first with the key \(first)"
    }
    let different = expected.keys.filter { found[$0] != expected[$0] }.sorted()
    return different.first.map {
      "\(place) holds \(different.count) row(s) with other values, the first with the key \($0)"
    }
  }
}
