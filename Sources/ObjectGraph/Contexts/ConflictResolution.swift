/// Applies a merge policy to objects whose save was refused, so that the save can be repeated.
struct ConflictResolution {
  let context: ManagedObjectContext
  let coordinator: any PersistentStoreCoordinator
  private var rounds = 0

  init(context: ManagedObjectContext, coordinator: any PersistentStoreCoordinator) {
    self.context = context
    self.coordinator = coordinator
  }

  /// - Throws: the error, if the policy does not resolve it. A conflict then includes the context's
  ///   snapshot of the object.
  mutating func resolve(_ error: SaveError) throws {
    rounds += 1
    // Other contexts may save between two attempts. The limit prevents an endless loop.
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
    // The row cache may be out of date too, after a write by another coordinator or a batch
    // request.
    coordinator.forgetRows(of: conflicts.map(\.id))
    let rows = try coordinator.snapshots(of: conflicts.map(\.id))
    for (conflict, row) in zip(conflicts, rows) {
      guard let object = context.object(registeredFor: conflict.id) else { continue }
      // Only an object referenced by the conflict can be a fault. Resolving needs its values.
      if object.isFault { try context.readFault(object) }
      if let row { resolve(object, against: row) } else { resolveWithoutRow(object) }
    }
  }

  private func resolve(_ object: ManagedObject, against row: RowSnapshot) {
    if object.isDeleted {
      // An object that stays deleted is not announced.
      if context.mergePolicy.prefersObject { return object.committed = row }
      context.revive(object)
      context.fill(object, with: row)
      context.changedNeedsPruning = true
    } else {
      let kept = keptEdits(of: object, against: row)
      let edited = object.values
      object.row = ObjectRow(row)
      kept.forEachIndex { object.values[$0] = edited[$0] }
      object.touched = kept
      refaultRelationships(of: object)
    }
    context.announce(object, as: .newlyRefreshed)
  }

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

  /// Keeps members that were added or removed here, except under the rollback policy. The store's
  /// members are read again.
  private func refaultRelationships(of object: ManagedObject) {
    for index in object.toMany.indices {
      object.toMany[index].refault()
      if context.mergePolicy == .rollback { object.toMany[index].revert() }
    }
  }

  /// The local side inserts the row again, or the object is deleted.
  private func resolveWithoutRow(_ object: ManagedObject) {
    if context.mergePolicy.prefersObject && !object.isDeleted {
      object.state.remove(.updated)
      object.state.insert(.inserted)
      object.committed = nil
      object.touched = .all(object.values.count)
      // The row's pairs were deleted with it.
      refaultRelationships(of: object)
    } else {
      context.markRowMissing(object)
      context.announce(object, as: .newlyDeleted)
    }
  }
}

// MARK: - Uniqueness

extension ConflictResolution {
  /// Two objects have the same values in a uniqueness constraint. The store's row stays, with the
  /// values of the side that the policy prefers.
  private func resolve(_ conflicts: [ConstraintConflict]) throws {
    for conflict in conflicts {
      guard let object = context.object(registeredFor: conflict.objectID) else { continue }
      if object.isInserted {
        try mergeInsert(object, into: conflict)
      } else {
        try resolveUpdate(object, for: conflict)
      }
    }
  }

  /// Deletes a new object in favour of the existing row. The row takes its values if the policy
  /// prefers them.
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

  /// Drops the edits to the constraint's columns, or deletes the other row.
  private func resolveUpdate(_ object: ManagedObject, for conflict: ConstraintConflict) throws {
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
