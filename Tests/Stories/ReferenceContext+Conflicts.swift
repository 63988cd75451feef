import ObjectGraph

// After a conflict, a save is repeated with the changes that the merge policy keeps:
//
//                │ clashing property │ other local edits │ other properties │ missing row
//  store trump   │ the store's       │ kept              │ the store's      │ deleted here
//  object trump  │ the local one     │ kept              │ the store's      │ inserted again
//  overwrite     │ the local one     │ kept              │ the local ones   │ inserted again
//  rollback      │ the store's       │ dropped           │ the store's      │ deleted here

extension ReferenceContext {
  /// An object that took the store's row.
  struct Settled {
    let object: ReferenceObject
    let base: ReferenceRow?
    let before: ReferenceRow
    let row: ReferenceRow
    /// The links that the policy keeps. A refresh of the object may end their edits meanwhile.
    let kept: Set<Property>
  }

  /// - Returns: the sent objects, which a merge policy may have changed.
  func send() -> ([ReferenceObject], Outcome) {
    var conflicts: Set<Int> = []
    // Ten attempts without success fail.
    for _ in 0..<10 {
      let changed = pending
      let invalid = changed.filter { !$0.isDeleted && isRelatedToDeleted($0) }
      guard invalid.isEmpty || world.slip == .deletedTargetsAreSaved else {
        world.remark("save of what is related to a deleted object")
        return (changed, .invalid(Set(invalid.map(\.n))))
      }
      if let parent {
        parent.absorb(changed, from: self)
        return (changed, .done)
      }
      if policy == .error, let refused = refusedConflicts { return ([], .conflict(refused)) }
      let known = Set(objects.keys)
      let targets = markTargets(of: changed)
      conflicts = store.write(
        changed + targets, checking: partners(ofDeleted: changed), unsaved: world.temporary)
      if conflicts.isEmpty { return (changed + targets, .done) }
      for target in changed + targets { target.isTarget = false }
      for target in targets { target.change = .none }
      // Nobody holds the targets that this attempt has registered.
      for n in Set(objects.keys).subtracting(known) { objects[n] = nil }
      guard policy != .error else { break }
      world.remark("conflict settled by \(policy.rawValue)")
      withoutUndo {
        settle(conflicts.sorted())
        applyDeleteRules()
      }
    }
    return ([], .conflict(conflicts))
  }

  /// Unchanged objects that new relations lead to are saved too.
  ///
  /// - Returns: those not updated before.
  private func markTargets(of changed: [ReferenceObject]) -> [ReferenceObject] {
    let written = changed.filter { $0.isWritten && $0.change != .deleted }
    let loose = Set(written.flatMap(\.savedTargets)).subtracting(written.map(\.n))
    return loose.sorted().compactMap { n in
      guard !world.temporary.contains(n) else { return nil }
      let row = below.row(n)
      // An object without a row is not registered.
      guard objects[n] != nil || row != nil else { return nil }
      let target = object(n)
      if target.isFault, let row { target.realise(row) }
      guard !target.isFault, !target.isGoing else { return nil }
      target.isTarget = true
      guard target.change == .none else { return nil }
      target.change = .updated
      return target
    }
  }

  private func isRelatedToDeleted(_ object: ReferenceObject) -> Bool {
    object.newTargets.contains(where: isDeleted)
  }

  /// Objects of which an undo left values of another context.
  private var refusedConflicts: Set<Int>? {
    let refused = (undoing?.refused ?? []).filter {
      $0.base != nil && undoing?.known[$0.n] != nil && !$0.isDeleted
    }
    return refused.isEmpty ? nil : Set(refused.map(\.n))
  }

  private var prefersObject: Bool { policy == .objectTrump || policy == .overwrite }

  /// Objects that stay come first, and those whose rows are missing last.
  private func settle(_ conflicts: [Int]) {
    let stored = conflicts.filter { store.row($0) != nil }
    let deleted = stored.filter { objects[$0]?.isDeleted == true }
    for n in stored where !deleted.contains(n) { settle(n) }
    settleRelations()
    if prefersObject { applyDeleteRules() }
    for n in deleted { settle(n) }
    let missing = conflicts.filter { !stored.contains($0) && !settleWithoutRow($0) }
    release(Set(missing), cascading: !prefersObject)
    settleRelations()
  }

  private func settle(_ n: Int) {
    guard let object = objects[n], let row = store.row(n) else { return }
    fire(object)
    if object.change != .deleted {
      settle(object, against: row)
    } else if prefersObject {
      object.realise(row)
      refreshTargets(of: object)
      return doomed.append(object.n)
    } else {
      object.change = .none
      store.returns += 1
      object.realise(row)
      restoreInverses(of: object)
      repeatRules(of: object)
      announce(object, .inserted)
    }
    announce(object, .refreshed)
  }

  private func settle(_ object: ReferenceObject, against row: ReferenceRow) {
    let base = object.base
    let before = object.view
    let changes = object.changedValues
    let kept: [Property: Int?]
    switch world.slip == .localChangesWin ? .objectTrump : policy {
    case .storeTrump:
      kept = base == nil ? [:] : changes.filter { row.values[$0.key] == base?.values[$0.key] }
    case .objectTrump: kept = changes
    case .overwrite: kept = object.change == .none ? [:] : object.allValues
    case .rollback, .error: kept = [:]
    }
    object.rebase(on: row)
    object.edits = kept
    if object.change == .inserted { object.change = .updated }
    if policy == .rollback { object.dropMemberEdits() }
    settled.append(
      Settled(object: object, base: base, before: before, row: row, kept: Set(kept.keys)))
  }

  private func settleRelations() {
    for one in settled { settleInverses(of: one) }
    for object in settled.map(\.object) {
      if object.change == .updated, !object.hasChangedValues { object.change = .none }
      if object.change == .none { object.edits = [:] }
      repeatRules(of: object)
    }
    settled = []
  }

  private func settleInverses(of one: Settled) {
    let (object, base, before, row) = (one.object, one.base, one.before, one.row)
    for link in object.kind.links {
      guard let inverse = link.inverse else { continue }
      var sides = [before.values[link], row.values[link]]
      if let base { sides.append(base.values[link]) }
      let targets = Set(sides.compactMap(\.self))
      guard targets.count > 1 || sides.contains(nil) else { continue }
      let isKept = one.kept.contains(link)
      for m in targets.sorted() {
        let isTarget = object.view.values[link] == m
        if isKept, !isTarget, row.values[link] == m {
          endStored(object.n, at: m, inverse)
        } else {
          settle(m, inverse, of: object, link, isTarget: isTarget, isKept: isKept)
        }
      }
    }
  }

  private func settle(
    _ m: Int, _ inverse: End, of object: ReferenceObject, _ link: Property, isTarget: Bool,
    isKept: Bool
  ) {
    switch inverse {
    case .many(let relation):
      guard let target = objects[m], !target.isFault, !(isTarget && isKept) else { return }
      target.members[relation]?.settle(object.n, isMember: isTarget)
    case .one(let back):
      if isKept {
        if !isTarget { clear(m, back, of: object) }
      } else if let target = objects[m] {
        if wins(target, back) {
          if isTarget, target.view.values[back] != object.n { set(object, link, nil) }
          return
        }
        let partner = target.view.values[back]
        dropEdit(of: target, back, link)
        if let partner, !target.isFault, target.view.values[back] != partner,
          let other = objects[partner], !other.isFault, !other.isDeleted,
          other.view.values[link] == m
        {
          set(other, link, nil)
        }
      }
    }
  }

  private func clear(_ m: Int, _ back: Property, of object: ReferenceObject) {
    let target = self.object(m)
    refreshTarget(m, of: object.n, .one(back))
    if !target.isDeleted, target.view.values[back] == object.n { set(target, back, nil) }
  }

  private func wins(_ target: ReferenceObject, _ back: Property) -> Bool {
    guard prefersObject, target.isPersistent else { return false }
    return settled.first { $0.object === target }?.kept.contains(back)
      ?? (target.changedValues[back] != nil)
  }

  private func dropEdit(of target: ReferenceObject, _ back: Property, _ link: Property) {
    guard !target.isDeleted, !target.isFault else { return }
    if target.base != nil, target.change != .none {
      target.edits.removeValue(forKey: back)
      restorePartner(of: target, back, link)
      announce(target, .refreshed)
    } else if target.change == .inserted {
      target.edits[back] = .some(nil)
    } else if !settled.contains(where: { $0.object === target }) {
      target.turnIntoFault()
      announce(target, .refreshed)
    }
  }

  /// The delete rules had ended the relations of an object whose deletion is dropped.
  private func restoreInverses(of object: ReferenceObject) {
    for link in object.kind.links {
      switch link.inverse {
      case .one(let back): restorePartner(of: object, link, back)
      case .many(let relation):
        guard let target = object.view.values[link].flatMap({ objects[$0] }), !target.isFault else {
          continue
        }
        target.members[relation]?.settle(object.n, isMember: true)
      case nil: break
      }
    }
  }

  private func restorePartner(of target: ReferenceObject, _ back: Property, _ link: Property) {
    guard let partner = target.view.values[back].flatMap({ objects[$0] }), !partner.isFault,
      !partner.isDeleted, let own = partner.changedValues[link], own != target.n
    else { return }
    if own == nil, partner.base?.values[link] == target.n {
      partner.edits.removeValue(forKey: link)
      announce(partner, .refreshed)
    } else {
      set(target, back, nil)
    }
  }

  private func olderLinksToDeleted(of object: ReferenceObject) -> [Property] {
    object.kind.links.filter { link in
      object.changedValues[link] == nil
        && object.view.values[link].flatMap { objects[$0]?.isDeleted } == true
    }
  }

  /// - Returns: whether the row is inserted again.
  private func settleWithoutRow(_ n: Int) -> Bool {
    guard let object = objects[n] else { return false }
    if object.isFault { becomeGhost(object, releasing: false) }
    let isChanged = object.change != .none
    if (prefersObject || world.slip == .goneRowsComeBack) && !object.isDeleted && isChanged {
      let dead = olderLinksToDeleted(of: object)
      object.edits = object.allValues
      for link in dead { set(object, link, nil) }
      object.base = nil
      object.hasLostRow = true
      for relation in object.kind.relations { object.members[relation]?.below = nil }
      object.change = .inserted
      return true
    }
    object.change = .ghost
    announce(object, .deleted)
    return false
  }
}
