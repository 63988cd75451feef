// A deletion, and what it takes along:
//
//   delete(department)       marked deleted at once
//   end of the event         its relationships' rules, and those of what they delete in turn:
//      employees  cascade    ─▶ deleted          nullify  ─▶ employee.department = nil, updated
//                 deny       ─▶ the save fails while any is left that is not deleted too

extension ManagedObjectContext {
  /// Marks the object for deletion by the next save. A fault fires first; an object that was never
  /// saved vanishes as if it had not been made.
  ///
  /// The delete rules apply when pending changes are processed (or at the save, see
  /// `propagatesDeletesAtEndOfEvent`).
  public func delete(_ object: ManagedObject) {
    assertOnQueue()
    precondition(object.link === link, "an object of another context cannot be deleted here")
    guard !object.state.contains(.gone) else { return }
    object.fireFault()
    object.entity.hooks.prepareForDeletion?(object)
    guard object.state.isDisjoint(with: [.deleted, .vanishing]) else { return }
    willChange(object)
    announce(object, as: .newlyDeleted)
    let isNew = object.isInserted
    object.state.subtract([.inserted, .updated])
    object.state.insert(isNew ? .vanishing : .deleted)
    if !isNew { listAsChanged(object) }
    if object.resolved.hasRelationships {
      pendingDeletes.append(object)
    } else if isNew {
      forget(object)
    }
  }

  /// Applies the rules of what was deleted since the last time, and of what that deletes.
  ///
  /// What was never saved stays until all rules are applied: another deleted object may lead to it.
  func propagateDeletes() {
    var vanished: [ManagedObject] = []
    while !pendingDeletes.isEmpty {
      let batch = pendingDeletes
      pendingDeletes.removeAll()
      for object in batch where !object.state.contains(.gone) {
        for relationship in object.resolved.relationships {
          applyRule(of: relationship, to: object)
        }
        if object.state.contains(.vanishing) { vanished.append(object) }
      }
    }
    for object in vanished { forget(object) }
  }

  private func applyRule(of relationship: ResolvedRelationship, to object: ManagedObject) {
    switch relationship.description.deleteRule {
    case .noAction, .deny: break
    case .nullify:
      guard let inverse = relationship.inverse else { return }
      for target in targets(of: object, by: relationship) {
        detach(object, from: target, at: inverse)
      }
    case .cascade:
      for target in targets(of: object, by: relationship) {
        // Its own rule need not find its way back here.
        if let inverse = relationship.inverse { detach(object, from: target, at: inverse) }
        delete(target)
      }
    }
  }

  /// The objects that a relationship leads to, realised, without those whose row turns out to be
  /// gone: these are deleted by the look at them.
  private func targets(
    of object: ManagedObject, by relationship: ResolvedRelationship
  ) -> [ManagedObject] {
    let ids =
      switch relationship.end {
      case .toOne(let column): object.values[column].objectID.map { [$0] } ?? []
      case .toMany(let index): Array(relatedIDs(of: object, at: index))
      }
    return ids.map { self.object(with: $0) }.filter { target in
      target.fireFault()
      return !target.isDeleted
    }
  }

  /// What stands against deleting an object: relationships of rule *deny* that still hold somebody.
  func deniedDeletes(of object: ManagedObject) -> [ValidationError] {
    object.resolved.relationships.compactMap { relationship in
      guard relationship.description.deleteRule == .deny,
        !targets(of: object, by: relationship).isEmpty
      else { return nil }
      return ValidationError(.deleteDenied, object, relationship.description.name)
    }
  }
}
