package import ObjectGraph

/// One entity's part of a table, and the SQL that is the same in every request. Immutable; a class,
/// so that writing many rows passes one reference.
package final class EntityTable: Sendable {
  /// A uniqueness constraint on the entity's rows.
  struct Constraint: Sendable {
    /// Indexes of the columns in the entity.
    let columns: [Int]
    /// The rows that it covers; nil for the whole table.
    let condition: String?
  }

  package let entity: Entity
  /// The entity's number in `Z_ENT`.
  let number: Int
  /// The number of the topmost entity, which counts the keys.
  let rootNumber: Int
  /// The unquoted name of the table.
  let name: String
  let quotedName: String
  /// The layout of each of the entity's columns.
  let layouts: [ColumnLayout]
  /// The numbers of this entity and its subentities.
  let kinds: [Int]
  /// Indexes of the to-one relationships.
  let toOneColumns: [Int]
  let constraints: [Constraint]
  /// The types of all columns if each is a stored attribute, else nil. A row is then its key, its
  /// version and its values in order, as the fast paths need it.
  let plainTypes: ContiguousArray<AttributeType>?
  let isPlain: Bool
  /// The types that values of the columns are compared as; nil for a relationship.
  let comparedTypes: ContiguousArray<AttributeType?>
  /// Quoted, in order.
  let valueColumns: [String]
  /// The value columns of this entity and its subentities, quoted, each once.
  let familyColumns: [String]
  /// Conditions that select the rows of this entity, and of this entity with its subentities. Nil
  /// if that is the whole table.
  let ownCondition: String?
  let familyCondition: String?

  init(_ resolved: ResolvedEntity, in model: Model, root: RootTable) throws {
    entity = resolved.entity
    number = resolved.index + 1
    rootNumber = root.entityIndex + 1
    name = root.name
    quotedName = root.name.quoted
    layouts = root.layouts(of: resolved.entity, in: model)
    toOneColumns = resolved.toOne.indices.filter { resolved.toOne[$0] != nil }
    kinds = resolved.kinds.map { $0 + 1 }
    let family = resolved.kinds.flatMap { root.layouts(of: model.entities[$0], in: model) }
    let attributes = layouts.compactMap { layout -> AttributeType? in
      if case .attribute(let type) = layout.storage { type } else { nil }
    }
    plainTypes = attributes.count == layouts.count ? ContiguousArray(attributes) : nil
    isPlain = plainTypes != nil
    comparedTypes = ContiguousArray(entity.columns.map { $0.attribute?.type })
    valueColumns = layouts.flatMap(\.stored).map(\.name.quoted)
    familyColumns = family.flatMap(\.stored).map(\.name.quoted).withoutRepeats
    let isWholeTable = model.resolved[root.entityIndex].kinds.count == 1
    ownCondition = isWholeTable ? nil : "Z_ENT = \(number)"
    familyCondition = Self.condition(resolved, root: root)
    constraints = try Self.constraints(resolved, in: model, root: root)
  }

  /// The types of the columns.
  ///
  /// - Precondition: each column is a stored attribute.
  var types: ContiguousArray<AttributeType> {
    guard let plainTypes else {
      preconditionFailure("'\(entity.name)' has relationships or transient attributes")
    }
    return plainTypes
  }

  var hasSubentities: Bool { kinds.count > 1 }

  /// - Precondition: the store has the column.
  func quotedColumn(_ index: Int) -> String {
    precondition(
      !layouts[index].stored.isEmpty,
      "'\(entity.name).\(entity.columns[index].name)' is transient: a fetch cannot ask the store for it"
    )
    return layouts[index].name.quoted
  }

  private static func condition(_ resolved: ResolvedEntity, root: RootTable) -> String? {
    guard resolved.index != root.entityIndex else { return nil }
    let numbers = resolved.kinds.map { String($0 + 1) }
    return numbers.count == 1
      ? "Z_ENT = \(numbers[0])" : "Z_ENT IN (\(numbers.joined(separator: ", ")))"
  }

  private static func constraints(
    _ resolved: ResolvedEntity, in model: Model, root: RootTable
  ) throws -> [Constraint] {
    var constraints: [Constraint] = []
    if let parent = resolved.entity.parent {
      constraints = try self.constraints(model.resolved(parent), in: model, root: root)
    }
    for names in resolved.entity.uniquenessConstraints.dropFirst(constraints.count) {
      for name in names
      where resolved.entity.index(of: name).map({ resolved.entity.columns[$0] })?.isTransient
        == true
      {
        throw StoreError.notStored(entity: resolved.entity.name, attribute: name)
      }
      constraints.append(
        Constraint(
          columns: names.compactMap(resolved.entity.index(of:)),
          condition: condition(resolved, root: root)))
    }
    return constraints
  }
}

// MARK: - SQL

extension EntityTable {
  /// The columns of this entity's rows: key, version, values.
  var rowColumns: String {
    (["Z_PK", "Z_OPT"] + valueColumns).joined(separator: ", ")
  }

  /// The columns of rows of this entity or its subentities: key, version, entity number, all
  /// values.
  var familyRowColumns: String {
    (["Z_PK", "Z_OPT", "Z_ENT"] + familyColumns).joined(separator: ", ")
  }

  /// Parameters: the key, then the values in order.
  var insertion: String {
    let columns = (["Z_PK", "Z_ENT", "Z_OPT"] + valueColumns).joined(separator: ", ")
    let values = ["?", String(number), "1"] + Array(repeating: "?", count: valueColumns.count)
    return "INSERT INTO \(quotedName) (\(columns)) VALUES (\(values.joined(separator: ", ")))"
  }

  /// Parameters: the values of the changed columns in order, the key, the version.
  func update(of changed: AttributeMask) -> String {
    let assignments = ["Z_OPT = Z_OPT + 1"] + columns(changed).map { "\($0) = ?" }
    return "UPDATE \(quotedName) SET \(assignments.joined(separator: ", "))"
      + " WHERE Z_PK = ? AND Z_OPT = ?"
  }

  /// Sets columns of a row if one of them differs. Parameters: the values in order, the key.
  func updateOfDifferent(_ mask: AttributeMask) -> String {
    let values = columns(mask).enumerated().map { (column: $1, parameter: "?\($0 + 1)") }
    let assignments = ["Z_OPT = Z_OPT + 1"] + values.map { "\($0.column) = \($0.parameter)" }
    let differences = values.map { "\($0.column) IS NOT \($0.parameter)" }
    return "UPDATE \(quotedName) SET \(assignments.joined(separator: ", "))"
      + " WHERE Z_PK = ?\(values.count + 1) AND (\(differences.joined(separator: " OR ")))"
  }

  /// Sets columns to null. Parameter: the key.
  func clearing(_ mask: AttributeMask) -> String {
    let assignments = columns(mask).map { "\($0) = NULL" }.joined(separator: ", ")
    return "UPDATE \(quotedName) SET \(assignments) WHERE Z_PK = ?"
  }

  /// The quoted columns that store the columns of the mask.
  func columns(_ mask: AttributeMask) -> [String] {
    var columns: [String] = []
    mask.forEachIndex { columns += layouts[$0].stored.map(\.name.quoted) }
    return columns
  }

  /// Parameters: the key, the version.
  var deletion: String { "DELETE FROM \(quotedName) WHERE Z_PK = ? AND Z_OPT = ?" }

  /// Parameter: the key.
  var row: String { "SELECT \(rowColumns) FROM \(quotedName) WHERE Z_PK = ?" }

  /// Selects the key and entity number of another row with the values of a constraint. Parameters:
  /// the values in order, the key of the row itself.
  func holder(of constraint: Constraint) -> String {
    let conditions =
      constraint.columns.map { "\(quotedColumn($0)) = ?" } + ["Z_PK <> ?"]
      + (constraint.condition.map { [$0] } ?? [])
    return "SELECT Z_PK, Z_ENT FROM \(quotedName) WHERE " + conditions.joined(separator: " AND ")
  }

  /// Reserves keys and returns the last one. Parameters: the count, the number of the topmost
  /// entity.
  static let keyReservation =
    "UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + ? WHERE Z_ENT = ? RETURNING Z_MAX"
}

extension [String] {
  fileprivate var withoutRepeats: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}
