// A resolved conflict decides the target of a to-one relationship. Its inverse side then follows.
// Here the target was A, this context has set B, and another one has saved C:
//
//   the row wins       A and B lose the object     C gets it
//   the edit wins      A and C lose the object     B gets it
//
// Members are then the same here and in the file, without a refresh. In Core Data "to-many
// relationships must be pulled from the persistent store as needed":
// developer.apple.com/documentation/coredata/nsmergeconflict

extension ConflictResolution {
  func settleInverses(of one: SettledObject) {
    let (object, before) = (one.object, one.before)
    guard object.resolved.hasRelationships, let row = object.committed,
      let kept = keptColumns[object]
    else { return }
    for (column, relationship) in object.resolved.toOne.enumerated() {
      guard let relationship, let inverse = relationship.inverse else { continue }
      let sides = [
        before.committed?.values[column], before.current[column], row.values[column],
      ]
      let targets = Set(sides.compactMap { $0?.objectID })
      guard targets.count > 1 || sides.contains(where: { $0?.isNull == true }) else { continue }
      let isKept = kept.contains(AttributeMask(index: column))
      for id in targets {
        let isTarget = object.values[column] == .object(id)
        if isKept, !isTarget, row.values[column] == .object(id) {
          let partner = context.object(with: id)
          context.endStored(
            FormerPartner(object: object, partner: partner, relationship: relationship))
        } else {
          settle(id, at: inverse, of: object, column, isTarget: isTarget, isKept: isKept)
        }
      }
    }
  }

  func dropEdit(of object: ManagedObject, at column: Int, from committed: RowSnapshot) {
    let (edited, stored) = (object.values[column], committed.values[column])
    object.values[column] = stored
    object.touched.remove(AttributeMask(index: column))
    guard edited != stored, let inverse = object.resolved.toOne[column]?.inverse else { return }
    for id in [edited, stored].compactMap(\.objectID) {
      settle(id, at: inverse, of: object, column, isTarget: stored == .object(id), isKept: false)
    }
  }

  private func settle(
    _ id: ManagedObjectID, at inverse: RelationshipEnd, of object: ManagedObject, _ back: Int,
    isTarget: Bool, isKept: Bool
  ) {
    let own = object.objectID
    switch inverse {
    case .toMany(let index):
      guard let target = context.object(registeredFor: id), !target.isFault,
        !(isTarget && isKept)
      else { return }
      target.toMany[index].settle(own, isMember: isTarget)
    case .toOne(let column):
      if isKept {
        if !isTarget { clear(id, at: column, of: object) }
      } else if let target = context.object(registeredFor: id) {
        if wins(target, at: column) {
          if isTarget, target.values[column] != .object(own) { object.write(.null, at: back) }
          return
        }
        let partner = target.isFault ? nil : target.values[column].objectID
        dropEdit(of: target, at: column, back)
        if let partner { endRelation(of: partner, at: back, to: target, column) }
      }
    }
  }

  /// Whether the policy keeps the target's edit of the relationship.
  private func wins(_ target: ManagedObject, at column: Int) -> Bool {
    context.mergePolicy.prefersObject && !target.isDeleted && !target.isInserted
      && (keptColumns[target] ?? target.persistentChanges).contains(AttributeMask(index: column))
  }

  /// Ends the relation to the former partner of a one-to-one relationship whose edit was dropped.
  private func endRelation(
    of id: ManagedObjectID, at back: Int, to target: ManagedObject, _ column: Int
  ) {
    guard !target.isFault, target.values[column] != .object(id),
      let partner = context.object(registeredFor: id), !partner.isFault, !partner.isDeleted,
      partner.values[back] == .object(target.objectID)
    else { return }
    partner.write(.null, at: back)
  }

  /// On the other object's side, ends a one-to-one relation that the kept edit replaces.
  private func clear(_ id: ManagedObjectID, at column: Int, of object: ManagedObject) {
    let target = context.object(with: id)
    if target.isFault { try? context.readFault(target) }
    if !target.isFault, target.values[column] != .object(object.objectID) {
      try? context.refreshTarget(target)
    }
    guard !target.isFault, !target.isDeleted, target.values[column] == .object(object.objectID)
    else { return }
    target.write(.null, at: column)
  }

  /// Drops the target's edit of the relationship.
  private func dropEdit(of target: ManagedObject, at column: Int, _ back: Int) {
    guard !target.isDeleted, !target.isFault else { return }
    guard let committed = target.committed, target.hasChanges else {
      if target.isInserted {
        target.values[column] = .null
      } else if keptColumns[target] == nil {
        context.refault(target)
      }
      return
    }
    target.values[column] = committed.values[column]
    target.touched.remove(AttributeMask(index: column))
    restorePartner(of: target, at: column, back)
    // The edit may have ended a relation to an object that is deleted here.
    context.repeatRules(of: target)
    context.announce(target, as: .newlyRefreshed)
  }

  /// Restores the relations that the delete rules ended, because the deletion is dropped.
  func restoreInverses(of object: ManagedObject) {
    for (column, relationship) in object.resolved.toOne.enumerated() {
      switch relationship?.inverse {
      case .toOne(let back): restorePartner(of: object, at: column, back)
      case .toMany(let index):
        guard let target = object.values[column].objectID.flatMap(context.object(registeredFor:)),
          !target.isFault
        else { continue }
        target.toMany[index].settle(object.objectID, isMember: true)
      case nil: continue
      }
    }
  }

  /// Makes the partner lead back again. If it has another partner now, clears the target's side.
  private func restorePartner(of target: ManagedObject, at column: Int, _ back: Int) {
    let (own, mask) = (Value.object(target.objectID), AttributeMask(index: back))
    guard let partner = target.values[column].objectID.flatMap(context.object(registeredFor:)),
      !partner.isFault, !partner.isDeleted, partner.persistentChanges.contains(mask),
      partner.values[back] != own
    else { return }
    guard partner.values[back].isNull, partner.committed?.values[back] == own else {
      return target.write(.null, at: column)
    }
    partner.values[back] = own
    partner.touched.remove(mask)
    context.announce(partner, as: .newlyRefreshed)
  }
}
