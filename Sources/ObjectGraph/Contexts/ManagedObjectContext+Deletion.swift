// How the delete rules apply:
//
//   delete(department)       marked deleted at once
//   end of the event         the rules of its relationships, then of the objects that they delete:
//      employees  cascade    ─▶ deleted          nullify  ─▶ employee.department = nil, updated
//                 deny       ─▶ the save fails if any employee is left that is not deleted too

extension ManagedObjectContext {
  /// Deletes the object at the next save, or at once if it was never saved. A fault fires first.
  ///
  /// Delete rules apply when pending changes are processed, or at the save
  /// (`propagatesDeletesAtEndOfEvent`).
  public func delete(_ object: ManagedObject) {
    assertOnQueue()
    require(object.link === link, "an object of another context cannot be deleted here")
    guard !object.state.contains(.removed) else { return }
    object.fireFault()
    if let hook = object.entity.hooks.prepareForDeletion,
      prepared?.insert(object).inserted != false
    {
      hook(object)
    }
    markDeleted(object)
  }

  private func markDeleted(_ object: ManagedObject) {
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
      vanish(object)
    }
  }

  /// Applies the delete rules of new deletions, and of the objects that they delete.
  ///
  /// - Throws: the store's read errors. All rules then remain pending.
  func propagateDeletes() throws {
    guard !pendingDeletes.isEmpty else { return }
    // A hook may process changes, which is part of this pass.
    let outer = prepared
    if outer == nil { prepared = [] }
    defer { prepared = outer }
    while true {
      let targets = try readTargets(ofDeleting: pendingDeletes.filter(\.awaitsRules))
      let unprepared = targets.cascaded.filter {
        $0.entity.hooks.prepareForDeletion != nil && prepared?.contains($0) == false
      }
      if unprepared.isEmpty { return withExtendedLifetime(targets) { applyRules() } }
      // All relations still stand. A hook may add objects to delete, also of these.
      for object in unprepared where prepared?.insert(object).inserted == true {
        object.entity.hooks.prepareForDeletion?(object)
      }
    }
  }

  /// Applies the rules at an event's end. After an error they wait for the save, which throws it.
  func propagateReadableDeletes() {
    try? propagateDeletes()
  }

  /// New objects are forgotten only at the end, because other deleted objects may lead to them.
  private func applyRules() {
    var vanished: [ManagedObject] = []
    while !pendingDeletes.isEmpty {
      let batch = pendingDeletes
      pendingDeletes.removeAll()
      for object in batch where object.awaitsRules {
        recordingRules(of: object) {
          for relationship in object.resolved.relationships {
            applyRule(of: relationship, to: object)
          }
        }
        if object.state.contains(.vanishing) { vanished.append(object) }
      }
    }
    for object in vanished { vanish(object) }
  }

  private func recordingRules(of object: ManagedObject, _ body: () -> Void) {
    if let undoManager {
      undoManager.recordingRules(of: object, permanentIDs, body)
    } else {
      body()
    }
  }

  private func applyRule(of relationship: ResolvedRelationship, to object: ManagedObject) {
    guard isFollowed(relationship, from: object) else { return }
    for target in targets(of: object, by: relationship) {
      applyRule(of: relationship, to: object, at: target)
    }
  }

  /// *No action* and *deny* nullify if the object was never saved: no row can name it.
  private func isFollowed(_ relationship: ResolvedRelationship, from object: ManagedObject) -> Bool
  {
    relationship.isFollowedByDeletion || object.state.contains(.vanishing)
  }

  /// Call only if `isFollowed`.
  private func applyRule(
    of relationship: ResolvedRelationship, to object: ManagedObject, at target: ManagedObject
  ) {
    let cascades = relationship.description.deleteRule == .cascade
    if cascades, !relationship.leads(from: target, to: object) { return }
    // After this, the rule of a cascade's target need not visit the object.
    if let inverse = relationship.inverse { detach(object, from: target, at: inverse) }
    if cascades { markDeleted(target) }
  }

  /// Reads what the delete rules need, so that applying them reads nothing. The caller must retain
  /// the result until then.
  ///
  /// - Returns: the targets, and among them those that cascades will delete.
  func readTargets(
    ofDeleting objects: [ManagedObject], cascading: Bool = true
  ) throws -> (read: [ManagedObject], cascaded: [ManagedObject]) {
    var (read, cascaded): ([ManagedObject], [ManagedObject]) = ([], [])
    var rest = objects
    var known = Set(objects)
    while let object = rest.popLast() {
      guard !object.state.contains(.removed) else { continue }
      for relationship in object.resolved.relationships where relationship.isFollowedByDeletion {
        let targets = try readTargets(of: object, by: relationship)
        read += targets
        guard cascading, relationship.description.deleteRule == .cascade else { continue }
        let new = targets.filter {
          relationship.leads(from: $0, to: object) && known.insert($0).inserted
        }
        rest += new
        cascaded += new
      }
    }
    return (read, cascaded)
  }

  /// Leaves out targets whose rows are gone, and marks them deleted. A target that a merge deleted
  /// returns if its row exists again.
  private func readTargets(
    of object: ManagedObject, by relationship: ResolvedRelationship
  ) throws -> [ManagedObject] {
    try readTargetIDs(of: object, by: relationship).map { self.object(with: $0) }.filter {
      if $0.isFault { try readFault($0) }
      if $0.state.contains(.deletedByMerge), let row = try newestRow(of: $0) {
        returnToRow($0, row)
      }
      guard !$0.isDeleted else { return false }
      if case .toOne(let column)? = relationship.inverse,
        $0.values[column] != .object(object.objectID)
      {
        try refreshTarget($0)
      }
      return true
    }
  }

  /// Reads a target without edits again. Needed if the target's own side does not lead back:
  /// another context has related the two since. With the old row, ending the relation would not
  /// clear the target's key.
  func refreshTarget(_ target: ManagedObject) throws {
    let edits = target.persistentChanges.subtracting(target.resolved.transients)
    guard !target.isDeleted, edits.isEmpty else { return }
    if let row = try newestRow(of: target) { refresh([target], with: [row]) }
  }

  /// Reads the row again from the level below: a cached one may be outdated.
  private func newestRow(of object: ManagedObject) throws -> RowSnapshot? {
    if case .coordinator(let coordinator) = parent { coordinator.forgetRows(of: [object.objectID]) }
    return try snapshotFromParent(of: object.objectID)
  }

  /// A new row may lead to objects deleted here. Their delete rules apply again, to both sides.
  /// Edits are spared: if a relation was set after the deletion, the save must fail.
  func repeatRules(of object: ManagedObject, sparing edits: AttributeMask = []) {
    guard object.resolved.hasRelationships, !object.isDeleted, !changed.isEmpty else { return }
    for (column, relationship) in object.resolved.toOne.enumerated() {
      guard let relationship, !edits.contains(AttributeMask(index: column)),
        let id = object.values[column].objectID,
        let target = self.object(registeredFor: id), target.isDeleted, target.isPending
      else { continue }
      switch relationship.inverse {
      case .toOne(let back):
        // The rules follow one relation. Another object that the target leads to may await them.
        if let other = otherRelationship(at: back, of: target, besides: object) {
          if isFollowed(other, from: target) {
            recordingRules(of: target) { applyRule(of: other, to: target, at: object) }
          }
          continue
        }
        target.values[back] = .object(object.objectID)
        // An undo of the deletion brings the value back, which differs from the row.
        target.touched.insert(AttributeMask(index: back))
      case .toMany(let back): target.toMany[back].settle(object.objectID, isMember: true)
      case nil: break
      }
      pendingDeletes.append(target)
    }
  }

  /// The relationship by which the deleted target leads to another object. Nil if it leads to none,
  /// or if the delete rules have ended that relation.
  private func otherRelationship(
    at column: Int, of target: ManagedObject, besides object: ManagedObject
  ) -> ResolvedRelationship? {
    guard let relationship = target.resolved.toOne[column],
      let id = target.values[column].objectID, id != object.objectID
    else { return nil }
    // Rules leave their targets changed, and a changed object is registered.
    guard let other = self.object(registeredFor: id), !other.isFault else { return relationship }
    return relationship.leads(from: other, to: target) ? relationship : nil
  }

  /// The targets that are not deleted. A read error stops the program, so call `readTargets` first.
  private func targets(
    of object: ManagedObject, by relationship: ResolvedRelationship
  ) -> [ManagedObject] {
    let ids: [ManagedObjectID]
    do { ids = try readTargetIDs(of: object, by: relationship) } catch {
      stopUnreadable(object, error)
    }
    return ids.map { self.object(with: $0) }.filter { target in
      target.fireFault()
      return !target.isDeleted
    }
  }

  func readTargetIDs(
    of object: ManagedObject, by relationship: ResolvedRelationship
  ) throws -> [ManagedObjectID] {
    switch relationship.end {
    case .toOne(let column): object.values[column].objectID.map { [$0] } ?? []
    case .toMany(let index): Array(try readRelatedIDs(of: object, at: index))
    }
  }

  func deniedDeletes(of object: ManagedObject) throws -> [ValidationError] {
    try object.resolved.relationships.compactMap { relationship in
      guard relationship.description.deleteRule == .deny,
        try readTargets(of: object, by: relationship).contains(where: {
          relationship.leads(from: $0, to: object)
        })
      else { return nil }
      return ValidationError(.deleteDenied, object, relationship.description.name)
    }
  }
}

extension ManagedObject {
  /// False if an undo brought the object back, or it left the context.
  fileprivate var awaitsRules: Bool {
    !state.contains(.removed) && !state.isDisjoint(with: [.deleted, .vanishing])
  }
}

extension ResolvedRelationship {
  /// False if the target's own row leads elsewhere. After a child's save or a batch request, the
  /// members may be outdated.
  fileprivate func leads(from target: ManagedObject, to object: ManagedObject) -> Bool {
    guard case .toOne(let column)? = inverse else { return true }
    return target.values[column] == .object(object.objectID)
  }

  var isFollowedByDeletion: Bool {
    switch description.deleteRule {
    case .noAction, .deny: false
    case .nullify: inverse != nil
    case .cascade: true
    }
  }
}
