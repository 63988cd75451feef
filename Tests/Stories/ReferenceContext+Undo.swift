extension ReferenceContext {
  /// Call before an object is inserted or deleted.
  func willChange(_ object: ReferenceObject) { undoing?.record(object, life(object)) }

  func life(_ object: ReferenceObject) -> ReferenceUndo.Life {
    guard objects[object.n] === object else { return .absent }
    return object.isGoing ? .deleted : .present
  }

  func withoutUndo(_ body: () -> Void) {
    let wasPaused = undoing?.isPaused ?? false
    undoing?.isPaused = true
    body()
    undoing?.isPaused = wasPaused
  }

  /// Runs `body`, which applies an object's delete rules. In a merge the changes belong to the
  /// event that deleted the object.
  func recordingRules(of object: ReferenceObject, _ body: () -> Void) {
    guard let event = undoing?.event(thatDeleted: object.n),
      let group = undoing?.beginRules()
    else { return body() }
    body()
    undoing?.endRules(of: event, group, life)
  }

  func undo() {
    processPendingChanges()
    if let group = undoing?.popUndo(life) { take(group) }
    processPendingChanges()
  }

  func redo() {
    if let group = undoing?.popRedo(life) { take(group) }
    processPendingChanges()
  }

  private func take(_ group: ReferenceUndo.Group) {
    withoutUndo {
      apply(group)
      applyDeleteRules()
    }
  }

  private func apply(_ group: ReferenceUndo.Group) {
    let edits = group.values.sorted { $0.object.n < $1.object.n }
    // A fault without a row ends relations of changed objects, not of those that return.
    for edit in edits where life(edit.object) == .present { fire(edit.object) }
    var returned: Set<Int> = []
    for edit in edits where edit.life.after == .present && bringBack(edit.object) {
      returned.insert(edit.object.n)
    }
    let living = edits.filter { edit in
      guard life(edit.object) == .present else { return false }
      fire(edit.object)
      return !edit.object.isDeleted
    }
    // The model has one one-to-one relationship.
    let isBlocked = living.contains { edit in
      edit.values.contains {
        [.leader, .leads].contains($0.key) && !canApply($0.value, to: edit.object, $0.key)
      }
    }
    var changed = returned
    var partners: [ReferenceObject] = []
    for edit in living {
      for (property, change) in edit.values
      where apply(change, to: edit.object, property, isBlocked: isBlocked) {
        changed.insert(edit.object.n)
        let isOthers = edit.object.view.values[property] != change.after
        if isOthers, let partner = restorePartner(of: edit.object, property) {
          changed.insert(partner.n)
          partners.append(partner)
        }
      }
    }
    for edit in living {
      for (relation, changes) in edit.members {
        for (m, change) in changes where change.before != change.after {
          let isMember = isMember(m, of: edit.object, relation) ?? change.after
          let isTaken =
            group[m].map { $0.object === objects[m] && $0.life.after != .present } == true
          if isTaken, isMember { world.remark("member that a redone deletion takes") }
          let leaves = isTaken && world.slip != .redoneDeletionsStay
          if setMember(m, of: edit.object, relation, isMember && !isGone(m) && !leaves) {
            changed.insert(edit.object.n)
          }
        }
      }
    }
    for n in returned { dropOthersMembers(of: object(n)) }
    for object in living.map(\.object) + partners where changed.contains(object.n) {
      finish(object, isBack: returned.contains(object.n))
    }
    for edit in edits where edit.life.after != .present { takeAway(edit) }
  }

  private func bringBack(_ object: ReferenceObject) -> Bool {
    guard life(object) != .present, !object.isGhost else { return false }
    if objects[object.n] === object {
      if object.change == .deleted { store.returns += 1 }
    } else {
      guard objects[object.n] == nil else { return false }
      objects[object.n] = object
      object.edits = object.allValues
      object.hasLostRow = object.hasLostRow || object.base != nil
      object.base = nil
      for relation in object.kind.relations {
        let view = object.members[relation]?.view ?? []
        object.members[relation] = ReferenceObject.Members(
          below: [], edits: Dictionary(uniqueKeysWithValues: view.map { ($0, true) }))
      }
    }
    object.change = object.base == nil ? .inserted : .none
    return true
  }

  private func canApply(
    _ change: ReferenceUndo.Change<Int?>, to object: ReferenceObject, _ property: Property
  ) -> Bool {
    let current = object.view.values[property]
    return current == change.before || current == change.after
  }

  private func apply(
    _ change: ReferenceUndo.Change<Int?>, to object: ReferenceObject, _ property: Property,
    isBlocked: Bool
  ) -> Bool {
    let known = undoing?.known[object.n]
    if isBlocked && [.leader, .leads].contains(property)
      || !canApply(change, to: object, property)
    {
      if let known, let base = object.base, known.values[property] != base.values[property] {
        refuse(object)
      }
      return false
    }
    if property.destination != nil, let m = change.after, isGone(m) { return false }
    var new = change.after
    if let known, let base = object.base, known.values[property] == new {
      if base.values[property] != new { refuse(object) }
      new = base.values[property]
    }
    guard object.view.values[property] != new else { return false }
    object.edits[property] = .some(new)
    if let base = object.base, base.values[property] == new {
      object.edits.removeValue(forKey: property)
    }
    return true
  }

  /// A merge ended the row's relation where the edit replaced it.
  private func restorePartner(
    of object: ReferenceObject, _ property: Property
  ) -> ReferenceObject? {
    guard let partner = object.view.values[property].flatMap({ objects[$0] }), !partner.isFault,
      !partner.isDeleted
    else { return nil }
    switch property.inverse {
    case .many(let relation):
      let before = partner.members[relation]
      partner.members[relation]?.settle(object.n, isMember: true)
      return partner.members[relation] == before ? nil : partner
    case .one(let back):
      guard partner.view.values[back] == nil, partner.base?.values[back] == object.n else {
        return nil
      }
      partner.edits.removeValue(forKey: back)
      return partner
    case nil: return nil
    }
  }

  private func refuse(_ object: ReferenceObject) {
    guard parent == nil, undoing?.refused.contains(where: { $0 === object }) == false else {
      return
    }
    undoing?.refused.append(object)
    world.remark("undo of what another context changed")
  }

  private func isGone(_ n: Int) -> Bool {
    objects[n].map { life($0) != .present }
      ?? (world.temporary.contains(n) && below.row(n) == nil)
  }

  private func isMember(_ m: Int, of object: ReferenceObject, _ relation: Relation) -> Bool? {
    guard case .one(let link) = relation.inverse, let other = objects[m], !other.isFault else {
      return nil
    }
    return other.view.values[link] == object.n
  }

  private func setMember(
    _ m: Int, of object: ReferenceObject, _ relation: Relation, _ isMember: Bool
  ) -> Bool {
    let before = object.members[relation]?.edits
    object.members[relation]?.set(m, isMember)
    return object.members[relation]?.edits != before
  }

  private func dropOthersMembers(of object: ReferenceObject) {
    for relation in object.kind.relations {
      for m in object.members[relation]?.view ?? []
      where isGone(m) || isMember(m, of: object, relation) == false {
        _ = setMember(m, of: object, relation, false)
      }
    }
  }

  private func finish(_ object: ReferenceObject, isBack: Bool) {
    if object.change != .inserted {
      object.change = object.hasChangedValues ? .updated : .none
      if object.change == .none { object.edits = [:] }
    }
    announce(object, isBack ? .inserted : .updated)
  }

  private func takeAway(_ edit: ReferenceUndo.Edit) {
    let object = edit.object
    guard life(object) == .present,
      edit.life.after == .deleted || world.slip != .undoneInsertsStay
    else { return }
    announce(object, .deleted)
    if object.change == .inserted {
      world.forget(object, in: self)
    } else {
      object.change = .deleted
      doomed.append(object.n)
    }
  }
}
