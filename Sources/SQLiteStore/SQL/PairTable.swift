import ObjectGraph

// Pairs of many-to-many relationships, with Core Data's names. The table is named after the later
// relationship, a column after the relationship that leads to its keys.
//
//   Note (1).tags ⇄ Tag (2).notes          Z_1TAGS     Z_1NOTES | Z_2TAGS
//   Person (3).friends ⇄ itself            Z_3FRIENDS  Z_3FRIENDS | REFLEXIVE
//
// If a relationship is its own inverse, each pair is stored in both orders.

struct PairTable: Sendable {
  let name: String
  /// Holds keys of the entity in the table's name.
  let sourceColumn: String
  let destinationColumn: String
  let isReflexive: Bool
  /// For messages.
  let owner: String
  fileprivate let source: RelationshipName
  fileprivate let destination: RelationshipName

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
    let here = RelationshipName(entity: relationship.source, name: relationship.description.name)
    let there = RelationshipName(
      entity: relationship.destination, name: relationship.description.inverse ?? here.name)
    source = max(here, there)
    destination = min(here, there)
    isReflexive = here == there
    name = source.column
    sourceColumn = "Z_\(source.entity + 1)" + destination.name.uppercased()
    destinationColumn =
      isReflexive ? "REFLEXIVE" : "Z_\(destination.entity + 1)" + source.name.uppercased()
    owner = "\(model.entities[source.entity].name).\(source.name)"
  }

  /// The column has this entity's keys.
  struct End {
    let entity: Int
    let relationship: String
    let column: String
  }

  var ends: [End] {
    [
      End(entity: source.entity, relationship: source.name, column: sourceColumn),
      End(entity: destination.entity, relationship: destination.name, column: destinationColumn),
    ]
  }

  /// The first side is found by the primary key, the other by an index.
  var creation: [String] {
    let (source, destination) = (sourceColumn.quoted, destinationColumn.quoted)
    let index = "\(name)_\(destinationColumn)_INDEX"
    return [
      "CREATE TABLE \(name.quoted) (\(source) INTEGER, \(destination) INTEGER, "
        + "PRIMARY KEY (\(source), \(destination)))",
      "CREATE INDEX \(index.quoted) ON \(name.quoted) (\(destination), \(source))",
    ]
  }
}

private struct RelationshipName: Comparable, Sendable {
  let entity: Int
  let name: String

  var column: String { "Z_\(entity + 1)" + name.uppercased() }

  static func < (a: RelationshipName, b: RelationshipName) -> Bool {
    // Of two equal names, the earlier entity's counts as the later one.
    a.name == b.name ? a.entity > b.entity : a.name < b.name
  }
}

struct ToManyIndex: Hashable {
  let entity: Int
  let index: Int
}

/// A to-many relationship, seen from one side.
struct ToManyStorage: Sendable {
  enum Path: Sendable {
    /// A column of the related rows holds this side's key.
    case column(String)
    case pairs(Pairs)
  }

  struct Pairs: Sendable {
    let table: String
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
    let name = RelationshipName(entity: relationship.source, name: relationship.description.name)
    guard let table = pairTables.first(where: { $0.source == name || $0.destination == name })
    else { fatalError("no pairs are kept of '\(relationship.description.name)'") }
    let columns = [table.sourceColumn.quoted, table.destinationColumn.quoted]
    let isSource = table.source == name
    path = .pairs(
      Pairs(
        table: table.name.quoted, mine: columns[isSource ? 0 : 1],
        theirs: columns[isSource ? 1 : 0],
        isReflexive: table.isReflexive))
  }

  var pairs: Pairs? {
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

  /// The same for `count` objects, with the key of each row's object. Parameters: their keys.
  func relatedToEach(of count: Int) -> String {
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
  var keyColumns: [String] { isReflexive ? [mine, theirs] : [mine] }

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
