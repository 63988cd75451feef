/// What a save does about rows that another context changed since this one read them.
///
/// As Core Data's merge policies of these names (`NSMergePolicy.h`).
public enum MergePolicy: String, CaseIterable, Sendable {
  /// The save fails with the conflicts. The default.
  case error
  /// Of properties that both changed, the store's value wins; other local edits are kept.
  case storeTrump = "store-trump"
  /// Of properties that both changed, the local value wins; what else the store changed is kept.
  case objectTrump = "object-trump"
  /// The whole local row is written, over everything.
  case overwrite
  /// Local edits are dropped; the object shows what the store has.
  case rollback

  /// Whether the local side wins where both sides want the same thing.
  var prefersObject: Bool { self == .objectTrump || self == .overwrite }
}

/// Applies a merge policy to the objects whose save was refused, so that it can be tried again.
struct ConflictResolution {
  let context: ManagedObjectContext
  let coordinator: any PersistentStoreCoordinator
  private var rounds = 0

  init(context: ManagedObjectContext, coordinator: any PersistentStoreCoordinator) {
    self.context = context
    self.coordinator = coordinator
  }

  /// - Throws: the error, if the policy does not settle it; with what the context knows of each
  ///   object added.
  mutating func resolve(_ error: SaveError) throws {
    rounds += 1
    // Others may save between two tries, but not for ever.
    let isHopeless = context.mergePolicy == .error || rounds > 100
    switch error {
    case .conflict(let conflicts):
      guard !isHopeless else { throw SaveError.conflict(conflicts.map(described)) }
      try resolve(conflicts)
    case .constraint(let conflicts):
      guard !isHopeless else { throw error }
      try resolve(conflicts)
    case .validation: throw error
    }
  }

  private func described(_ conflict: MergeConflict) -> MergeConflict {
    var conflict = conflict
    conflict.objectSnapshot = context.object(registeredFor: conflict.id)?.committed
    return conflict
  }

  private func resolve(_ conflicts: [MergeConflict]) throws {
    // The row cache may be behind too: another coordinator wrote, or a batch request.
    coordinator.forgetRows(of: conflicts.map(\.id))
    let rows = try coordinator.snapshots(of: conflicts.map(\.id))
    for (conflict, row) in zip(conflicts, rows) {
      guard let object = context.object(registeredFor: conflict.id) else { continue }
      // It is only led to. What has no values cannot be made anew.
      if object.isFault { try context.readFault(object) }
      if let row { resolve(object, against: row) } else { resolveWithoutRow(object) }
    }
  }

  private func resolve(_ object: ManagedObject, against row: RowSnapshot) {
    if object.isDeleted {
      // What stays deleted is nobody's news.
      if context.mergePolicy.prefersObject { return object.committed = row }
      context.revive(object)
      context.fill(object, with: row)
      context.changedHasGaps = true
    } else {
      let kept = keptEdits(of: object, against: row)
      let edited = object.values
      object.row = ObjectRow(row)
      kept.forEachIndex { object.values[$0] = edited[$0] }
      object.touched = kept
      settleRelationships(of: object)
    }
    context.announce(object, as: .newlyRefreshed)
  }

  /// The columns whose local value survives.
  private func keptEdits(
    of object: ManagedObject, against row: RowSnapshot
  ) -> AttributeMask {
    let local = object.persistentChanges
    switch context.mergePolicy {
    case .objectTrump: return local
    case .overwrite: return .all(object.values.count)
    case .storeTrump:
      guard let committed = object.committed else { return local }
      var kept: AttributeMask = []
      local.forEachIndex { column in
        if row.values[column] == committed.values[column] { kept.insert(.init(index: column)) }
      }
      return kept
    case .rollback, .error: return []
    }
  }

  /// Members that were added or removed here stay so, but under the rollback policy; those of the
  /// store are to be read anew.
  private func settleRelationships(of object: ManagedObject) {
    for index in object.toMany.indices {
      object.toMany[index].refault()
      if context.mergePolicy == .rollback { object.toMany[index].revert() }
    }
  }

  /// The row is gone: the local side makes it anew, or gives in.
  private func resolveWithoutRow(_ object: ManagedObject) {
    if context.mergePolicy.prefersObject && !object.isDeleted {
      object.state.remove(.updated)
      object.state.insert(.inserted)
      object.committed = nil
      object.touched = .all(object.values.count)
      // Its pairs went with its row.
      settleRelationships(of: object)
    } else {
      context.markRowGone(object)
      context.announce(object, as: .newlyDeleted)
    }
  }
}

// MARK: - Uniqueness

extension ConflictResolution {
  /// Two objects want the same values of a constraint: one row is left, that of the store, with the
  /// values of the side that the policy prefers.
  private func resolve(_ conflicts: [ConstraintConflict]) throws {
    for conflict in conflicts {
      guard let object = context.object(registeredFor: conflict.objectID) else { continue }
      if object.isInserted {
        try mergeInsert(object, into: conflict)
      } else {
        try giveWay(object, to: conflict)
      }
    }
  }

  /// A new object gives way to the row that is there, which takes its values if it is preferred.
  private func mergeInsert(_ object: ManagedObject, into conflict: ConstraintConflict) throws {
    let existing = context.object(with: conflict.rowID)
    if existing.isFault { try context.readFault(existing) }
    if context.mergePolicy.prefersObject && !existing.isDeleted {
      for column in object.values.indices where object.entity.columns[column].relationship == nil {
        if existing.values[column] != object.values[column] {
          existing.write(object.values[column], at: column)
        }
      }
    }
    context.delete(object)
    try context.propagateDeletes()
  }

  /// A changed row: the edits of the constraint's columns are dropped, or the other row goes.
  private func giveWay(_ object: ManagedObject, to conflict: ConstraintConflict) throws {
    if context.mergePolicy.prefersObject {
      let holder = context.object(with: conflict.rowID)
      if holder.isFault { try context.readFault(holder) }
      context.delete(holder)
      try context.propagateDeletes()
    } else if let committed = object.committed {
      for name in conflict.constraint {
        guard let column = object.entity.index(of: name) else { continue }
        object.values[column] = committed.values[column]
        object.touched.remove(AttributeMask(index: column))
      }
      context.announce(object, as: .newlyRefreshed)
    }
  }
}
