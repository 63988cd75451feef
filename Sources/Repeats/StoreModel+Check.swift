import ObjectGraph
package import Support
package import Workload

extension StoreModel {
  /// - Throws: an error if the scenario's predicates do not suit its rows.
  package func check(_ tables: [TableRows], of scenario: Scenario) throws(InputError) {
    if scenario.user.searchesPerSecond.events(in: scenario.horizon) > 0 {
      try tables[0].requireWords(in: typedAttribute, of: scenario)
    }
    if scenario.changes.deleteWhere != nil { try checkDeletion(tables, of: scenario) }
  }

  /// Refuses a predicate that does not match exactly the rows of the list that go. A predicate that
  /// reads relationships is not checked: the order of deletions decides what they hold.
  private func checkDeletion(_ tables: [TableRows], of scenario: Scenario) throws(InputError) {
    let (rows, predicate) = (tables[0], list.deletion)
    guard !predicate.followsRelationship,
      predicate.ownColumns.allSatisfy({ entity.columns[$0].attribute != nil })
    else { return }
    let keyIndex = rows.entity.keyIndex
    func wrong(_ start: String, _ row: Row, _ end: String) -> InputError {
      let key = "\(row[keyIndex])".short
      return scenario.error(
        "changes.delete_where",
        message: "\(start) row \(key), which \(end); match exactly the rows that go")
    }
    if let row = rows.after.rows.first(where: { predicate.matches(list.values($0)) }) {
      throw wrong("matches", row, "stays")
    }
    // A rule may delete what the predicate does not match.
    guard !tables.ruleDeletesFromList(of: scenario) else { return }
    let unmatched = rows.before.rows.first { row in
      rows.after[row[keyIndex]] == nil && !predicate.matches(list.values(row))
    }
    if let row = unmatched { throw wrong("does not match", row, "goes") }
  }
}
