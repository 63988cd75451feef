/// An entity whose rows the stream changes.
public struct RowEntity: Sendable {
  public let entity: Entity
  /// The index of the attribute that holds the business key.
  public let keyIndex: Int
  /// The to-one columns in which changes hold business keys. Changes leave other relationships
  /// alone.
  public let references: [RowReference]
  /// Matches the rows that `Change.deleteWhere` deletes. Without a value, it deletes none.
  public let deletion: FetchPredicate

  public init(
    _ entity: Entity, keyIndex: Int, references: [RowReference] = [],
    deletion: FetchPredicate = .false
  ) {
    self.entity = entity
    self.keyIndex = keyIndex
    self.references = references
    self.deletion = deletion
  }

  /// The columns that an upsert sets.
  package var givenColumns: [Int] {
    entity.columns.indices.filter { column in
      entity.columns[column].attribute != nil || references.contains { $0.column == column }
    }
  }
}

/// A to-one column in which a change holds the business key of another row.
public struct RowReference: Sendable, Equatable {
  /// The column's index in its own entity.
  public let column: Int
  /// The index of the target's entity in `TopologyEnvironment.rowEntities`.
  public let destination: Int

  public init(column: Int, destination: Int) {
    self.column = column
    self.destination = destination
  }
}

extension [RowEntity] {
  /// For each entity, whether a batch that inserts one of its rows may name the row again: as the
  /// target of another row, or to update the row's own references.
  package var mayBeNamedAgain: [Bool] {
    let destinations = Set(flatMap { $0.references.map(\.destination) })
    return indices.map { destinations.contains($0) || !self[$0].references.isEmpty }
  }
}
