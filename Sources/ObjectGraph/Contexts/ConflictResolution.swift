/// Applies a merge policy after a refused save.
struct ConflictResolution {
  let context: ManagedObjectContext
  let coordinator: any PersistentStoreCoordinator
  private(set) var rounds = 0
  /// Objects that took the store's row in this round.
  private(set) var settled: [SettledObject] = []
  /// Columns whose local values stay.
  private(set) var keptColumns: [ManagedObject: AttributeMask] = [:]
  /// Missing rows that are not inserted again. Unsaved relations to them end together, since each
  /// search for such relations visits all changed objects.
  private(set) var missing: Set<ManagedObjectID> = []
  /// The pending relations without an inverse, by target. Nil until they are needed.
  var oneWayRelations: [ManagedObjectID: [(object: ManagedObject, column: Int)]]?

  struct SettledObject {
    let object: ManagedObject
    let before: ObjectRow
  }

  /// - Throws: the error, with the context's snapshots, if the policy does not resolve it.
  mutating func resolve(_ error: SaveError) throws {
    rounds += 1
    oneWayRelations = nil
    let error = described(error)
    // A coordinator that cannot keep others from writing may repeat a save for ever.
    guard rounds <= 100 else { throw error }
    guard let handler = context.conflictHandler else { return try applyPolicy(to: error) }
    try handler(context, error) { try applyPolicy(to: error) }
  }

  private mutating func applyPolicy(to error: SaveError) throws {
    guard context.mergePolicy != .error else { throw error }
    switch error {
    case .conflict(let conflicts): try resolve(conflicts)
    case .constraint(let conflicts): try resolve(conflicts)
    case .validation: throw error
    }
  }

  private func described(_ error: SaveError) -> SaveError {
    switch error {
    case .conflict(let conflicts): .conflict(conflicts.map(described))
    case .constraint(let conflicts): .constraint(conflicts.map(described))
    case .validation: error
    }
  }

  private func described(_ conflict: MergeConflict) -> MergeConflict {
    var conflict = conflict
    conflict.objectSnapshot = context.object(registeredFor: conflict.id)?.committed
    conflict.policy = context.mergePolicy
    return conflict
  }

  private func described(_ conflict: ConstraintConflict) -> ConstraintConflict {
    var conflict = conflict
    conflict.policy = context.mergePolicy
    return conflict
  }

  private mutating func resolve(_ conflicts: [MergeConflict]) throws {
    // The row cache may be outdated after another coordinator's write or a batch request.
    coordinator.forgetRows(of: conflicts.map(\.id))
    let rows = try coordinator.snapshots(of: conflicts.map(\.id))
    // Resolving a deletion refreshes related objects, and resolving a missing row may delete some.
    // So the objects that stay come first.
    let all = zip(conflicts.map(\.id), rows)
    let staying = all.filter { !isDeleted($0) && $1 != nil }
    let deleted = all.filter { isDeleted($0) && $1 != nil }
    for (id, row) in staying { try resolve(id, against: row) }
    settleRelations()
    // Objects that stay deleted may have relations that delete rules must end.
    if context.mergePolicy.prefersObject { try context.propagateDeletes() }
    for (id, row) in deleted + all.filter({ $1 == nil }) { try resolve(id, against: row) }
    // Does not cascade if the policy prefers the object.
    context.releaseUnsavedRelations(to: missing, cascading: !context.mergePolicy.prefersObject)
    missing = []
    settleRelations()
    try context.propagateDeletes()
  }

  private func isDeleted(_ id: ManagedObjectID) -> Bool {
    context.object(registeredFor: id)?.isDeleted == true
  }

  private mutating func resolve(_ id: ManagedObjectID, against row: RowSnapshot?) throws {
    guard let object = context.object(registeredFor: id) else {
      if row == nil { missing.insert(id) }
      return
    }
    if object.isFault {
      // Only an object that a relation leads to can be a fault.
      guard row != nil else {
        context.markInaccessible(object)
        missing.insert(id)
        return
      }
      try context.readFault(object)
    }
    if let row { try resolve(object, against: row) } else { resolveWithoutRow(object) }
  }

  mutating func resolve(_ object: ManagedObject, against row: RowSnapshot) throws {
    if object.isDeleted {
      // The object stays deleted, so nothing is announced. Its delete rules apply to the row's new
      // relations.
      if context.mergePolicy.prefersObject {
        context.refill(object, with: row)
        try refreshTargets(of: object)
        context.pendingDeletes.append(object)
        return
      }
      context.revive(object)
      context.refill(object, with: row)
      restoreInverses(of: object)
      context.repeatRules(of: object)
      context.changedNeedsPruning = true
    } else {
      let before = object.row
      let kept = keptEdits(of: object, against: row)
      object.row = object.refreshedRow(to: row)
      kept.forEachIndex { object.values[$0] = before.current[$0] }
      object.touched = kept
      if object.isInserted {
        // An undo inserted the row again, and so did another context.
        object.state.remove(.inserted)
        object.state.insert(.updated)
      }
      refaultRelationships(of: object)
      settled.append(SettledObject(object: object, before: before))
      keptColumns[object] = kept
    }
    context.announce(object, as: .newlyRefreshed)
  }

  /// Updates the inverse sides. The order does not matter: all objects have their new rows.
  mutating func settleRelations() {
    for one in settled { settleInverses(of: one) }
    for one in settled {
      if !one.object.hasEdits {
        one.object.state.remove(.updated)
        one.object.touched = []
        context.changedNeedsPruning = true
      }
      context.repeatRules(of: one.object)
    }
    settled = []
    keptColumns = [:]
  }

  /// Refreshes the objects that the delete rules affect: they may not know of new relations.
  private func refreshTargets(of object: ManagedObject) throws {
    let stored = try object.resolved.relationships.flatMap {
      try context.readTargetIDs(of: object, by: $0).filter { !$0.isTemporary }
    }
    coordinator.forgetRows(of: stored)
    for (id, row) in zip(stored, try coordinator.snapshots(of: stored)) {
      guard let row, let target = context.object(registeredFor: id) else { continue }
      if target.state.contains(.deletedByMerge) {
        context.returnToRow(target, row)
      } else if target.state.isDisjoint(with: [.fault, .inserted, .deleted, .vanishing]) {
        context.refresh([target], with: [row])
      }
    }
  }

  private func keptEdits(of object: ManagedObject, against row: RowSnapshot) -> AttributeMask {
    guard object.hasChanges else { return [] }
    let local = object.persistentChanges
    switch context.mergePolicy {
    case .objectTrump: return local
    case .overwrite: return .all(object.values.count)
    case .storeTrump:
      guard let committed = object.committed else { return [] }
      var kept: AttributeMask = []
      local.forEachIndex { column in
        if row.values[column] == committed.values[column] { kept.insert(.init(index: column)) }
      }
      return kept
    case .rollback, .error: return []
    }
  }

  /// Only the rollback policy drops the relationships' unsaved changes.
  private func refaultRelationships(of object: ManagedObject) {
    for index in object.toMany.indices {
      object.toMany[index].refault()
      if context.mergePolicy == .rollback { object.toMany[index].revert() }
    }
  }

  /// Inserts the row again if the policy prefers the object and it was changed here. Otherwise
  /// deletes the object.
  private mutating func resolveWithoutRow(_ object: ManagedObject) {
    let isChanged = object.hasChanges || context.watched.contains(object)
    if context.mergePolicy.prefersObject && !object.isDeleted && isChanged {
      object.state.remove(.updated)
      object.state.insert(.inserted)
      endOlderRelationsToDeleted(of: object)
      object.row.loseRow()
      object.touched = .all(object.values.count)
      context.listAsChanged(object)
      // The row's pairs were deleted with it.
      refaultRelationships(of: object)
    } else {
      context.markRowMissing(object)
      context.announce(object, as: .newlyDeleted)
      missing.insert(object.objectID)
    }
  }

  /// An insert would save these relations as if they had been made here.
  private func endOlderRelationsToDeleted(of object: ManagedObject) {
    object.resolved.toOneColumns.subtracting(object.persistentChanges).forEachIndex { column in
      let target = object.values[column].objectID.flatMap(context.object(registeredFor:))
      if target?.isDeleted == true { object.write(.null, at: column) }
    }
  }
}
