package import ObjectGraph

// The tables of a store are laid out as Core Data lays out its own:
//
//   ZCITY         Z_PK | Z_ENT | Z_OPT | ZNAME | ZPOPULATION | …      one table an entity
//   Z_PRIMARYKEY  Z_ENT | Z_NAME | Z_SUPER | Z_MAX                    the last key given out
//   Z_METADATA    Z_VERSION | Z_UUID | Z_MODEL                        one row
//
// Z_PK is the row's key, Z_ENT the entity's number (its place in the model, from 1), Z_OPT the
// version that optimistic locking compares. Where Core Data keeps hashes of the model's entities,
// Z_MODEL keeps its description: as exact, and it can say *what* differs.

/// The layout of a model's store. Immutable.
package struct Schema: Sendable {
  package let model: Model
  package let tables: [EntityTable]

  /// - Throws: `StoreError.nameTaken` if two names differ by case only.
  package init(_ model: Model) throws {
    self.model = model
    self.tables = try model.entities.enumerated().map { index, entity in
      try EntityTable(entity, number: index + 1)
    }
    try checkNames(
      tables.map { ($0.name, "entity \($0.entity.name)") },
      reserved: ["Z_METADATA", "Z_PRIMARYKEY"])
  }

  /// - Precondition: the entity belongs to the model.
  func table(of entity: Entity) -> EntityTable {
    tables[model.index(of: entity)]
  }

  /// What identifies the model in a store's metadata.
  var modelDescription: String {
    tables.map(\.modelDescription).joined(separator: " ")
  }

  /// The statements that make an empty store.
  var creation: [String] {
    [
      "CREATE TABLE Z_METADATA "
        + "(Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_MODEL TEXT)",
      "CREATE TABLE Z_PRIMARYKEY "
        + "(Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
    ] + tables.flatMap(\.creation)
  }
}

/// The table of one entity, and the SQL that does not change from request to request.
package struct EntityTable: Sendable {
  package let entity: Entity
  /// What `Z_ENT` holds.
  let number: Int
  /// As SQLite knows it, unquoted.
  let name: String
  let columnNames: [String]
  /// The types of the attributes, in order; what decoding a row switches on.
  let types: ContiguousArray<AttributeType>

  init(_ entity: Entity, number: Int) throws {
    self.entity = entity
    self.number = number
    self.name = "Z" + entity.name.uppercased()
    self.columnNames = entity.attributes.map { "Z" + $0.name.uppercased() }
    self.types = ContiguousArray(entity.attributes.map(\.type))
    try checkNames(
      zip(columnNames, entity.attributes).map { ($0, "\(entity.name).\($1.name)") },
      reserved: ["Z_PK", "Z_ENT", "Z_OPT"])
  }

  var quotedName: String { name.quoted }

  func quotedColumn(_ attribute: Int) -> String { columnNames[attribute].quoted }

  /// The columns of a row as `RowDecoder` expects them.
  var rowColumns: String {
    (["Z_PK", "Z_OPT"] + columnNames.map(\.quoted)).joined(separator: ", ")
  }

  /// Parameters: the key, then the values in order.
  var insertion: String {
    let columns = (["Z_PK", "Z_ENT", "Z_OPT"] + columnNames.map(\.quoted)).joined(separator: ", ")
    let values = Array(repeating: "?", count: columnNames.count).joined(separator: ", ")
    return "INSERT INTO \(quotedName) (\(columns)) VALUES (?, \(number), 1, \(values))"
  }

  /// Parameters: the values of the changed attributes in order, the key, the version.
  func update(of changed: AttributeMask) -> String {
    var assignments = ["Z_OPT = Z_OPT + 1"]
    changed.forEachIndex { assignments.append("\(quotedColumn($0)) = ?") }
    return "UPDATE \(quotedName) SET \(assignments.joined(separator: ", "))"
      + " WHERE Z_PK = ? AND Z_OPT = ?"
  }

  /// Parameters: the key, the version.
  var deletion: String { "DELETE FROM \(quotedName) WHERE Z_PK = ? AND Z_OPT = ?" }

  /// Parameter: the key.
  var versionOfRow: String { "SELECT Z_OPT FROM \(quotedName) WHERE Z_PK = ?" }

  /// Parameter: the key.
  var row: String { "SELECT \(rowColumns) FROM \(quotedName) WHERE Z_PK = ?" }

  /// Reserves keys and returns the last of them. Parameters: how many, the entity's number.
  static let keyReservation =
    "UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + ? WHERE Z_ENT = ? RETURNING Z_MAX"

  fileprivate var modelDescription: String {
    let attributes = entity.attributes.map { attribute in
      "\(attribute.name): \(attribute.type.rawValue)"
        + (attribute.isOptional ? "?" : "") + (attribute.isIndexed ? " indexed" : "")
    }
    return "\(entity.name)(\(attributes.joined(separator: ", ")))"
  }

  fileprivate var creation: [String] {
    let columns = zip(columnNames, types).map { "\($0.quoted) \($1.columnType)" }
    let table =
      "CREATE TABLE \(quotedName) (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
      + columns.joined(separator: ", ") + ")"
    let indexes = zip(columnNames, entity.attributes).filter(\.1.isIndexed).map { column, _ in
      "CREATE INDEX \("\(name)_\(column)_INDEX".quoted) ON \(quotedName) (\(column.quoted))"
    }
    return [table] + indexes
  }
}

extension AttributeType {
  fileprivate var columnType: String {
    switch self {
    case .int64, .bool: "INTEGER"
    case .double, .date: "REAL"
    case .string: "TEXT"
    case .data: "BLOB"
    }
  }
}

extension String {
  fileprivate var quoted: String {
    "\"" + replacing("\"", with: "\"\"") + "\""
  }
}

private func checkNames(_ names: [(name: String, owner: String)], reserved: [String]) throws {
  var owners = Dictionary(uniqueKeysWithValues: reserved.map { ($0, "the store itself") })
  for (name, owner) in names {
    if let other = owners.updateValue(owner, forKey: name) {
      throw StoreError.nameTaken(name, by: other, and: owner)
    }
  }
}
