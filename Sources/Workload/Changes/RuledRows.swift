import DataModel
import Support

/// The rows of all entities while changes and their delete rules are applied.
struct RuledRows {
  private struct Name: Hashable {
    let table: Int
    let key: Value
  }

  private let rules: DeleteRules
  private let entities: [RowDescription]
  /// By entity and business key.
  private var rows: [[Value: Row]]
  /// By reference: the keys of the rows that refer to a key.
  private var holders: [[Value: Set<Value>]]
  /// By relationship with pairs: the keys at the other end, by the keys of each end.
  private let partners: [(mine: [Value: [Value]], theirs: [Value: [Value]])]

  init(_ rules: DeleteRules, _ tables: [(RowDescription, [Row])], pairs: [[KeyPair]]) {
    self.rules = rules
    entities = tables.map(\.0)
    rows = tables.map { _ in [:] }
    holders = rules.references.map { _ in [:] }
    partners = pairs.map { pairs in
      (
        Dictionary(grouping: pairs, by: \.mine).mapValues { $0.map(\.theirs) },
        Dictionary(grouping: pairs, by: \.theirs).mapValues { $0.map(\.mine) }
      )
    }
    for (table, (entity, rows)) in tables.enumerated() {
      for row in rows { put(row, Name(table: table, key: row[entity.keyIndex])) }
    }
  }

  /// Nil if there is no such row.
  func row(_ key: Value, of table: Int) -> Row? { rows[table][key] }

  /// - Returns: the change with what the rules add: plain inserts, updates and deletes. Nothing if
  ///   the row is gone.
  mutating func apply(_ change: Change) -> [Change] {
    let table = change.entity
    switch change.kind {
    case .insert(let row), .upsert(let row):
      put(row, Name(table: table, key: row[entities[table].keyIndex]))
    case .update(let key, let fields):
      guard var row = rows[table][key] else { return [] }
      for field in fields { row[field.index] = field.value }
      put(row, Name(table: table, key: key))
    case .delete(let key): return delete(Name(table: table, key: key))
    case .deleteWhere: preconditionFailure("the deletions of a predicate are named one by one")
    }
    return [change]
  }

  /// Every row that goes, then the references that become null.
  private mutating func delete(_ name: Name) -> [Change] {
    guard rows[name.table][name.key] != nil else { return [] }
    let gone = reached(from: name)
    for name in gone { remove(name) }
    // Dependents first, as a person would delete them.
    return gone.reversed().map { .delete(key: $0.key, of: $0.table) } + clear(referencesTo: gone)
  }

  /// The row, and every row that rules delete with it.
  private func reached(from name: Name) -> [Name] {
    var reached: [Name] = []
    var seen: Set<Name> = [name]
    var waiting = [name][...]
    while let next = waiting.popFirst() {
      reached.append(next)
      waiting += targets(of: next).filter { seen.insert($0).inserted }
    }
    return reached
  }

  /// Leaves out each row that rules reach from another one. The rest reaches all of them. Of rows
  /// that reach each other, the first is kept.
  ///
  /// - Parameter keys: by entity.
  func owners(of keys: [[Value]]) -> [Set<Value>] {
    var owners = keys.map { _ in Set<Value>() }
    var seen: Set<Name> = []
    for (table, keys) in keys.enumerated() {
      for key in keys where !seen.contains(Name(table: table, key: key)) {
        for name in reached(from: Name(table: table, key: key)) {
          seen.insert(name)
          owners[name.table].remove(name.key)
        }
        owners[table].insert(key)
      }
    }
    return owners
  }

  /// The rows that a rule deletes with the row, in the order of their keys.
  private func targets(of name: Name) -> [Name] {
    var found: [Name] = []
    for (index, rule) in rules.references.enumerated() {
      if rule.isOwned, rule.destination == name.table {
        let keys = holders[index][name.key, default: []].sorted()
        found += keys.map { Name(table: rule.table, key: $0) }
      }
      if rule.owns, rule.table == name.table, let key = rows[name.table][name.key]?[rule.column] {
        found.append(Name(table: rule.destination, key: key))
      }
    }
    for (rule, partners) in zip(rules.pairs, partners) {
      if rule.owns, rule.table == name.table {
        found += partners.mine[name.key, default: []].map { Name(table: rule.destination, key: $0) }
      }
      if rule.isOwned, rule.destination == name.table {
        found += partners.theirs[name.key, default: []].map { Name(table: rule.table, key: $0) }
      }
    }
    return found.filter { rows[$0.table][$0.key] != nil }
  }

  private mutating func clear(referencesTo gone: [Name]) -> [Change] {
    var changes: [Change] = []
    for name in gone {
      for (index, rule) in rules.references.enumerated() where rule.destination == name.table {
        for key in (holders[index].removeValue(forKey: name.key) ?? []).sorted() {
          rows[rule.table][key]?[rule.column] = .null
          let field = FieldChange(index: rule.column, value: .null)
          changes.append(.update(key: key, fields: [field], of: rule.table))
        }
      }
    }
    return changes
  }

  // MARK: - Keeping track of references

  private mutating func put(_ row: Row, _ name: Name) {
    remove(name)
    rows[name.table][name.key] = row
    for (index, rule) in rules.references.enumerated()
    where rule.table == name.table && row[rule.column] != .null {
      holders[index][row[rule.column], default: []].insert(name.key)
    }
  }

  private mutating func remove(_ name: Name) {
    guard let row = rows[name.table].removeValue(forKey: name.key) else { return }
    for (index, rule) in rules.references.enumerated() where rule.table == name.table {
      holders[index][row[rule.column]]?.remove(name.key)
    }
  }
}

extension [TableRows] {
  /// The rows after the deletions of a stream and what their rules do.
  ///
  /// - Throws: an error if a rule changes rows of a stream that deletes each row by itself, or if
  ///   no rule leads from the deleted rows of a stream that leaves others to rules.
  func ruled(for scenario: Scenario, _ pairs: [[KeyPair]]) throws(InputError) -> [TableRows] {
    if let rules = scenario.deleteRules {
      try checkReach(of: DeleteRules(scenario), scenario)
      return ruled(by: rules, pairs)
    }
    let rules = DeleteRules(scenario)
    // No row refers to a row that goes, so only these rules can reach others.
    guard rules.reachesFromHolders else { return self }
    for (table, ruled) in zip(self, ruled(by: rules, pairs))
    where table.after.rows != ruled.after.rows {
      throw scenario.error(
        "changes.deletions",
        message:
          "the delete rules also delete or change rows of \(table.entity.name) that stay in the data;"
          + (scenario.ruleProblem == nil ? " set it to by-rule, or" : "") + " correct the rules")
    }
    return self
  }

  private func checkReach(of rules: DeleteRules, _ scenario: Scenario) throws(InputError) {
    let areDeleted = map { !$0.goneKeys.isEmpty }
    // A sweep may set the number of deletions to 0. The rules of any entity are enough then.
    let tables = indices.filter { areDeleted[$0] || !areDeleted.contains(true) }
    guard !rules.reachOtherRows(from: tables) else { return }
    let names = tables.map { self[$0].entity.name }.joined(separator: ", ").short
    throw scenario.error(
      "changes.deletions",
      message:
        "\(scenario.changes.deletions.rawValue.quoted) needs a delete rule that reaches other rows;"
        + " deleted rows of \(names) have none. Set it to explicit, or delete rows to which others"
        + " refer")
  }

  /// - Parameter self: `after` has the rows that the stream leaves alone, sets or inserts.
  private func ruled(by rules: DeleteRules, _ pairs: [[KeyPair]]) -> [TableRows] {
    let gone = map(\.goneKeys)
    guard gone.contains(where: { !$0.isEmpty }) else { return self }
    var state = ruledRows(rules, pairs)
    for (table, keys) in gone.enumerated() {
      for key in keys { _ = state.apply(.delete(key: key, of: table)) }
    }
    return enumerated().map { index, table in
      var table = table
      let keyIndex = table.entity.keyIndex
      table.after.replaceRows { state.row($0[keyIndex], of: index) }
      return table
    }
  }

  /// Whether a delete rule may lead from a row that goes to a row of the list.
  package func ruleDeletesFromList(of scenario: Scenario) -> Bool {
    guard let rules = scenario.deleteRules else { return false }
    let areDeleted = map { !$0.goneKeys.isEmpty }
    let leadByReference = rules.references.contains { rule in
      (rule.isOwned && rule.table == 0 && areDeleted[rule.destination])
        || (rule.owns && rule.destination == 0 && areDeleted[rule.table])
    }
    let leadByPair = rules.pairs.contains { rule in
      (rule.isOwned && rule.table == 0 && areDeleted[rule.destination])
        || (rule.owns && rule.destination == 0 && areDeleted[rule.table])
    }
    return leadByReference || leadByPair
  }

  /// The rows that a change must delete, by entity: those that no rule deletes with another one.
  /// Nil without rules.
  func owners(by rules: DeleteRules?, _ pairs: [[KeyPair]]) -> [Set<Value>]? {
    rules.map { ruledRows($0, pairs).owners(of: map(\.goneKeys)) }
  }

  /// The changes and what the rules add to them. Each batch changes a row at most once.
  func effects(
    of batches: [[Change]], by rules: DeleteRules, _ pairs: [[KeyPair]]
  ) -> [[Change]] {
    var state = RuledRows(rules, map { ($0.entity, $0.before.rows) }, pairs: pairs)
    let keyIndexes = map(\.entity.keyIndex)
    return batches.map { batch in
      batch.flatMap { state.apply($0) }.joined(byKeys: keyIndexes)
    }
  }

  /// Rows that a rule would delete. Nil if rules run.
  func orphans(of scenario: Scenario, _ pairs: [[KeyPair]]) -> Int? {
    guard scenario.changes.deletions == .withoutRules else { return nil }
    let rules = DeleteRules(scenario)
    let (all, fewer) = (ruled(by: rules.clearing, pairs), ruled(by: rules, pairs))
    return zip(all, fewer).reduce(0) { $0 + $1.0.after.rows.count - $1.1.after.rows.count }
  }

  /// Just before the first deletion.
  private func ruledRows(_ rules: DeleteRules, _ pairs: [[KeyPair]]) -> RuledRows {
    let rows = map { table in
      (table.entity, table.after.rows + table.goneKeys.compactMap { table.before[$0] })
    }
    return RuledRows(rules, rows, pairs: pairs)
  }
}

extension TableRows {
  /// In the rows' order before the changes.
  fileprivate var goneKeys: [Value] {
    before.rows.map { $0[entity.keyIndex] }.filter { after[$0] == nil }
  }
}
