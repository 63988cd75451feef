import ObjectGraph

/// A column by which rows of some table name rows of another.
struct RowReference: Sendable {
  let table: String
  let layout: ColumnLayout

  /// Clears the column in all rows that name one of these, which get a new version.
  ///
  /// - Parameter keys: of the rows that are named, as a list or a query in SQL.
  func clearing(naming keys: String) -> String {
    let assignments =
      ["Z_OPT = Z_OPT + 1"] + layout.stored.map { "\($0.name.quoted) = NULL" }
    return "UPDATE \(table.quoted) SET \(assignments.joined(separator: ", "))"
      + " WHERE \(layout.name.quoted) IN (\(keys))"
  }

  /// The column, among those of an entity.
  func mask(in table: EntityTable) -> AttributeMask {
    table.layouts.firstIndex(of: layout).map { AttributeMask(index: $0) } ?? []
  }
}

extension Schema {
  /// The columns that lead to rows of this hierarchy, which is named by its topmost entity.
  func references(to root: Int) -> [RowReference] {
    roots.flatMap { other in
      other.declarations
        .filter { $0.destination.map { model.resolved[$0].root } == root }
        .map { RowReference(table: other.name, layout: $0.layout) }
    }
  }
}

extension PairTable {
  /// Removes the pairs of noted rows of this hierarchy.
  func deletions(root: Int, in model: Model) -> [String] {
    ends.filter { model.resolved[$0.entity].root == root }.map { end in
      "DELETE FROM \(name.quoted) WHERE \(end.column.quoted) IN (SELECT Z_PK FROM temp.Z_BATCH)"
    }
  }
}
