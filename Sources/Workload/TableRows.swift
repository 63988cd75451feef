import DataModel

/// One entity's rows before and after the changes.
package struct TableRows: Sendable {
  package let entity: RowDescription
  package private(set) var before: DataSet
  package private(set) var after: DataSet

  init(entity: RowDescription, before: DataSet, after: DataSet) {
    self.entity = entity
    self.before = before
    self.after = after
  }
}

// Rows may only refer to existing rows. If `data.rows` cuts the list to a smoke size, rows that
// refer to removed rows are removed too, and so on:
//
//   Visit ──▶ Patient (60 of 5,000 are kept) ──▶ Ward
//   visits of the others go                      wards stay, though fewer patients are in them

extension TableRows {
  /// - Throws: an error at the line of the first row with a dangling reference.
  static func related(
    _ tables: [TableRows], of scenario: Scenario
  ) throws(ScenarioError) -> [TableRows] {
    var tables = tables
    if scenario.data.rows != nil { prune(&tables) }
    for (index, table) in tables.enumerated() where !table.entity.references.isEmpty {
      let files =
        index == 0
        ? (scenario.data.before, scenario.data.after)
        : (scenario.others[index - 1].before, scenario.others[index - 1].after)
      try table.check(table.before, of: files.0, tables.map { ($0.entity.name, $0.before) })
      try table.check(table.after, of: files.1, tables.map { ($0.entity.name, $0.after) })
    }
    return tables
  }

  private func check(
    _ rows: DataSet, of file: String, _ tables: [(String, DataSet)]
  ) throws(ScenarioError) {
    for (number, row) in rows.rows.enumerated() {
      guard let (reference, key) = dangling(row, tables) else { continue }
      let line = rows.lines.indices.contains(number) ? rows.lines[number] : nil
      throw ScenarioError(
        .file(file, line: line), field: reference.column.name,
        "refers to \(reference.destination) \(key), which has no row; add it, or leave the field empty"
      )
    }
  }

  /// The first reference of a row that leads to no row.
  private func dangling(
    _ row: Row, _ tables: [(name: String, rows: DataSet)]
  ) -> (Reference, Value)? {
    for (place, reference) in entity.references.enumerated() {
      let key = row[entity.attributes.count + place]
      guard key != .null, let table = tables.first(where: { $0.name == reference.destination })
      else { continue }
      if table.rows[key] == nil { return (reference, key) }
    }
    return nil
  }

  /// Removes rows with dangling references until there are none.
  private static func prune(_ tables: inout [TableRows]) {
    var isChanged = true
    while isChanged {
      isChanged = false
      for index in tables.indices where !tables[index].entity.references.isEmpty {
        let before = tables.map { ($0.entity.name, $0.before) }
        let after = tables.map { ($0.entity.name, $0.after) }
        let table = tables[index]
        tables[index].before = table.before.filtered(table.entity) {
          table.dangling($0, before) == nil
        }
        tables[index].after = table.after.filtered(table.entity) {
          table.dangling($0, after) == nil
        }
        if tables[index].before.rows.count != table.before.rows.count
          || tables[index].after.rows.count != table.after.rows.count
        {
          isChanged = true
        }
      }
    }
  }
}

extension DataSet {
  fileprivate func filtered(_ entity: RowDescription, _ isIncluded: (Row) -> Bool) -> DataSet {
    let kept = rows.filter(isIncluded)
    guard kept.count < rows.count else { return self }
    return keeping(Set(kept.map { $0[entity.keyIndex] }), keyIndex: entity.keyIndex)
  }
}
