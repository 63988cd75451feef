// MARK: - Announcements

extension ReferenceContext {
  /// Applies the delete rules, and posts all changes at once.
  func processPendingChanges() {
    applyDeleteRules()
    announce()
    undoing?.endGroup(life)
  }

  func announce() {
    var sets: [ReferenceObject.News: Set<Int>] = [:]
    for object in sorted + world.forgotten(by: self) {
      let news = object.news
      object.news = []
      if news.contains(.deleted) {
        // An object inserted and deleted in one event is not announced. A revived one may be
        // unchanged.
        if !news.contains(.inserted) {
          sets[.deleted, default: []].insert(object.n)
        } else if objects[object.n] === object, !object.isDeleted {
          sets[.refreshed, default: []].insert(object.n)
        }
      } else if news.contains(.inserted) {
        sets[.inserted, default: []].insert(object.n)
      } else {
        for one in news { sets[one, default: []].insert(object.n) }
      }
    }
    guard !sets.isEmpty else { return }
    world.events.append(
      .changed(
        index, inserted: sets[.inserted] ?? [], updated: sets[.updated] ?? [],
        deleted: sets[.deleted] ?? [], refreshed: sets[.refreshed] ?? []))
  }
}

// MARK: - Saves

extension ReferenceContext {
  /// Everything, or nothing in case of conflicts.
  func save(_ note: Int) -> Outcome {
    processPendingChanges()
    let returns = store.returns
    let (changed, outcome) = send()
    guard outcome == .done else { return outcome }
    func numbers(_ change: ReferenceObject.Change) -> Set<Int> {
      Set(changed.filter { $0.change == change }.map(\.n))
    }
    let saved = ReferenceNote(
      context: index, target: parent?.index, inserted: numbers(.inserted),
      updated: numbers(.updated), deleted: numbers(.deleted), returnsBefore: returns)
    world.notes[note] = saved
    undoing?.refused = []
    vanished = []
    for ghost in sorted where ghost.isGhost { world.forget(ghost, in: self) }
    for object in changed {
      undoing?.noteSaved(object)
      let isNew = object.change == .inserted
      if object.isDeleted {
        world.forget(object, in: self)
      } else {
        object.settle(isStored: parent == nil)
      }
      if isNew, parent == nil, let row = store.row(object.n) { object.base?.version = row.version }
    }
    // A merge policy's changes are told before the did-save.
    announce()
    world.events.append(
      .saved(
        index, inserted: saved.inserted, updated: saved.updated, deleted: saved.deleted))
    return .done
  }

  func absorb(_ changed: [ReferenceObject], from context: ReferenceContext) {
    guard world.slip != .childSaveUnseen else { return }
    for child in changed where child.change != .inserted && child.isWritten {
      let mine = object(child.n)
      if mine.isFault, let row = below.row(child.n) ?? child.base { mine.realise(row) }
    }
    for child in changed where child.change == .inserted && child.hasLostRow {
      let mine = objects[child.n]
      if mine?.isFault != false, let row = below.row(child.n) { object(child.n).realise(row) }
    }
    // Nothing is taken if a row cannot be read.
    for child in changed where child.change == .deleted { readTargets(of: object(child.n)) }
    let former = changed.flatMap { formerPartners(of: $0, in: context) }
    for child in changed {
      switch child.change {
      case .inserted: absorbInsert(child)
      case .deleted: delete(object(child.n))
      default: if child.isWritten { absorbUpdate(child, into: object(child.n)) }
      }
    }
    for one in former { detach(one.n, from: object(one.partner), one.inverse) }
    for child in changed { dropDeletedTargets(of: child) }
    processPendingChanges()
  }

  /// Reads the objects that the delete rules affect, and those that do not lead back.
  private func readTargets(of object: ReferenceObject) {
    guard !object.isFault, !object.isGoing else { return }
    for relation in object.kind.relations {
      for m in loadMembers(object, relation).sorted() {
        readTarget(m, of: object.n, relation.inverse)
      }
    }
    for link in object.kind.links {
      if let m = object.view.values[link] { readTarget(m, of: object.n, link.inverse) }
    }
  }

  /// A relation to an object that is deleted here is dropped.
  private func dropDeletedTargets(of child: ReferenceObject) {
    guard !child.isDeleted, let object = objects[child.n], !object.isDeleted else { return }
    for (property, target) in child.changedValues where property.destination != nil {
      if let target, isDeleted(target), object.view.values[property] == target {
        set(object, property, nil)
      }
    }
    for relation in child.kind.relations {
      for (m, isMember) in child.members[relation]?.edits ?? [:] where isMember && isDeleted(m) {
        object.members[relation]?.set(m, false)
      }
    }
  }

  /// Also a new object that was deleted since the last save.
  func isDeleted(_ n: Int) -> Bool { objects[n]?.isGoing ?? vanished.contains(n) }

  private func absorbInsert(_ child: ReferenceObject) {
    if child.hasLostRow, let object = objects[child.n], !object.isFault,
      object.isPersistent || object.change == .deleted
    {
      return absorbReturn(child, into: object)
    }
    let object = insert(child.n, child.kind, child.edits)
    if child.hasLostRow {
      object.hasLostRow = true
      store.returns += 1
    }
    for relation in child.kind.relations {
      for m in child.members[relation]?.view ?? [] { object.members[relation]?.set(m, true) }
    }
  }

  /// The child's undo brings an object back whose deletion is not saved here, or was taken back.
  private func absorbReturn(_ child: ReferenceObject, into object: ReferenceObject) {
    willChange(object)
    let (wasDeleted, values, members) = (object.isDeleted, object.view.values, object.members)
    if wasDeleted {
      object.change = .none
      store.returns += 1
    }
    for property in child.kind.properties {
      let value = child.view.values[property]
      guard object.view.values[property] != value else { continue }
      undoing?.record(object, life(object), property, to: value)
      object.edits[property] = .some(value)
    }
    for relation in child.kind.relations {
      let wanted = child.members[relation]?.view ?? []
      for m in (object.members[relation]?.view ?? []).subtracting(wanted) {
        object.members[relation]?.set(m, false)
      }
      for m in wanted { object.members[relation]?.set(m, true) }
    }
    guard wasDeleted || object.view.values != values || object.members != members else { return }
    if object.hasChangedValues { object.change = .updated }
    announce(object, wasDeleted ? .inserted : .updated)
  }

  private func absorbUpdate(_ child: ReferenceObject, into object: ReferenceObject) {
    guard !object.isDeleted else { return }
    willChange(object)
    for (property, value) in child.changedValues {
      undoing?.record(object, life(object), property, to: value)
    }
    object.edits.merge(child.changedValues) { $1 }
    for relation in child.kind.relations {
      for (m, isMember) in child.members[relation]?.edits ?? [:] {
        changeMembers(of: object, relation, m, isMember)
      }
    }
    markUpdated(object)
  }

  @discardableResult
  func insert(_ n: Int, _ kind: Kind, _ values: [Property: Int?]) -> ReferenceObject {
    let object = ReferenceObject(n, kind)
    willChange(object)
    // Its events are still to be announced.
    if let earlier = objects[n] { world.forget(earlier, in: self) }
    objects[n] = object
    object.realise(ReferenceRow(kind: kind))
    object.base = nil
    object.edits = values
    for relation in kind.relations { object.members[relation]?.below = [] }
    object.change = .inserted
    announce(object, .inserted)
    return object
  }
}

// MARK: - Two children

extension ReferenceContext {
  /// The relations made here by another child, which this child replaces, and those to objects
  /// that are gone in the child.
  func formerPartners(
    of child: ReferenceObject, in context: ReferenceContext
  ) -> [(n: Int, partner: Int, inverse: End)] {
    guard child.change == .updated && child.isWritten || child.hasLostRow,
      let mine = objects[child.n], !mine.isFault, mine.isPersistent || child.change == .updated,
      !mine.isDeleted
    else { return [] }
    return child.changedValues.compactMap { link, target in
      guard let inverse = link.inverse, let partner = mine.view.values[link], partner != target,
        partner != child.base?.values[link] || context.objects[partner]?.isGhost == true
      else { return nil }
      return (n: child.n, partner: partner, inverse: inverse)
    }
  }
}

extension ReferenceContext {
  /// The partners that do not lead back to a deleted object and are not written.
  func partners(ofDeleted changed: [ReferenceObject]) -> [ReferenceObject] {
    changed.filter { $0.change == .deleted }.flatMap { object in
      object.kind.links.compactMap { link in
        guard case .one(let back)? = link.inverse,
          let partner = object.view.values[link].flatMap({ objects[$0] }), !partner.isFault,
          partner.isPersistent, !partner.isWritten,
          partner.view.values[back] != object.n
        else { return nil }
        return partner
      }
    }
  }
}
