import DataModel
import Support

/// An entity's rows before and after the changes.
package struct TableRows: Sendable {
  package let entity: RowDescription
  package internal(set) var before: DataSet
  package internal(set) var after: DataSet

  var unusedColumns: [String] { (before.unusedColumns + after.unusedColumns).unique }

  var differs: Bool {
    after.rows.contains { before[$0[entity.keyIndex]] != $0 }
      || before.rows.contains { after[$0[entity.keyIndex]] == nil }
  }

  /// Keeps the smallest keys of both data sets together, so that a small size has every kind of
  /// change.
  mutating func keepFirst(_ count: Int) {
    let keys = Set(Set(before.keys).union(after.keys).sorted().prefix(count))
    before.keep { keys.contains($0[entity.keyIndex]) }
    after.keep { keys.contains($0[entity.keyIndex]) }
  }
}

// If `data.rows` cuts the list to a smoke size, rows that refer to removed rows are removed too,
// and so on:
//
//   Visit ──▶ Patient (60 of 5,000 are kept) ──▶ Ward
//   visits of the others go                      wards stay, though fewer patients are in them

/// The rows to which references may lead.
struct NamedRows {
  let name: String
  let rows: DataSet
  /// Rows that are gone, or are deleted only after all references are set.
  var gone: DataSet?
  var mayLeadToGone = false

  func holds(_ key: Value) -> Bool {
    rows[key] != nil || (mayLeadToGone && gone?[key] != nil)
  }
}

extension TableRows {
  var namedBefore: NamedRows { NamedRows(name: entity.name, rows: before) }

  func namedAfter(_ rules: DeletionKind) -> NamedRows {
    NamedRows(
      name: entity.name, rows: after, gone: before, mayLeadToGone: rules != .explicit)
  }

  /// - Throws: an error at the line of the first dangling reference.
  func check(
    _ rows: DataSet, of file: String, isQuoted: Bool, _ tables: [NamedRows]
  ) throws(InputError) {
    guard !entity.references.isEmpty else { return }
    for (index, row) in rows.rows.enumerated() {
      guard let (reference, key) = dangling(row, tables) else { continue }
      let found = isQuoted ? " \(key)".short : ""
      let table = tables.first { $0.name == reference.destination }
      let isGone = table?.gone?[key] != nil
      throw InputError(
        .file(file, line: rows.line(ofRow: index)), field: reference.column.name,
        "refers to \(reference.destination)\(found), which "
          + (isGone
            ? "is gone after the changes; remove this row, too, leave the field empty, or set"
              + " changes.deletions: by-rule"
            : "has no row; add it, or leave the field empty"))
    }
  }

  private func dangling(
    _ row: Row, _ tables: [NamedRows]
  ) -> (Reference, Value)? {
    zip(entity.references, row.dropFirst(entity.attributes.count)).first { reference, key in
      guard key != .null, let table = tables.first(where: { $0.name == reference.destination })
      else { return false }
      return !table.holds(key)
    }
  }

  static func prune(_ tables: inout [TableRows], by rules: DeletionKind) {
    var isChanged = true
    while isChanged {
      isChanged = false
      for index in tables.indices where !tables[index].entity.references.isEmpty {
        let before = tables.map(\.namedBefore)
        let after = tables.map { $0.namedAfter(rules) }
        let table = tables[index]
        let removed = [
          tables[index].before.keep { table.dangling($0, before) == nil },
          tables[index].after.keep { table.dangling($0, after) == nil },
        ]
        if removed != [0, 0] { isChanged = true }
      }
    }
  }
}
