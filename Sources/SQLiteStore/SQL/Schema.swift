import GRDB
package import ObjectGraph

// The tables have Core Data's layout:
//
//   ZPERSON       Z_PK | Z_ENT | Z_OPT | ZNAME | ZEMPLOYER | Z4_EMPLOYER | …  one table a hierarchy
//   Z_1FRIENDS    Z_1FRIENDS | REFLEXIVE                    pairs of a many-to-many relationship
//   Z_PRIMARYKEY  Z_ENT | Z_NAME | Z_SUPER | Z_MAX          the last key given out
//   Z_METADATA    Z_VERSION | Z_UUID | Z_MODEL              one row
//
// - Z_PK: the row's key, unique in the table.
// - Z_ENT: the number of the row's entity, its index in the model from 1.
// - Z_OPT: the version for optimistic locking.
// - Z_MODEL: the model (`StoredModel`).

package struct Schema: Sendable {
  package let model: Model
  /// By entity. Several may share one table.
  package let tables: [EntityTable]
  /// In the order of the topmost entities.
  let roots: [RootTable]
  let pairTables: [PairTable]
  /// By entity, in the order of its to-many relationships.
  package let toMany: [[ToManyStorage]]
  /// By entity: the columns of one-to-one partners that hold its key. A deletion clears them.
  let partnerKeys: [[ReferencingColumn]]

  /// - Throws: `StoreError.nameTaken` if two names differ by case only.
  package init(_ model: Model) throws {
    let roots = try model.resolved.filter { $0.root == $0.index }
      .map { try RootTable($0, in: model) }
    let byIndex = Dictionary(uniqueKeysWithValues: roots.map { ($0.entityIndex, $0) })
    let tables = try model.resolved.map { resolved in
      try EntityTable(
        resolved, in: model, root: byIndex[resolved.root] ?? RootTable(resolved, in: model))
    }
    let pairTables = PairTable.all(in: model)
    self.model = model
    self.roots = roots
    self.tables = tables
    self.pairTables = pairTables
    self.toMany = model.resolved.map { resolved in
      resolved.toMany.map { ToManyStorage($0, tables: tables, pairTables: pairTables) }
    }
    self.partnerKeys = model.resolved.map { resolved in
      resolved.relationships.compactMap { ReferencingColumn(partnersOf: $0, tables) }
    }
    var owners = ["Z_METADATA": "the store itself", "Z_PRIMARYKEY": "the store itself"]
    for (name, owner) in roots.map({ ($0.name, "entity \($0.entity.name)") })
      + pairTables.map({ ($0.name, "relationship \($0.owner)") })
    {
      guard let other = owners.updateValue(owner, forKey: name) else { continue }
      throw StoreError.nameTaken(name, by: other, and: owner)
    }
  }

  package func table(of entity: Entity) -> EntityTable { tables[model.index(of: entity)] }

  var hasRelationships: Bool { model.resolved.contains(where: \.hasRelationships) }
}

extension String {
  var quoted: String { "\"" + replacing("\"", with: "\"\"") + "\"" }
}

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
    var statements = [
      "CREATE TABLE Z_METADATA "
        + "(Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_MODEL TEXT)",
      "CREATE TABLE Z_PRIMARYKEY "
        + "(Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
    ]
    statements += roots.flatMap(creation(of:))
    statements += pairTables.flatMap(\.creation)
    return statements
  }

  func creation(of root: RootTable) -> [String] {
    [root.creation(named: root.name)] + root.indexes + uniqueIndexes(of: root)
  }

  private func uniqueIndexes(of root: RootTable) -> [String] {
    model.resolved[root.entityIndex].kinds.flatMap { index in
      let table = tables[index]
      return table.ownConstraints.map(table.uniqueIndex)
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
    declarations.filter {
      ($0.column.attribute?.isIndexed ?? true) && !$0.column.isTransient
    }.map { declaration in
      let column = declaration.layout.name
      return "CREATE INDEX \("\(name)_\(column)_INDEX".quoted)"
        + " ON \(name.quoted) (\(column.quoted))"
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
