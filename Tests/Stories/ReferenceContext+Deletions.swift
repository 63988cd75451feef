extension ReferenceContext {
  func delete(_ object: ReferenceObject) {
    fire(object)
    guard !object.isGoing else { return }
    willChange(object)
    object.change = object.change == .inserted ? .vanishing : .deleted
    announce(object, .deleted)
    doomed.append(object.n)
  }

  func applyDeleteRules() {
    refreshTargets(ofDeleting: doomed.filter { objects[$0].map(life) == .deleted })
    var forgotten: [ReferenceObject] = []
    while let n = doomed.popLast() {
      guard let object = objects[n], life(object) == .deleted else { continue }
      recordingRules(of: object) { letGo(object) }
      if object.change == .vanishing { forgotten.append(object) }
    }
    for object in forgotten { world.forget(object, in: self) }
    vanished.formUnion(forgotten.map(\.n))
  }

  private func letGo(_ object: ReferenceObject) {
    for link in object.kind.links {
      if let target = object.view.values[link] { letGo(object, of: [target], by: link.inverse) }
    }
    for relation in object.kind.relations {
      let targets = loadMembers(object, relation)
      letGo(object, of: targets, by: relation.inverse, cascading: relation.cascades)
    }
  }

  /// Reads unchanged targets again if their own side does not lead to the deleted object.
  private func refreshTargets(ofDeleting numbers: [Int]) {
    var rest = numbers
    var known = Set(numbers)
    while let n = rest.popLast() {
      guard let object = objects[n] else { continue }
      for link in object.kind.links {
        if let m = object.view.values[link] { readTarget(m, of: n, link.inverse) }
      }
      for relation in object.kind.relations {
        for m in loadMembers(object, relation).sorted() {
          readTarget(m, of: n, relation.inverse)
          if relation.cascades, !self.object(m).isDeleted, leads(m, to: n, relation.inverse),
            known.insert(m).inserted
          {
            rest.append(m)
          }
        }
      }
    }
  }

  /// A ghost whose row stands again returns.
  func readTarget(_ m: Int, of n: Int, _ inverse: End?) {
    takeBack(object(m))
    refreshTarget(m, of: n, inverse)
  }

  func takeBack(_ target: ReferenceObject) {
    guard target.isGhost, let row = below.row(target.n) else { return }
    target.realise(row)
    target.change = .none
    announce(target, .inserted)
  }

  func refreshTarget(_ m: Int, of n: Int, _ inverse: End?) {
    let target = object(m)
    fire(target)
    guard case .one(let back)? = inverse, target.isPersistent, target.changedValues.isEmpty,
      target.view.values[back] != n, let row = below.row(m)
    else { return }
    target.rebase(on: row)
    announce(target, .refreshed)
    repeatRules(of: target, sparing: target.edits)
  }

  private func letGo(
    _ object: ReferenceObject, of targets: Set<Int>, by inverse: End?, cascading: Bool = false
  ) {
    for m in targets.sorted() where world.slip != .noDeleteRules {
      let target = self.object(m)
      fire(target)
      guard !target.isDeleted, let inverse else { continue }
      let isOwned = leads(m, to: object.n, inverse)
      detach(object.n, from: target, inverse)
      if cascading && isOwned { delete(target) }
    }
  }

  func refreshTargets(of object: ReferenceObject) {
    let members = object.kind.relations.flatMap { loadMembers(object, $0) }
    let links = object.kind.links.compactMap { object.view.values[$0] }
    for m in links + members {
      guard let target = objects[m], let row = store.row(m) else { continue }
      if target.isGhost {
        takeBack(target)
        continue
      }
      guard !target.isFault, target.isPersistent else { continue }
      noteReplaced(target, by: row)
      target.rebase(on: row)
      announce(target, .refreshed)
      endReplaced()
      repeatRules(of: target, sparing: target.edits)
    }
  }

  /// Edits stay.
  func repeatRules(of object: ReferenceObject, sparing edits: [Property: Int?] = [:]) {
    for link in object.kind.links where edits[link] == nil {
      guard let m = object.view.values[link], let target = objects[m], target.change == .deleted
      else { continue }
      switch link.inverse {
      case .one(let back):
        // The rules follow one relation. Another one of the target awaits them.
        if let other = target.view.values[back], other != object.n, isStanding(other, link, m) {
          recordingRules(of: target) { letGo(target, of: [object.n], by: .one(link)) }
          continue
        }
        target.edits[back] = .some(object.n)
      case .many(let relation): target.members[relation]?.settle(object.n, isMember: true)
      case nil: break
      }
      doomed.append(m)
    }
  }

  private func isStanding(_ n: Int, _ link: Property, _ m: Int) -> Bool {
    guard let other = objects[n], !other.isFault else { return true }
    return other.view.values[link] == m
  }

  /// A child's save may have moved a member of a deleted object.
  private func leads(_ m: Int, to n: Int, _ inverse: End) -> Bool {
    guard case .one(let link) = inverse else { return true }
    return object(m).view.values[link] == n
  }
}
