extension ReferenceContext {
  func merge(_ note: ReferenceNote) {
    applyDeleteRules()
    let returned = returned(of: note)
    let known = hasReturns(since: note) ? note.inserted : []
    let updated = note.updated.union(returned).union(known).sorted().compactMap { objects[$0] }
      .filter { !$0.isFault && !$0.isGhost && $0.change != .inserted }
    for object in updated {
      if world.slip == .mergeDropsEdits { object.edits = [:] }
    }
    // The rules need all rows.
    let read = updated.filter(takeRow(of:))
    endReplaced()
    for object in read { repeatRules(of: object, sparing: object.edits) }
    if note.isBatch { refaultMembers(among: returned) }
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
    let partners =
      note.isBatch && world.slip != .unknownMembersStay
      ? Set(objects.keys) : Set(deleted.flatMap(knownPartners))
    refresh(partners, withoutRelationsTo: gone)
    withoutUndo { applyDeleteRules() }
    processPendingChanges()
    world.events.append(
      .merged(
        index, inserted: inserted, refreshed: Set(refreshed.map(\.n)),
        deleted: Set(deleted.map(\.n))
      ))
  }

  private func knownPartners(of object: ReferenceObject) -> [Int] {
    object.isFault
      ? []
      : object.kind.links.compactMap { object.view.values[$0] }
        + object.kind.relations.flatMap { object.members[$0]?.view ?? [] }
  }

  private func refresh(_ partners: Set<Int>, withoutRelationsTo gone: Set<Int>) {
    for partner in partners.sorted().compactMap({ objects[$0] })
    where !partner.isFault && partner.isPersistent {
      for relation in partner.kind.relations {
        guard let members = partner.members[relation],
          case let known = gone.intersection((members.below ?? []).union(members.edits.keys)),
          !known.isEmpty
        else { continue }
        for n in known { world.remark("deleted member, \(registration(of: n))") }
        for n in gone { partner.members[relation]?.forget(n) }
        announce(partner, .refreshed)
      }
      if partner.kind.links.contains(where: { partner.view.values[$0].map(gone.contains) ?? false })
      {
        rebase(partner)
      }
    }
  }

  private func registration(of n: Int) -> String {
    objects[n].map { $0.isFault ? "a fault" : "realised" } ?? "not registered"
  }

  /// A batch request lists no objects whose members it changed.
  private func refaultMembers(among numbers: Set<Int>) {
    let kinds = Set(numbers.compactMap { world.kinds[$0] })
    for object in objects.values where !object.isFault && object.isPersistent {
      for relation in object.kind.relations where kinds.contains(relation.destination) {
        if case .one = relation.inverse { object.members[relation]?.below = nil }
      }
    }
  }

  private func hasReturns(since note: ReferenceNote) -> Bool { note.returnsBefore != store.returns }

  /// Deleted rows that stand again.
  private func returned(of note: ReferenceNote) -> Set<Int> {
    guard note.isBatch || hasReturns(since: note) else { return [] }
    let level: any ReferenceLevel = note.target == nil ? store : below
    let returned = note.deleted.filter { objects[$0] != nil && level.row($0) != nil }
    if !returned.isEmpty { world.remark("merged deletion of a row that is back") }
    return returned
  }

  private func rebase(_ object: ReferenceObject) {
    let isRead = takeRow(of: object)
    endReplaced()
    if isRead { repeatRules(of: object, sparing: object.edits) }
  }

  /// Call before the object takes the row.
  func noteReplaced(_ object: ReferenceObject, by row: ReferenceRow) {
    guard let base = object.base, !object.isDeleted else { return }
    for (link, target) in object.changedValues {
      guard let inverse = link.inverse, let new = row.values[link], new != target,
        new != base.values[link]
      else { continue }
      let kind = if case .one = inverse { "one-to-one" } else { "to-one" }
      world.remark("\(kind) merged under a pending one")
      if parent != nil { world.remark("relation merged under a pending one of a child") }
      replaced.append((n: object.n, partner: new, inverse: inverse))
    }
  }

  func endReplaced() {
    let ended = replaced
    replaced = []
    for one in ended { endStored(one.n, at: one.partner, one.inverse) }
  }

  /// The other side may not know the relation.
  func endStored(_ n: Int, at m: Int, _ inverse: End) {
    guard world.slip != .replacedRelationsStay else { return }
    let partner = object(m)
    fire(partner)
    switch inverse {
    case .many(let relation):
      if undoing != nil { _ = loadMembers(partner, relation) }
      partner.members[relation]?.settle(n, isMember: true)
    case .one: refreshTarget(m, of: n, inverse)
    }
    withoutUndo { detach(n, from: partner, inverse) }
  }

  /// - Returns: whether the row may lead to objects that are deleted here.
  private func takeRow(of object: ReferenceObject) -> Bool {
    guard let row = below.row(object.n) else { return false }
    let wasFault = object.isFault
    noteReplaced(object, by: row)
    object.rebase(on: row)
    // An object deleted here is not announced; a rollback restores its new row.
    if object.isDeleted { doomed.append(object.n) } else { announce(object, .refreshed) }
    return !wasFault && !object.isDeleted
  }

  func refresh(_ object: ReferenceObject, mergeChanges: Bool) {
    guard object.isPersistent else { return }
    undoing?.refused.removeAll { $0 === object }
    if mergeChanges {
      rebase(object)
      return endDisplacedRelations(of: object)
    }
    object.turnIntoFault()
    announce(object, .refreshed)
  }

  /// An edit has led the other object elsewhere.
  private func endDisplacedRelations(of object: ReferenceObject) {
    guard !object.isFault, !object.isGoing else { return }
    for link in object.kind.links where object.changedValues[link] == nil {
      guard case .one(let back)? = link.inverse, let m = object.view.values[link],
        let other = objects[m], other.change == .updated, let partner = other.changedValues[back],
        partner != object.n
      else { continue }
      endStored(m, at: object.n, .one(link))
    }
  }

  func refreshAllObjects() {
    undoing?.refused = []
    let objects = sorted
    var refreshed: Set<Int> = []
    while case let edited = objects.filter({ $0.change == .updated && !refreshed.contains($0.n) }),
      !edited.isEmpty
    {
      let read = edited.filter(takeRow(of:))
      endReplaced()
      for object in read { repeatRules(of: object, sparing: object.edits) }
      refreshed.formUnion(edited.map(\.n))
    }
    for object in objects where object.change != .updated { refresh(object, mergeChanges: false) }
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
    (doomed, vanished) = ([], [])
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
