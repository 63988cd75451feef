import ObjectGraph

/// Holds keys of rows in another table.
struct ReferencingColumn: Sendable {
  let table: EntityTable
  let layout: ColumnLayout

  init(table: EntityTable, layout: ColumnLayout) {
    self.table = table
    self.layout = layout
  }

  /// The other side's column of a one-to-one relationship. Nil for other relationships, and for
  /// a rule of no action.
  init?(partnersOf relationship: ResolvedRelationship, _ tables: [EntityTable]) {
    guard case (.toOne, .toOne(let column)?) = (relationship.end, relationship.inverse),
      relationship.description.deleteRule != .noAction
    else { return nil }
    table = tables[relationship.destination]
    layout = table.layouts[column]
  }

  /// Sets the column to null where it is one of the keys: a list or an SQL query.
  func clearing(naming keys: String) -> String {
    table.raisingVersion(layout.stored.map { "\($0.name.quoted) = NULL" })
      + " WHERE \(layout.name.quoted) IN (\(keys))"
  }

  /// Parameter: the key. Returns the keys and entity numbers of the rows.
  var clearingOne: String { clearing(naming: "?") + " RETURNING Z_PK, Z_ENT" }

  func mask(in table: EntityTable) -> AttributeMask {
    table.layouts.firstIndex(of: layout).map { AttributeMask(index: $0) } ?? []
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

extension PairTable {
  /// Deletes the pairs of the noted rows.
  func deletions(root: Int, in model: Model) -> [String] {
    ends.filter { model.resolved[$0.entity].root == root }.map { end in
      "DELETE FROM \(name.quoted) WHERE \(end.column.quoted) IN (SELECT Z_PK FROM temp.Z_BATCH)"
    }
  }
}
