import GRDB
import ObjectGraph

extension Schema {
  func create(in database: Database) throws {
    for statement in creation { try database.execute(sql: statement) }
    try createCounters(in: database) { _ in 0 }
  }

  /// - Parameter lastKey: the last key that an entity's counter has given out.
  func createCounters(in database: Database, lastKey: (EntityTable) -> Int64) throws {
    for table in tables {
      let parent = table.entity.parent.map { model.index(of: $0) + 1 } ?? 0
      try database.execute(
        sql: "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, ?)",
        arguments: [table.number, table.entity.name, parent, lastKey(table)])
    }
  }

  private var creation: [String] {
    [
      "CREATE TABLE Z_METADATA "
        + "(Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_MODEL TEXT)",
      "CREATE TABLE Z_PRIMARYKEY "
        + "(Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
    ] + roots.flatMap(creation(of:)) + pairTables.flatMap(\.creation)
  }

  func creation(of root: RootTable) -> [String] {
    [root.creation(named: root.name)] + root.indexes + uniqueIndexes(of: root)
  }

  private func uniqueIndexes(of root: RootTable) -> [String] {
    model.resolved.filter { $0.root == root.entityIndex }.flatMap { resolved in
      let table = tables[resolved.index]
      let inherited = resolved.entity.parent?.uniquenessConstraints.count ?? 0
      return table.constraints.dropFirst(inherited).map { constraint in
        table.uniqueIndex(of: constraint)
      }
    }
  }
}

extension RootTable {
  func creation(named name: String) -> String {
    let columns =
      ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"]
      + declarations.flatMap(\.layout.stored).map { "\($0.name.quoted) \($0.type)" }
    return "CREATE TABLE \(name.quoted) (\(columns.joined(separator: ", ")))"
  }

  fileprivate var indexes: [String] {
    declarations.filter { $0.isIndexed }.map { declaration in
      let column = declaration.layout.name
      return "CREATE INDEX \("\(name)_\(column)_INDEX".quoted)"
        + " ON \(name.quoted) (\(column.quoted))"
    }
  }
}

extension RootTable.Declaration {
  fileprivate var isIndexed: Bool {
    switch column {
    case .attribute(let attribute): attribute.isIndexed && !attribute.isTransient
    case .toOne: true
    }
  }
}

extension EntityTable {
  /// Null values are never equal in SQLite's unique indexes, nor in Core Data's constraints.
  fileprivate func uniqueIndex(of constraint: Constraint) -> String {
    let names = constraint.columns.map { entity.columns[$0].name }.joined(separator: "_")
    let columns = constraint.columns.map(quotedColumn).joined(separator: ", ")
    return "CREATE UNIQUE INDEX \("Z_\(entity.name)_UNIQUE_\(names)".quoted)"
      + " ON \(quotedName) (\(columns))" + (constraint.condition.map { " WHERE \($0)" } ?? "")
  }
}
