extension ReferenceContext {
  func merge(_ note: ReferenceNote) {
    applyDeleteRules()
    let returned = returned(of: note)
    let updated = note.updated.union(returned).sorted().compactMap { objects[$0] }
      .filter { !$0.isFault && !$0.isGhost && $0.change != .inserted }
    for object in updated {
      if world.slip == .mergeDropsEdits { object.edits = [:] }
    }
    // The rules need all rows.
    for object in updated.filter(takeRow(of:)) { repeatRules(of: object, sparing: object.edits) }
    let refreshed = updated.filter { !$0.isDeleted }
    var inserted: Set<Int> = []
    for ghost in note.inserted.compactMap({ objects[$0] }) { takeBack(ghost) }
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

  private func refreshPartners(of object: ReferenceObject) {
    let links = object.kind.links.map { ($0.inverse, [object.view.values[$0]].compactMap(\.self)) }
    let relations = object.kind.relations.map { relation -> (End?, [Int]) in
      (relation.inverse, object.members[relation]?.view.sorted() ?? [])
    }
    for (inverse, numbers) in links + relations {
      for partner in numbers.compactMap({ objects[$0] }) {
        guard !partner.isFault, partner.isPersistent else { continue }
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
    if takeRow(of: object) { repeatRules(of: object, sparing: object.edits) }
  }

  /// - Returns: whether the row may lead to objects that are deleted here.
  private func takeRow(of object: ReferenceObject) -> Bool {
    guard let row = below.row(object.n) else { return false }
    let wasFault = object.isFault
    object.rebase(on: row)
    // An object deleted here is not announced; a rollback restores its new row.
    if object.isDeleted { doomed.append(object.n) } else { announce(object, .refreshed) }
    return !wasFault && !object.isDeleted
  }

  func refresh(_ object: ReferenceObject, mergeChanges: Bool) {
    guard object.isPersistent else { return }
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
      object.dropMemberEdits()
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

  /// Objects without references leave, unless a save, an announcement or an undo needs them.
  func letGo(but isHeld: (Int) -> Bool) {
    guard world.slip != .strongRegistration else { return }
    let undone = Set((undoing?.held ?? []).map(ObjectIdentifier.init))
    objects = objects.filter {
      isHeld($0.key) || $0.value.isPending || !$0.value.news.isEmpty || doomed.contains($0.key)
        || undone.contains(ObjectIdentifier($0.value))
    }
  }
}
