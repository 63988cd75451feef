import ObjectGraph

/// A column with keys of rows in another table.
struct ReferencingColumn: Sendable {
  let table: EntityTable
  let layout: ColumnLayout

  /// Sets the column to null in all rows that refer to one of the keys: a list or an SQL query.
  func clearing(naming keys: String) -> String {
    table.raisingVersion(layout.stored.map { "\($0.name.quoted) = NULL" })
      + " WHERE \(layout.name.quoted) IN (\(keys))"
  }

  func mask(in table: EntityTable) -> AttributeMask {
    table.layouts.firstIndex(of: layout).map { AttributeMask(index: $0) } ?? []
  }
}

extension Schema {
  /// The columns that refer to rows of the hierarchy of this topmost entity.
  func references(to root: Int) -> [ReferencingColumn] {
    roots.flatMap { other in
      other.declarations
        .filter { $0.destination.map { model.resolved[$0].root } == root }
        .map { ReferencingColumn(table: tables[other.entityIndex], layout: $0.layout) }
    }
  }
}

extension PairTable {
  /// Deletes the pairs of the noted rows of a hierarchy.
  func deletions(root: Int, in model: Model) -> [String] {
    ends.filter { model.resolved[$0.entity].root == root }.map { end in
      "DELETE FROM \(name.quoted) WHERE \(end.column.quoted) IN (SELECT Z_PK FROM temp.Z_BATCH)"
    }
  }
}
