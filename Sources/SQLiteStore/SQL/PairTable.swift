import ObjectGraph

// A many-to-many relationship is a table of pairs, with Core Data's names. The table has the name
// of the later of the two relationships. Each column has the name of the one that leads to its
// keys.
//
//   Note (1).tags ⇄ Tag (2).notes          Z_1TAGS     Z_1NOTES | Z_2TAGS
//   Person (3).friends ⇄ itself            Z_3FRIENDS  Z_3FRIENDS | REFLEXIVE
//
// If a relationship is its own inverse, each pair is stored in both orders. So the first column
// finds either side.

/// The table of pairs of a many-to-many relationship.
struct PairTable: Sendable {
  let name: String
  /// Holds keys of the entity in the table's name.
  let sourceColumn: String
  let destinationColumn: String
  /// Whether the relationship is its own inverse.
  let isReflexive: Bool
  /// The relationship in the table's name, for messages.
  let owner: String
  fileprivate let source: RelationshipName
  fileprivate let destination: RelationshipName

  /// One table for each many-to-many relationship, for both of its sides.
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
    let here = RelationshipName(relationship.source, relationship.description.name)
    let there = RelationshipName(
      relationship.destination, relationship.description.inverse ?? relationship.description.name)
    source = max(here, there)
    destination = min(here, there)
    isReflexive = here == there
    name = source.column
    sourceColumn = "Z_\(source.entity + 1)" + destination.name.uppercased()
    destinationColumn =
      isReflexive ? "REFLEXIVE" : "Z_\(destination.entity + 1)" + source.name.uppercased()
    owner = "\(model.entities[source.entity].name).\(source.name)"
  }

  /// One side: the relationship that an entity declares, and the column with the keys of that
  /// entity's rows.
  struct End {
    let entity: Int
    let relationship: String
    let column: String
  }

  /// Both sides. If the relationship is its own inverse, both name it.
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

/// A relationship and the entity that declares it.
private struct RelationshipName: Comparable, Sendable {
  let entity: Int
  let name: String

  init(_ entity: Int, _ name: String) {
    self.entity = entity
    self.name = name
  }

  var column: String { "Z_\(entity + 1)" + name.uppercased() }

  static func < (a: RelationshipName, b: RelationshipName) -> Bool {
    // Of two equal names, the earlier entity's counts as the later one.
    a.name == b.name ? a.entity > b.entity : a.name < b.name
  }
}

/// A to-many relationship: the index of its entity, and its index in that entity.
struct ToManyIndex: Hashable {
  let entity: Int
  let index: Int
}

/// How the store keeps a to-many relationship, seen from one side.
struct ToManyStorage: Sendable {
  /// Selects the keys and entity numbers of the related rows. Parameter: the object's key.
  let related: String
  /// Nil if the inverse is a to-one relationship.
  let pairs: Pairs?
  let path: Path
  /// The pair columns that hold this side's keys. Both columns, if the relationship is its own
  /// inverse.
  let pairColumns: [(table: String, name: String)]

  /// The table of the related rows.
  private let destination: String

  /// How a sub-select reaches the related rows.
  enum Path: Sendable {
    /// A column of the related rows holds this side's key.
    case column(String)
    /// A pair table holds both keys.
    case pairs(table: String, mine: String, theirs: String)
  }

  /// Selects the key and entity number of each row related to one of `count` objects, and that
  /// object's key. Parameters: the keys of the objects.
  func relatedToEach(of count: Int) -> String {
    switch path {
    case .column(let column):
      return "SELECT Z_PK, Z_ENT, \(column) FROM \(destination)"
        + " WHERE \(column) IN (\(parameters(count))) ORDER BY Z_PK"
    case .pairs(let table, let mine, let theirs):
      return "SELECT t.Z_PK, t.Z_ENT, p.\(mine) FROM \(table) AS p JOIN \(destination) AS t"
        + " ON t.Z_PK = p.\(theirs) WHERE p.\(mine) IN (\(parameters(count))) ORDER BY t.Z_PK"
    }
  }

  struct Pairs: Sendable {
    /// Parameters: the key on this side, the key on the other side.
    let link: String
    let unlink: String
    /// Deletes all pairs of one object. Parameter: its key.
    let clear: String
  }

  init(_ relationship: ResolvedRelationship, tables: [EntityTable], pairTables: [PairTable]) {
    let destination = tables[relationship.destination]
    self.destination = destination.quotedName
    if case .toOne(let column)? = relationship.inverse {
      related =
        "SELECT Z_PK, Z_ENT FROM \(destination.quotedName)"
        + " WHERE \(destination.quotedColumn(column)) = ? ORDER BY Z_PK"
      pairs = nil
      path = .column(destination.quotedColumn(column))
      pairColumns = []
      return
    }
    let name = RelationshipName(relationship.source, relationship.description.name)
    guard let table = pairTables.first(where: { $0.source == name || $0.destination == name })
    else { preconditionFailure("no pairs are kept of '\(relationship.description.name)'") }
    let isSource = table.source == name
    let mine = (isSource ? table.sourceColumn : table.destinationColumn).quoted
    let theirs = (isSource ? table.destinationColumn : table.sourceColumn).quoted
    related = Self.related(in: table.name.quoted, mine, theirs, destination)
    pairs = Pairs(table.name.quoted, mine, theirs, isReflexive: table.isReflexive)
    path = .pairs(table: table.name.quoted, mine: mine, theirs: theirs)
    pairColumns = (table.isReflexive ? [mine, theirs] : [mine]).map { (table.name.quoted, $0) }
  }

  /// Only the table of the related rows knows which of several entities they belong to.
  private static func related(
    in pairs: String, _ mine: String, _ theirs: String, _ destination: EntityTable
  ) -> String {
    guard destination.hasSubentities else {
      return "SELECT \(theirs), \(destination.number) FROM \(pairs) WHERE \(mine) = ?"
        + " ORDER BY \(theirs)"
    }
    return "SELECT t.Z_PK, t.Z_ENT FROM \(pairs) AS p JOIN \(destination.quotedName) AS t"
      + " ON t.Z_PK = p.\(theirs) WHERE p.\(mine) = ? ORDER BY p.\(theirs)"
  }
}

extension ToManyStorage.Pairs {
  fileprivate init(_ table: String, _ mine: String, _ theirs: String, isReflexive: Bool) {
    let insertion = "INSERT OR IGNORE INTO \(table) (\(mine), \(theirs)) VALUES (?1, ?2)"
    let pair = "(\(mine) = ?1 AND \(theirs) = ?2)"
    let reverse = "(\(mine) = ?2 AND \(theirs) = ?1)"
    link = insertion + (isReflexive ? ", (?2, ?1)" : "")
    unlink = "DELETE FROM \(table) WHERE \(pair)" + (isReflexive ? " OR \(reverse)" : "")
    clear =
      "DELETE FROM \(table) WHERE \(mine) = ?1" + (isReflexive ? " OR \(theirs) = ?1" : "")
  }
}
