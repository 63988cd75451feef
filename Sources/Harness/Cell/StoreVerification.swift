import Foundation
import ObjectGraph
import SQLiteStore
import Workload

/// The rows that a store and main's list must hold in the end, computed without the core.
struct Expectation: Sendable {
  /// In the order of the list.
  let rows: [DataRow]
  let fingerprint: Fingerprint

  init(_ cell: PreparedCell, edits: Int) {
    rows = cell.workload.inListOrder(cell.workload.expectedRows(afterEdits: edits))
    fingerprint = Fingerprint(rows)
  }
}

/// Whether a store, read back by plain SQL, and the list on main hold the rows that they should.
struct StoreVerification {
  /// Of the rows in the store.
  let fingerprint: String
  /// The first thing that is not as it should be, in one line; nil if all is.
  let wrong: String?

  /// - Throws: what SQLite reports, if the store cannot be read.
  init(
    _ cell: PreparedCell, _ expectation: Expectation, store: URL, list: [ContiguousArray<Value>]
  ) throws {
    let stored = try PlainReader(store).rows(of: cell.model.entity)
      .map { cell.model.row(ofAttributes: $0.values) }
    let fingerprint = Fingerprint(stored)
    self.fingerprint = fingerprint.hex
    let key = cell.scenario.entity.keyIndex
    if fingerprint != expectation.fingerprint {
      wrong = Self.difference(stored, expectation.rows, key: key, place: "the store")
    } else {
      let shown = list.map(cell.model.row(ofColumns:))
      wrong =
        shown == expectation.rows
        ? nil
        : Self.difference(shown, expectation.rows, key: key, place: "the list on main")
          ?? "the list on main holds the right rows in the wrong order"
    }
  }

  private static func difference(
    _ found: [DataRow], _ expected: [DataRow], key: Int, place: String
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
