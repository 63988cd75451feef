import Foundation
package import GRDB
package import ObjectGraph

extension MigrationMapping {
  struct RowCopy {
    let sql: String
    let defaults: [DatabaseValue]
    /// Every column stays the same.
    let isIdentity: Bool
  }

  static func temporaryName(of table: String) -> String { "Z_OLD_" + table }

  /// Whether the table exists already with all its rows.
  func isUnchanged(_ root: RootTable) -> Bool {
    let kinds = new.model.resolved[root.entityIndex].kinds
    let oldKinds = old.entities.indices.filter { old.entities[$0].table == root.name }
    guard kinds == oldKinds, kinds.allSatisfy({ oldIndexes[$0] == $0 }) else { return false }
    let declared = root.declarations.flatMap(\.layout.stored).map(\.name)
    let before = oldKinds.flatMap { old.entities[$0].properties }
      .flatMap { [$0.column, $0.kindColumn].compactMap(\.self) }
    return declared.sorted() == before.sorted()
      && kinds.allSatisfy { rowCopy(of: $0)?.isIdentity == true }
  }

  /// Nil if the entity is new.
  func rowCopy(of index: Int) -> RowCopy? {
    guard let oldIndex = oldIndexes[index] else { return nil }
    let table = new.tables[index]
    var defaults: [DatabaseValue] = []
    let copied = zip(entities[index].columns, table.layouts).flatMap { column, layout in
      let source = source(of: column.identifier, in: index)?.property
      return copies(of: column, layout, from: source, &defaults)
    }
    let columns = (["Z_PK", "Z_ENT", "Z_OPT"] + table.valueColumns).joined(separator: ", ")
    let values = (["Z_PK", String(table.number), "Z_OPT"] + copied).joined(separator: ", ")
    return RowCopy(
      sql: "INSERT INTO \(table.quotedName) (\(columns)) SELECT \(values)"
        + " FROM \(Self.temporaryName(of: old.entities[oldIndex].table).quoted) WHERE Z_ENT = \(oldIndex + 1)",
      defaults: defaults, isIdentity: copied == table.valueColumns)
  }

  /// A default takes the place of a null that the attribute no longer allows.
  private func copies(
    of column: ObjectGraph.Column, _ layout: ColumnLayout, from source: StoredModel.Property?,
    _ defaults: inout [DatabaseValue]
  ) -> [String] {
    guard case .attribute(let attribute) = column else { return keys(layout, from: source) }
    guard !attribute.isTransient else { return [] }
    let old = source?.column?.quoted
    if let old, attribute.isOptional || source?.isOptional == false { return [old] }
    defaults.append(attribute.defaultValue.databaseValue)
    return [old.map { "coalesce(\($0), ?)" } ?? "?"]
  }

  /// The key, and the target's entity number if the layout has a column for it.
  private func keys(_ layout: ColumnLayout, from source: StoredModel.Property?) -> [String] {
    guard let source, let column = source.column?.quoted,
      let destination = oldIndex(named: source.destination)
    else { return layout.stored.map { _ in "NULL" } }
    guard let kind = source.kindColumn?.quoted else {
      guard layout.stored.count == 2 else { return [column] }
      let number = (newIndex(of: destination) ?? 0) + 1
      return [column, "CASE WHEN \(column) IS NOT NULL THEN \(number) END"]
    }
    let kinds = oldKinds(of: destination)
    let numbers = kinds.compactMap { old in newIndex(of: old).map { (old + 1, $0 + 1) } }
    // A reference to a row of a removed entity becomes null.
    let isComplete = numbers.count == kinds.count
    let survivors = numbers.map { String($0.0) }.joined(separator: ", ")
    let key = isComplete ? column : "CASE WHEN \(kind) IN (\(survivors)) THEN \(column) END"
    guard layout.stored.count == 2 else { return [key] }
    if isComplete, numbers.allSatisfy({ $0 == $1 }) { return [key, kind] }
    let cases = numbers.map { "WHEN \($0) THEN \($1)" }.joined(separator: " ")
    return [key, "CASE \(kind) \(cases) END"]
  }

  // MARK: - Pairs

  /// Fills a new many-to-many relationship from an old relationship of any kind.
  func pairCopies(into table: PairTable) -> [String] {
    let ends = table.ends
    return ends.indices.flatMap { end -> [String] in
      let (mine, theirs) = (ends[end], ends[1 - end])
      return pairSources(of: mine).compactMap { side in
        pairs(from: side.source, newIndex: side.newIndex).map { pairs in
          "INSERT OR IGNORE INTO \(table.name.quoted) (\(mine.column.quoted), \(theirs.column.quoted))"
            + " SELECT a, b FROM (\(pairs)) WHERE \(exists("a", in: mine)) AND \(exists("b", in: theirs))"
        }
      }
    }.withoutRepeats
  }

  /// Drops pairs with rows of removed entities.
  private func exists(_ key: String, in end: PairTable.End) -> String {
    "\(key) IN (SELECT Z_PK FROM \(new.tables[end.entity].quotedName))"
  }

  /// Selects this side's keys as `a`, the other side's as `b`.
  private func pairs(from source: Source, newIndex: Int) -> String? {
    guard source.property.kind == .toMany else {
      guard let column = source.property.column?.quoted, let oldIndex = oldIndexes[newIndex] else {
        return nil
      }
      let table = Self.temporaryName(of: old.entities[oldIndex].table)
      return "SELECT Z_PK AS a, \(column) AS b FROM \(table.quoted) WHERE Z_ENT = \(oldIndex + 1)"
        + " AND \(column) IS NOT NULL"
    }
    for pairs in old.pairs {
      let end = pairs.ends.firstIndex {
        $0.entity == source.entity.name && $0.relationship == source.property.name
      }
      guard let end else { continue }
      let (mine, theirs) = (pairs.ends[end].column, pairs.ends[1 - end].column)
      return "SELECT \(mine.quoted) AS a, \(theirs.quoted) AS b"
        + " FROM \(Self.temporaryName(of: pairs.table).quoted)"
    }
    // In a one-to-many relationship, the other side has the column.
    guard let inverse = inverse(of: source), let column = inverse.property.column?.quoted else {
      return nil
    }
    return "SELECT \(column) AS a, Z_PK AS b"
      + " FROM \(currentName(of: inverse.entity.table).quoted) WHERE \(column) IS NOT NULL"
  }

  /// An unchanged table keeps its name.
  private func currentName(of table: String) -> String {
    new.roots.contains { $0.name == table && isUnchanged($0) }
      ? table : Self.temporaryName(of: table)
  }
}

extension Value {
  package var databaseValue: DatabaseValue {
    switch self {
    case .null: .null
    case .int64(let value): value.databaseValue
    case .bool(let value): value.databaseValue
    case .double(let value): value.databaseValue
    case .date(let value): value.timeIntervalSinceReferenceDate.databaseValue
    case .string(let value): value.databaseValue
    case .data(let value): value.databaseValue
    case .decimal(let value): value.number.databaseValue
    case .uuid(let value): value.databaseValue
    case .uri(let value): value.databaseValue
    case .object(let id): id.primaryKey.databaseValue
    }
  }
}
