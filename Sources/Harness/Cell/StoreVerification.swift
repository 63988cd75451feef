import Foundation
import ObjectGraph
import SQLiteStore
import Workload

/// The rows that the store and main's list must hold at the end, computed without the core.
struct Expectation: Sendable {
  /// The rows by entity. The list's rows come first, in the list's order.
  let tables: [[Row]]
  let fingerprint: Fingerprint

  init(_ cell: PreparedCell, edits: Int) {
    let list = cell.workload.inListOrder(cell.workload.expectedRows(afterEdits: edits))
    tables = [list] + cell.workload.tables.dropFirst().map(\.after.rows)
    fingerprint = Fingerprint(tables, of: cell.model)
  }

  /// The rows of the list on main.
  func list(of model: StoreModel) -> [Row] {
    let count = model.list.rows.attributes.count
    return model.list.rows.references.isEmpty
      ? tables[0] : tables[0].map { Array($0.prefix(count)) }
  }
}

extension Fingerprint {
  /// - Parameter tables: the rows of each entity, the list's first.
  fileprivate init(_ tables: [[Row]], of model: StoreModel) {
    self.init(tables[0])
    for (table, rows) in zip(model.tables, tables).dropFirst() { add(rows, of: table.rows.name) }
  }
}

/// Checks that the store, read back by plain SQL, and main's list hold the expected rows.
struct StoreVerification {
  /// The fingerprint of the rows in the store.
  let fingerprint: String
  /// The first difference, in one line; nil if there is none.
  let wrong: String?

  /// - Throws: SQLite's error if the store cannot be read.
  init(
    _ cell: PreparedCell, _ expectation: Expectation, store: URL, list: [ContiguousArray<Value>]
  ) throws {
    let stored = try Self.rows(in: store, of: cell.model)
    let fingerprint = Fingerprint(stored, of: cell.model)
    self.fingerprint = fingerprint.hex
    wrong =
      fingerprint == expectation.fingerprint
      ? Self.difference(of: list, expectation, cell.model)
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
    of list: [ContiguousArray<Value>], _ expectation: Expectation, _ model: StoreModel
  ) -> String? {
    let shown = list.map(model.list.attributes)
    let expected = expectation.list(of: model)
    guard shown != expected else { return nil }
    let key = model.list.rows.keyIndex
    return difference(shown, expected, key: key, place: "the list on main")
      ?? "the list on main holds the right rows in the wrong order"
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
