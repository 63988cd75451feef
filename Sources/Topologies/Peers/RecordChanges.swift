import GRDB
import ObjectGraph
import SQLiteStore

/// Turns changes into records that are inserted, looked up, updated and deleted, one statement each: as
/// `ChangeApplier` does with objects.
struct RecordChanges: Sendable {
  let table: PlainTable
  let keyIndex: Int
  let lookup: Lookup

  /// Applies the changes in their order, inside a transaction.
  ///
  /// - Throws: `ChangeError.missing` if there is no row to update or delete; what SQLite reports.
  func apply(_ batch: [Change], in database: Database) throws {
    try RowRecord.of(table) {
      var found = lookup == .perBatch ? try records(batch.compactMap(\.key), in: database) : [:]
      for change in batch {
        switch change {
        case .insert(let values):
          var record = RowRecord(values: values)
          try record.insert(database)
        case .update(let key, let fields):
          var record = try record(key, among: found, in: database)
          try record.updateChanges(database) { $0.change(fields) }
          found[key] = record
        case .delete(let key):
          try record(key, among: found, in: database).delete(database)
        }
      }
    }
  }

  func count(of keys: [Value], in database: Database) throws -> Int {
    try RowRecord.of(table) {
      try RowRecord.rows(where: keyIndex, isIn: keys).fetchAll(database).count
    }
  }

  private func record(
    _ key: Value, among found: [Value: RowRecord], in database: Database
  ) throws -> RowRecord {
    if lookup == .perBatch, let record = found[key] { return record }
    let request = RowRecord.rows(where: keyIndex, isIn: [key])
    guard let record = try request.fetchOne(database) else { throw ChangeError.missing(key) }
    return record
  }

  private func records(_ keys: [Value], in database: Database) throws -> [Value: RowRecord] {
    let records = try RowRecord.rows(where: keyIndex, isIn: keys).fetchAll(database)
    return Dictionary(records.map { ($0.values[keyIndex], $0) }) { first, _ in first }
  }
}
