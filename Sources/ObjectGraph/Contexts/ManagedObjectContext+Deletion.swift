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
  /// - Throws: what the store throws when what the rules concern has to be read. None has been applied
  ///   then, and all stay to be applied.
  func propagateDeletes() throws {
    guard !pendingDeletes.isEmpty else { return }
    let targets = try readTargets(ofDeleting: pendingDeletes)
    withExtendedLifetime(targets) { applyRules() }
  }

  /// As `propagateDeletes`, where an event ends and nobody can be told of an error: the rules wait for
  /// the save, which throws it.
  func propagateReadableDeletes() {
    do { try propagateDeletes() } catch {}
  }

  /// What was never saved stays until all rules are applied: another deleted object may lead to it.
  private func applyRules() {
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

  /// Reads what the rules will concern, so that to apply them is to read nothing; the objects are to be
  /// held until then.
  private func readTargets(ofDeleting objects: [ManagedObject]) throws -> [ManagedObject] {
    var read: [ManagedObject] = []
    var rest = objects
    var known = Set(objects)
    while let object = rest.popLast() {
      guard !object.state.contains(.gone) else { continue }
      for relationship in object.resolved.relationships where relationship.isFollowedByDeletion {
        let targets = try readTargets(of: object, by: relationship)
        read += targets
        guard relationship.description.deleteRule == .cascade else { continue }
        rest += targets.filter { known.insert($0).inserted }
      }
    }
    return read
  }

  /// Reads what the rules of these objects by themselves will concern.
  func readTargets(of objects: [ManagedObject]) throws -> [ManagedObject] {
    try objects.flatMap { object in
      try object.resolved.relationships.filter(\.isFollowedByDeletion).flatMap {
        try readTargets(of: object, by: $0)
      }
    }
  }

  /// The objects that a relationship leads to, realised, without those whose row turns out to be
  /// gone: these are deleted by the look at them.
  private func readTargets(
    of object: ManagedObject, by relationship: ResolvedRelationship
  ) throws -> [ManagedObject] {
    if case .toMany(let index) = relationship.end { _ = try readRelatedIDs(of: object, at: index) }
    return try targetIDs(of: object, by: relationship).map { self.object(with: $0) }.filter {
      if $0.isFault { try readFault($0) }
      return !$0.isDeleted
    }
  }

  /// As `readTargets`, of what was read before.
  private func targets(
    of object: ManagedObject, by relationship: ResolvedRelationship
  ) -> [ManagedObject] {
    targetIDs(of: object, by: relationship).map { self.object(with: $0) }.filter { target in
      target.fireFault()
      return !target.isDeleted
    }
  }

  private func targetIDs(
    of object: ManagedObject, by relationship: ResolvedRelationship
  ) -> [ManagedObjectID] {
    switch relationship.end {
    case .toOne(let column): object.values[column].objectID.map { [$0] } ?? []
    case .toMany(let index): Array(relatedIDs(of: object, at: index))
    }
  }

  /// What stands against deleting an object: relationships of rule *deny* that still hold somebody.
  func deniedDeletes(of object: ManagedObject) throws -> [ValidationError] {
    try object.resolved.relationships.compactMap { relationship in
      guard relationship.description.deleteRule == .deny,
        try !readTargets(of: object, by: relationship).isEmpty
      else { return nil }
      return ValidationError(.deleteDenied, object, relationship.description.name)
    }
  }
}

extension ResolvedRelationship {
  /// Whether to delete an object is to look at what this leads to.
  fileprivate var isFollowedByDeletion: Bool {
    switch description.deleteRule {
    case .noAction, .deny: false
    case .nullify: inverse != nil
    case .cascade: true
    }
  }
}
