package import ObjectGraph

/// One entity's part of a table, and its SQL. A class, so that many rows share one reference.
package final class EntityTable: Sendable {
  struct Constraint: Sendable {
    let columns: [Int]
    /// Nil for the whole table.
    let condition: String?
  }

  package let entity: Entity
  package let index: Int
  /// The index of the topmost entity, which counts the keys.
  package let rootIndex: Int
  /// Unquoted.
  package let name: String
  package let quotedName: String
  /// By the entity's columns.
  package let layouts: [ColumnLayout]
  /// The numbers of this entity and its subentities.
  let kinds: [Int]
  let toOneColumns: [Int]
  let constraints: [Constraint]
  /// Nil unless each column is a stored attribute. A row then consists of its key, version and
  /// values in order, which the fast paths rely on.
  let plainTypes: ContiguousArray<AttributeType>?
  /// Nil for a relationship.
  let comparedTypes: ContiguousArray<AttributeType?>
  /// Quoted, in order.
  let valueColumns: [String]
  /// `valueColumns` with those of subentities, each once.
  let familyColumns: [String]
  /// Select the entity's rows, without and with its subentities. Nil for the whole table.
  let ownCondition: String?
  let familyCondition: String?

  init(_ resolved: ResolvedEntity, in model: Model, root: RootTable) throws {
    entity = resolved.entity
    index = resolved.index
    rootIndex = root.entityIndex
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
    comparedTypes = ContiguousArray(entity.columns.map { $0.attribute?.type })
    valueColumns = layouts.flatMap(\.stored).map(\.name.quoted)
    familyColumns = family.flatMap(\.stored).map(\.name.quoted).withoutRepeats
    let isWholeTable = model.resolved[root.entityIndex].kinds.count == 1
    ownCondition = isWholeTable ? nil : "Z_ENT = \(resolved.index + 1)"
    familyCondition = Self.condition(resolved, root: root)
    constraints = try entity.ancestry.flatMap {
      try Self.constraints(declaredBy: model.resolved($0), root: root)
    }
  }

  package var number: Int { index + 1 }

  /// Without inherited ones.
  var ownConstraints: ArraySlice<Constraint> {
    constraints.dropFirst(entity.parent?.uniquenessConstraints.count ?? 0)
  }

  var isPlain: Bool { plainTypes != nil }

  /// - Throws: `Damage` if no row of this entity or its subentities has the number.
  func checkedKind(_ number: Int64) throws -> Int {
    let number = Int(number)
    guard kinds.contains(number) else { throw unknownKind(number, in: name) }
    return number
  }

  var hasSubentities: Bool { kinds.count > 1 }

  /// - Precondition: the store has the column.
  package func quotedColumn(_ index: Int) -> String {
    require(
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
    declaredBy resolved: ResolvedEntity, root: RootTable
  ) throws -> [Constraint] {
    let entity = resolved.entity
    let inherited = entity.parent?.uniquenessConstraints.count ?? 0
    return try entity.uniquenessConstraints.dropFirst(inherited).map { names in
      let columns = names.compactMap(entity.index(of:))
      if let column = columns.first(where: { entity.columns[$0].isTransient }) {
        throw StoreError.notStored(entity: entity.name, attribute: entity.columns[column].name)
      }
      return Constraint(columns: columns, condition: condition(resolved, root: root))
    }
  }
}

// MARK: - SQL

extension EntityTable {
  var rowColumns: String { (["Z_PK", "Z_OPT"] + valueColumns).joined(separator: ", ") }

  var familyRowColumns: String {
    (["Z_PK", "Z_OPT", "Z_ENT"] + familyColumns).joined(separator: ", ")
  }

  /// Parameters: the key, then the values in order.
  var insertion: String {
    let columns = (["Z_PK", "Z_ENT", "Z_OPT"] + valueColumns).joined(separator: ", ")
    let values = ["?", String(number), "1"] + Array(repeating: "?", count: valueColumns.count)
    return "INSERT INTO \(quotedName) (\(columns)) VALUES (\(values.joined(separator: ", ")))"
  }

  /// Parameters: the changed values in order, the key, the version.
  func update(of changed: AttributeMask) -> String {
    raisingVersion(columns(changed).map { "\($0) = ?" }) + " WHERE Z_PK = ? AND Z_OPT = ?"
  }

  func raisingVersion(_ assignments: [String]) -> String {
    "UPDATE \(quotedName) SET " + (["Z_OPT = Z_OPT + 1"] + assignments).joined(separator: ", ")
  }

  /// Updates a row only if a column differs. Parameters: the values in order, the key.
  func updateOfDifferent(_ mask: AttributeMask) -> String {
    let values = columns(mask).enumerated().map { (column: $1, parameter: "?\($0 + 1)") }
    let differences = values.map { "\($0.column) IS NOT \($0.parameter)" }
    return raisingVersion(values.map { "\($0.column) = \($0.parameter)" })
      + " WHERE Z_PK = ?\(values.count + 1) AND (\(differences.joined(separator: " OR ")))"
  }

  func clearing(_ mask: AttributeMask) -> String {
    let assignments = columns(mask).map { "\($0) = NULL" }.joined(separator: ", ")
    return "UPDATE \(quotedName) SET \(assignments) WHERE Z_PK = ?"
  }

  var newVersion: String { "UPDATE \(quotedName) SET Z_OPT = ? WHERE Z_PK = ?" }

  func columns(_ mask: AttributeMask) -> [String] {
    var columns: [String] = []
    mask.forEachIndex { columns += layouts[$0].stored.map(\.name.quoted) }
    return columns
  }

  /// Parameters: the key, the version.
  var deletion: String { "DELETE FROM \(quotedName) WHERE Z_PK = ? AND Z_OPT = ?" }

  var row: String { "SELECT \(rowColumns) FROM \(quotedName) WHERE Z_PK = ?" }

  func rows(_ count: Int) -> String {
    "SELECT \(rowColumns) FROM \(quotedName) WHERE Z_PK IN (\(placeholders(count)))"
  }

  /// Another row with a constraint's values. Parameters: the values, the row's own key.
  func holder(of constraint: Constraint) -> String {
    let conditions =
      constraint.columns.map { "\(quotedColumn($0)) = ?" } + ["Z_PK <> ?"]
      + (constraint.condition.map { [$0] } ?? [])
    return "SELECT Z_PK, Z_ENT FROM \(quotedName) WHERE " + conditions.joined(separator: " AND ")
  }

  /// Selects values that a constraint allows in one row only.
  func repeatedValues(of constraint: Constraint) -> String {
    let columns = constraint.columns.map(quotedColumn)
    let conditions =
      columns.map { "\($0) IS NOT NULL" } + (constraint.condition.map { [$0] } ?? [])
    let list = columns.joined(separator: ", ")
    return "SELECT \(list) FROM \(quotedName) WHERE \(conditions.joined(separator: " AND "))"
      + " GROUP BY \(list) HAVING count(*) > 1 LIMIT 3"
  }

  /// Returns the last reserved key. Parameters: the count, the number of the topmost entity.
  static let keyReservation =
    "UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + ? WHERE Z_ENT = ? RETURNING Z_MAX"
}

func unknownKind(_ number: Int, in table: String) -> Damage {
  Damage(description: "a row of \(table) is of entity number \(number), which has no rows there")
}

extension Array where Element: Hashable {
  var withoutRepeats: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

extension [ManagedObjectID] {
  /// In the order of first occurrence.
  package var byEntity: [(entity: Int, ids: [ManagedObjectID])] {
    let groups = Dictionary(grouping: self, by: \.entityIndex)
    return map(\.entityIndex).withoutRepeats.map { (Int($0), groups[$0] ?? []) }
  }
}
