import GRDB
import ObjectGraph

// A migration happens in place, in one transaction of the opening connection:
//
//   1  rename the old tables, drop their indexes    ALTER TABLE … RENAME, DROP INDEX
//   2  create and fill the new tables               INSERT INTO … SELECT …, an entity at a time
//   3  drop the old tables, create the indexes
//   4  continue the key counters, store the new model
//
// The table of an unchanged hierarchy stays. Rows keep their keys and versions.
struct Migration {
  private let mapping: MigrationMapping
  private let database: Database
  private var old: StoredModel { mapping.old }
  private var new: Schema { mapping.new }

  /// - Throws: `StoreError.cannotInfer` with every change that the models do not determine.
  init(from old: StoredModel, to new: Schema, in database: Database, path: String) throws {
    mapping = MigrationMapping(from: old, to: new)
    self.database = database
    guard mapping.problems.isEmpty else {
      throw StoreError.cannotInfer(path: path, problems: mapping.problems)
    }
  }

  /// Call it in a transaction. It throws `DatabaseError` if rows violate a new constraint.
  func run() throws {
    let kept = new.roots.filter(mapping.isUnchanged)
    let keptTables = Set(kept.map(\.name))
    let oldTables = Set(old.entities.map(\.table)).subtracting(keptTables)
      .union(old.pairs.map(\.table)).sorted()
    for table in oldTables { try renameOldTable(table) }
    for root in new.roots where !keptTables.contains(root.name) {
      try database.execute(sql: root.creation(named: root.name))
      try fill(root)
    }
    for table in new.pairTables {
      try database.execute(sql: table.creation[0])
      for statement in mapping.pairCopies(into: table) { try database.execute(sql: statement) }
    }
    for table in oldTables {
      try database.execute(sql: "DROP TABLE \(MigrationMapping.temporaryName(of: table).quoted)")
    }
    try makeIndexes(kept: kept)
    try writeKeys()
    try forgetHistory()
  }

  // MARK: - Tables

  private func renameOldTable(_ table: String) throws {
    for index in try indexes(of: table).keys {
      try database.execute(sql: "DROP INDEX \(index.quoted)")
    }
    try database.execute(
      sql:
        "ALTER TABLE \(table.quoted) RENAME TO \(MigrationMapping.temporaryName(of: table).quoted)")
  }

  /// The SQL of a table's indexes by name, without those of primary keys.
  private func indexes(of table: String) throws -> [String: String] {
    let rows = try Row.fetchAll(
      database,
      sql:
        "SELECT CAST(name AS TEXT), CAST(sql AS TEXT) FROM sqlite_master WHERE type = 'index' AND tbl_name = ?"
        + " AND sql IS NOT NULL", arguments: [table])
    return Dictionary(rows.map { ($0[0], $0[1]) }) { first, _ in first }
  }

  private func makeIndexes(kept: [RootTable]) throws {
    for root in new.roots {
      let wanted = new.creation(of: root).dropFirst()
      let existing = try indexes(of: root.name)
      for (name, sql) in existing where !wanted.contains(sql) {
        try database.execute(sql: "DROP INDEX \(name.quoted)")
      }
      for sql in wanted where !existing.values.contains(sql) { try database.execute(sql: sql) }
    }
    for table in new.pairTables {
      for sql in table.creation.dropFirst() { try database.execute(sql: sql) }
    }
  }

  /// What several rows have in common and must be unique now. Call it after `run` failed, in the
  /// same transaction: the new tables hold all rows.
  func repeatedValues() throws -> [String] {
    try new.tables.flatMap { table in
      try table.ownConstraints.flatMap { try repeatedValues(of: $0, in: table) }
    }
  }

  private func repeatedValues(
    of constraint: EntityTable.Constraint, in table: EntityTable
  ) throws -> [String] {
    let types = constraint.columns.map { table.entity.columns[$0].attribute?.type ?? .int64 }
    let sql = table.repeatedValues(of: constraint)
    let statement = PreparedStatement(try database.makeStatement(sql: sql))
    var problems: [String] = []
    while try statement.step() {
      let values = decodeValues(ContiguousArray(types), of: statement.handle, from: 0)
      problems.append(
        "several rows have "
          + UniqueValues.text(table.entity.name, table.names(of: constraint), Array(values))
          + ", which must be unique now; make them differ with the older model first")
    }
    return problems
  }

  // MARK: - Rows

  private func fill(_ root: RootTable) throws {
    for index in new.model.resolved[root.entityIndex].kinds {
      guard let copy = mapping.rowCopy(of: index) else { continue }
      try database.execute(sql: copy.sql, arguments: StatementArguments(copy.defaults))
    }
  }

  // MARK: - Keys and history

  /// Each counter continues from the old hierarchy's.
  private func writeKeys() throws {
    let rows = try Row.fetchAll(database, sql: "SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY")
    let counts = try Dictionary(
      rows.map { row in
        guard let name = String.fromDatabaseValue(row[0]),
          let last = Int64.fromDatabaseValue(row[1])
        else { throw Damage(description: "Z_PRIMARYKEY has a row without a name or a counter") }
        return (name, last)
      }, uniquingKeysWith: max)
    try database.execute(sql: "DELETE FROM Z_PRIMARYKEY")
    try new.createCounters(in: database) { table in
      table.rootIndex == table.index ? lastKey(of: table, counts) : 0
    }
  }

  private func lastKey(of root: EntityTable, _ counts: [String: Int64]) -> Int64 {
    let tables = root.kinds.compactMap { mapping.oldIndexes[$0 - 1] }.map { old.entities[$0].table }
    return old.entities.filter { tables.contains($0.table) }.compactMap { counts[$0.name] }.max()
      ?? 0
  }

  /// The history refers to entities and columns by indexes that have changed.
  private func forgetHistory() throws {
    guard try database.hasTable("ATRANSACTION") else { return }
    try database.execute(sql: "DELETE FROM ACHANGE; DELETE FROM ATRANSACTION")
  }
}
