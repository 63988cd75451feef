import ObjectGraph

// Pairs of many-to-many relationships, with Core Data's names. The table is named after the
// relationship that sorts later, a column after the relationship that leads to its keys.
//
//   Note (1).tags ⇄ Tag (2).notes          Z_1TAGS     Z_1NOTES | Z_2TAGS
//   Person (3).friends ⇄ itself            Z_3FRIENDS  Z_3FRIENDS | REFLEXIVE
//
// If a relationship is its own inverse, each pair is stored in both orders.

struct PairTable: Sendable {
  /// The column has this entity's keys.
  struct End: Sendable {
    let entity: Int
    let relationship: String
    let column: String
  }

  let name: String
  /// The first relationship is in the table's name.
  let ends: [End]
  let isReflexive: Bool
  /// For messages.
  let owner: String

  static func all(in model: Model) -> [PairTable] {
    var tables: [PairTable] = []
    for resolved in model.resolved {
      for relationship in resolved.toMany
      where relationship.isManyToMany && relationship.source == resolved.index {
        let table = PairTable(relationship, in: model)
        if !tables.contains(where: { $0.name == table.name }) { tables.append(table) }
      }
    }
    return tables
  }

  private init(_ relationship: ResolvedRelationship, in model: Model) {
    let here = (name: relationship.description.name, entity: relationship.source)
    let inverse = relationship.description.inverse ?? here.name
    let there = (name: inverse, entity: relationship.destination)
    // If the names are equal, the relationship of the earlier entity sorts later.
    let isLater = (here.name, -here.entity) > (there.name, -there.entity)
    let (later, earlier) = isLater ? (here, there) : (there, here)
    func column(_ entity: Int, _ name: String) -> String { "Z_\(entity + 1)" + name.uppercased() }
    isReflexive = here == there
    name = column(later.entity, later.name)
    let laterColumn = column(later.entity, earlier.name)
    let earlierColumn = isReflexive ? "REFLEXIVE" : column(earlier.entity, later.name)
    ends = [
      End(entity: later.entity, relationship: later.name, column: laterColumn),
      End(entity: earlier.entity, relationship: earlier.name, column: earlierColumn),
    ]
    owner = "\(model.entities[later.entity].name).\(later.name)"
  }

  /// The primary key finds pairs by the first side, an index by the other.
  var creation: [String] {
    let (source, destination) = (ends[0].column.quoted, ends[1].column.quoted)
    let index = "\(name)_\(ends[1].column)_INDEX"
    return [
      "CREATE TABLE \(name.quoted) (\(source) INTEGER, \(destination) INTEGER, "
        + "PRIMARY KEY (\(source), \(destination)))",
      "CREATE INDEX \(index.quoted) ON \(name.quoted) (\(destination), \(source))",
    ]
  }

  /// Deletes the pairs of the rows in `temp.Z_BATCH`.
  func deletions(root: Int, in model: Model) -> [String] {
    ends.filter { model.resolved[$0.entity].root == root }.map { end in
      "DELETE FROM \(name.quoted) WHERE \(end.column.quoted) IN (SELECT Z_PK FROM temp.Z_BATCH)"
    }
  }
}

package struct ToManyIndex: Hashable {
  let entity: Int
  let index: Int
}

/// A to-many relationship, seen from one side.
package struct ToManyStorage: Sendable {
  enum Path: Sendable {
    /// A column of the related rows holds this side's key.
    case column(String)
    case pairs(Pairs)
  }

  package struct Pairs: Sendable {
    package let table: String
    let mine: String
    let theirs: String
    let isReflexive: Bool
  }

  let path: Path
  let destination: EntityTable

  init(_ relationship: ResolvedRelationship, tables: [EntityTable], pairTables: [PairTable]) {
    destination = tables[relationship.destination]
    if case .toOne(let column)? = relationship.inverse {
      path = .column(destination.quotedColumn(column))
      return
    }
    let name = relationship.description.name
    func isMine(_ end: PairTable.End) -> Bool {
      end.entity == relationship.source && end.relationship == name
    }
    guard let table = pairTables.first(where: { $0.ends.contains(where: isMine) })
    else { fatalError("no pairs are kept of '\(name)'") }
    let mine = isMine(table.ends[0]) ? 0 : 1
    path = .pairs(
      Pairs(
        table: table.name.quoted, mine: table.ends[mine].column.quoted,
        theirs: table.ends[1 - mine].column.quoted, isReflexive: table.isReflexive))
  }

  package var pairs: Pairs? {
    if case .pairs(let pairs) = path { pairs } else { nil }
  }

  /// Selects the keys and entity numbers of the related rows. Parameter: the object's key.
  var related: String {
    switch path {
    case .column(let column):
      return "SELECT Z_PK, Z_ENT FROM \(destination.quotedName) WHERE \(column) = ? ORDER BY Z_PK"
    case .pairs(let pairs) where destination.hasSubentities:
      // Only the table of the related rows knows their entities.
      return "SELECT t.Z_PK, t.Z_ENT\(join(pairs)) WHERE p.\(pairs.mine) = ?"
        + " ORDER BY p.\(pairs.theirs)"
    case .pairs(let pairs):
      return "SELECT \(pairs.theirs), \(destination.number) FROM \(pairs.table)"
        + " WHERE \(pairs.mine) = ? ORDER BY \(pairs.theirs)"
    }
  }

  /// `related` for `count` objects. The third column is the key of the object. Parameters: the
  /// objects' keys.
  package func relatedToEach(of count: Int) -> String {
    switch path {
    case .column(let column):
      return "SELECT Z_PK, Z_ENT, \(column) FROM \(destination.quotedName)"
        + " WHERE \(column) IN (\(placeholders(count))) ORDER BY Z_PK"
    case .pairs(let pairs):
      return "SELECT t.Z_PK, t.Z_ENT, p.\(pairs.mine)\(join(pairs))"
        + " WHERE p.\(pairs.mine) IN (\(placeholders(count))) ORDER BY t.Z_PK"
    }
  }

  private func join(_ pairs: Pairs) -> String {
    " FROM \(pairs.table) AS p JOIN \(destination.quotedName) AS t ON t.Z_PK = p.\(pairs.theirs)"
  }
}

extension ToManyStorage.Pairs {
  /// The columns with this side's keys.
  package var keyColumns: [String] { isReflexive ? [mine, theirs] : [mine] }

  /// Parameters: the key on this side, the key on the other side.
  var link: String {
    "INSERT OR IGNORE INTO \(table) (\(mine), \(theirs)) VALUES (?1, ?2)"
      + (isReflexive ? ", (?2, ?1)" : "")
  }

  var unlink: String {
    "DELETE FROM \(table) WHERE (\(mine) = ?1 AND \(theirs) = ?2)"
      + (isReflexive ? " OR (\(mine) = ?2 AND \(theirs) = ?1)" : "")
  }

  /// Parameter: the key on this side.
  var clear: String {
    "DELETE FROM \(table) WHERE " + keyColumns.map { "\($0) = ?1" }.joined(separator: " OR ")
  }
}

/// Holds keys of rows in another table.
package struct ReferencingColumn: Sendable {
  let table: EntityTable
  let layout: ColumnLayout

  package init(table: EntityTable, layout: ColumnLayout) {
    self.table = table
    self.layout = layout
  }

  /// Sets the column to null where it is one of the keys: a list or an SQL query.
  package func clearing(naming keys: String) -> String {
    table.raisingVersion(layout.stored.map { "\($0.name.quoted) = NULL" })
      + " WHERE \(layout.name.quoted) IN (\(keys))"
  }

  /// Parameter: the key. Returns the rows' keys and entity numbers.
  var clearingOne: String { clearing(naming: "?") + " RETURNING Z_PK, Z_ENT" }

  func mask(in table: EntityTable) -> AttributeMask {
    table.layouts.firstIndex(of: layout).map { AttributeMask(index: $0) } ?? []
  }
}

extension ReferencingColumn {
  /// The other side's column of a one-to-one relationship. Nil for other relationships, and for
  /// a rule of no action.
  init?(partnersOf relationship: ResolvedRelationship, _ tables: [EntityTable]) {
    guard case (.toOne, .toOne(let column)?) = (relationship.end, relationship.inverse),
      relationship.description.deleteRule != .noAction
    else { return nil }
    let table = tables[relationship.destination]
    self.init(table: table, layout: table.layouts[column])
  }
}

extension Schema {
  func references(to root: Int) -> [ReferencingColumn] {
    roots.flatMap { other in
      other.declarations
        .filter { $0.destination.map { model.resolved[$0].root } == root }
        .map { ReferencingColumn(table: tables[other.entityIndex], layout: $0.layout) }
    }
  }
}
