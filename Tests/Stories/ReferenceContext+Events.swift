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
        // An object inserted and deleted in one event is not announced. One deleted and revived may
        // be unchanged.
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
  /// Saves one level down: everything, or nothing in case of conflicts.
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
    world.events.append(
      .saved(
        index, inserted: saved.inserted, updated: saved.updated, deleted: saved.deleted))
    undoing?.refused = []
    for object in changed {
      undoing?.noteSaved(object)
      let isNew = object.change == .inserted
      if object.isDeleted { world.forget(object, in: self) } else { object.settle() }
      if isNew, parent == nil, let row = store.row(object.n) { object.base?.version = row.version }
    }
    return .done
  }

  /// Takes a child's saved changes as changes of this context.
  func absorb(_ changed: [ReferenceObject]) {
    guard world.slip != .childSaveUnseen else { return }
    for child in changed where child.change != .inserted && child.isWritten {
      let mine = object(child.n)
      if mine.isFault, let row = below.row(child.n) ?? child.base { mine.realise(row) }
    }
    // Nothing is taken if a row cannot be read.
    for child in changed where child.change == .deleted { readTargets(of: object(child.n)) }
    let former = changed.flatMap(formerPartners)
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

  /// Reads the objects that the delete rules affect, and again those that do not lead back.
  private func readTargets(of object: ReferenceObject) {
    guard !object.isFault, !object.isDeleted, object.change != .vanishing else { return }
    for relation in object.kind.relations {
      for m in loadMembers(object, relation).sorted() {
        refreshTarget(m, of: object.n, relation.inverse)
      }
    }
    for link in object.kind.links {
      if let m = object.view.values[link] { refreshTarget(m, of: object.n, link.inverse) }
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

  private func isDeleted(_ n: Int) -> Bool {
    objects[n].map { $0.isDeleted || $0.change == .vanishing } ?? false
  }

  private func absorbInsert(_ child: ReferenceObject) {
    if let object = objects[child.n], object.change == .deleted {
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

  /// The child's undo brings an object back whose deletion is not saved here.
  private func absorbReturn(_ child: ReferenceObject, into object: ReferenceObject) {
    willChange(object)
    object.change = .none
    store.returns += 1
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
    if object.hasChangedValues { object.change = .updated }
    announce(object, .inserted)
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
        if undoing != nil {
          _ = loadMembers(object, relation)
          undoing?.record(object, life(object), relation, m, isMember)
        }
        object.members[relation]?.set(m, isMember)
      }
    }
    markUpdated(object)
  }

  @discardableResult
  func insert(_ n: Int, _ kind: Kind, _ values: [Property: Int?]) -> ReferenceObject {
    let object = ReferenceObject(n, kind)
    willChange(object)
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

// MARK: - Merges, refreshes, rollbacks

extension ReferenceContext {
  func merge(_ note: ReferenceNote) {
    if undoing != nil { applyDeleteRules() }
    let returned = returned(of: note)
    let updated = note.updated.union(returned).sorted().compactMap { objects[$0] }
      .filter { !$0.isFault && !$0.isGhost && $0.change != .inserted }
    for object in updated {
      if world.slip == .mergeDropsEdits { object.edits = [:] }
      rebase(object)
    }
    let refreshed = updated.filter { !$0.isDeleted }
    var inserted: Set<Int> = []
    for object in note.inserted.map({ self.object($0) }) where object.change == .none {
      announce(object, .inserted)
      inserted.insert(object.n)
    }
    let gone = note.deleted.subtracting(returned)
    let deleted = gone.compactMap { objects[$0] }
    for object in deleted {
      if !object.isDeleted { announce(object, .deleted) }
      object.change = .ghost
    }
    release(gone)
    for object in deleted where !object.isFault { refreshPartners(of: object) }
    withoutUndo { applyDeleteRules() }
    processPendingChanges()
    world.events.append(
      .merged(
        index, inserted: inserted, refreshed: Set(refreshed.map(\.n)),
        deleted: Set(deleted.map(\.n))
      ))
  }

  /// Objects that still lead to a deleted one.
  private func refreshPartners(of object: ReferenceObject) {
    let links = object.kind.links.map { ($0.inverse, [object.view.values[$0]].compactMap(\.self)) }
    let relations = object.kind.relations.map { relation -> (End?, [Int]) in
      (relation.inverse, object.members[relation]?.view.sorted() ?? [])
    }
    for (inverse, numbers) in links + relations {
      for partner in numbers.compactMap({ objects[$0] }) {
        guard !partner.isFault, partner.change == .none || partner.change == .updated else {
          continue
        }
        switch inverse {
        case .one(let link): if partner.view.values[link] == object.n { rebase(partner) }
        case .many(let relation):
          guard partner.members[relation]?.view.contains(object.n) == true else { continue }
          partner.members[relation]?.forget(object.n)
          announce(partner, .refreshed)
        case nil: break
        }
      }
    }
  }

  /// Deleted rows that stand again.
  private func returned(of note: ReferenceNote) -> Set<Int> {
    guard note.returnsBefore != store.returns else { return [] }
    let level: any ReferenceLevel = note.target == nil ? store : below
    let returned = note.deleted.filter { objects[$0] != nil && level.row($0) != nil }
    if !returned.isEmpty { world.remark("merged deletion of a row that is back") }
    return returned
  }

  private func rebase(_ object: ReferenceObject) {
    guard let row = below.row(object.n) else { return }
    object.rebase(on: row)
    // An object deleted here is not announced; a rollback restores its new row.
    if object.isDeleted { doomed.append(object.n) } else { announce(object, .refreshed) }
  }

  func refresh(_ object: ReferenceObject, mergeChanges: Bool) {
    guard object.change == .none || object.change == .updated else { return }
    undoing?.refused.removeAll { $0 === object }
    if mergeChanges { return rebase(object) }
    object.turnIntoFault()
    announce(object, .refreshed)
  }

  func refreshAllObjects() {
    undoing?.refused = []
    for object in sorted { refresh(object, mergeChanges: object.change == .updated) }
    processPendingChanges()
  }

  func rollback() {
    doomed = []
    forgetUndoing()
    for object in sorted {
      switch object.change {
      case .inserted, .vanishing:
        announce(object, .deleted)
        world.forget(object, in: self)
        continue
      case .deleted where world.slip == .rollbackKeepsDeletions: continue
      case .deleted:
        store.returns += 1
        announce(object, .inserted)
      case .updated: break
      case .none, .ghost: continue
      }
      announce(object, .refreshed)
      object.change = .none
      object.edits = [:]
      for relation in object.kind.relations { object.members[relation]?.edits = [:] }
    }
    processPendingChanges()
  }

  func reset() {
    objects = [:]
    _ = world.forgotten(by: self)
    forgetUndoing()
    doomed = []
    world.events.append(.invalidatedAll(index))
  }

  private func forgetUndoing() {
    if undoing != nil { undoing = ReferenceUndo() }
  }

  /// Objects without references leave, except those to save, to announce or to undo.
  func letGo(but isHeld: (Int) -> Bool) {
    guard world.slip != .strongRegistration else { return }
    let undone = Set((undoing?.held ?? []).map(ObjectIdentifier.init))
    objects = objects.filter {
      isHeld($0.key) || $0.value.isPending || !$0.value.news.isEmpty || doomed.contains($0.key)
        || undone.contains(ObjectIdentifier($0.value))
    }
  }
}
