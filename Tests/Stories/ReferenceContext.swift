import ObjectGraph

final class ReferenceContext: ReferenceLevel {
  let index: Int
  let store: ReferenceStore
  let parent: ReferenceContext?
  let policy: MergePolicy
  let mergesAutomatically: Bool
  let world: ReferenceWorld
  var objects: [Int: ReferenceObject] = [:]
  var undoing: ReferenceUndo?
  /// Deleted objects whose delete rules have not yet been applied.
  var doomed: [Int] = []
  /// Objects that were inserted and deleted since the last save.
  var vanished: Set<Int> = []
  /// Relations of new rows that edits replace, and the other side's ends.
  var replaced: [(n: Int, partner: Int, inverse: End)] = []
  /// The objects that took the store's rows in this attempt to save.
  var settled: [Settled] = []

  init(_ index: Int, _ place: StoryContext, parent: ReferenceContext?, in world: ReferenceWorld) {
    self.index = index
    self.parent = parent
    policy = place.policy
    mergesAutomatically = place.mergesAutomatically
    undoing = place.undoes ? ReferenceUndo() : nil
    self.world = world
    store = world.store
  }

  var below: any ReferenceLevel { parent ?? store }
  var pending: [ReferenceObject] { sorted.filter(\.isPending) }
  var sorted: [ReferenceObject] { objects.values.sorted { $0.n < $1.n } }

  /// Registers the object if needed.
  func object(_ n: Int) -> ReferenceObject {
    if let object = objects[n] { return object }
    let object = ReferenceObject(n, world.kinds[n] ?? .item)
    objects[n] = object
    return object
  }

  func announce(_ object: ReferenceObject, _ news: ReferenceObject.News) {
    object.news.insert(news)
  }

  /// Realises a fault. An object whose row is missing becomes a ghost.
  func fire(_ object: ReferenceObject) {
    guard object.isFault else { return }
    if let row = below.row(object.n) {
      object.realise(row)
    } else {
      becomeGhost(object)
    }
  }

  /// A fault whose row is missing reads as null and without members. Nothing asks the level below
  /// again.
  func becomeGhost(_ object: ReferenceObject, releasing: Bool = true) {
    object.isFault = false
    for relation in object.kind.relations { object.members[relation] = .init(below: []) }
    object.change = .ghost
    announce(object, .deleted)
    if releasing { release([object.n]) }
  }

  /// The rules of the remaining objects clear their unsaved relations to objects without rows.
  func release(_ gone: Set<Int>, cascading: Bool = true) {
    guard world.slip != .goneTargetsStay else { return }
    withoutUndo {
      for object in pending where !object.isDeleted {
        for (link, target) in object.changedValues {
          guard link.destination != nil, let target, gone.contains(target) else { continue }
          world.remark("relation to what is gone")
          set(object, link, nil)
          if case .many(let relation)? = link.inverse, relation.cascades, cascading {
            delete(object)
          }
        }
        for relation in object.kind.relations {
          let added = object.members[relation]?.edits.filter(\.value).keys ?? [:].keys
          let lost = gone.intersection(added)
          guard !lost.isEmpty else { continue }
          for m in lost { object.members[relation]?.forget(m) }
          markUpdated(object)
        }
      }
    }
  }

  func loadMembers(_ object: ReferenceObject, _ relation: Relation) -> Set<Int> {
    fire(object)
    if object.members[relation]?.below == nil {
      let members = below.members(object.n, relation)
      let here = members.filter { !leadsElsewhere($0, from: object, relation) }
      object.members[relation]?.load(here)
    }
    return object.members[relation]?.view ?? []
  }

  /// An edit has moved the member before another context related it.
  private func leadsElsewhere(
    _ m: Int, from object: ReferenceObject, _ relation: Relation
  ) -> Bool {
    guard case .one(let link) = relation.inverse, let member = objects[m],
      member.change == .updated, let target = member.changedValues[link],
      object.members[relation]?.edits[m] != false
    else { return false }
    return target != object.n && member.base?.values[link] != object.n
  }

  // MARK: For the level above

  func row(_ n: Int) -> ReferenceRow? {
    guard let object = objects[n] else { return below.row(n) }
    guard !object.isGoing else { return nil }
    fire(object)
    return object.isDeleted ? nil : object.view
  }

  func members(_ n: Int, _ relation: Relation) -> Set<Int> {
    guard let object = objects[n], !object.isFault else { return below.members(n, relation) }
    return loadMembers(object, relation)
  }

  /// The level below finds stored rows, and pending changes here are applied to them. The limit
  /// grows by one for each pending object, because the level below may find it.
  func find(_ query: Query) -> [(n: Int, row: ReferenceRow?)] {
    let pending = pending.filter { $0.kind == query.kind && world.slip != .fetchWithoutPending }
    let gone = objects.values.filter { $0.isGhost && $0.kind == query.kind }
    var below = query
    if query.most < .max { below.limit = query.most + pending.count + gone.count }
    if !pending.isEmpty, query.ascending != nil { below.asFaults = false }
    var found = self.below.find(below).map { n, row in
      guard let object = objects[n] else { return (n: n, row: row) }
      if object.isFault, !below.asFaults, let row { object.realise(row) }
      return (n: n, row: object.isFault ? nil : object.view)
    }
    found.removeAll { entry in (pending + gone).contains { $0.n == entry.n } }
    if !pending.isEmpty {
      found += pending.filter { !$0.isDeleted && query.matches($0.view) }.map { ($0.n, $0.view) }
      found.sort(by: query.precedes)
    }
    return Array(found.prefix(query.most))
  }
}

// MARK: - Edits

extension ReferenceContext {
  func markUpdated(_ object: ReferenceObject) {
    guard !object.isGoing else { return }
    if object.change == .none { object.change = .updated }
    announce(object, .updated)
  }

  func set(_ object: ReferenceObject, _ property: Property, _ value: Int?) {
    fire(object)
    undoing?.record(object, life(object), property, to: value)
    object.edits[property] = .some(value)
    markUpdated(object)
  }

  func setMember(_ object: ReferenceObject, _ relation: Relation, _ m: Int, _ isMember: Bool) {
    fire(object)
    changeMembers(of: object, relation, m, isMember)
    markUpdated(object)
  }

  /// Reads the members if an undo must know them, or if this takes an edit back.
  func changeMembers(
    of object: ReferenceObject, _ relation: Relation, _ m: Int, _ isMember: Bool
  ) {
    if undoing != nil || object.members[relation]?.edits[m] == !isMember {
      _ = loadMembers(object, relation)
      undoing?.record(object, life(object), relation, m, isMember)
    }
    object.members[relation]?.set(m, isMember)
  }

  /// Changes both sides. In a one-to-one relationship the target's previous partner loses it.
  func relate(_ object: ReferenceObject, _ link: Property, to target: Int?) {
    fire(object)
    let old = object.view.values[link]
    set(object, link, target)
    guard old != target, let inverse = link.inverse, world.slip != .noInverses else { return }
    if let old {
      refreshTarget(old, of: object.n, inverse)
      detach(object.n, from: self.object(old), inverse)
    }
    guard let target else { return }
    switch inverse {
    case .many(let relation): setMember(self.object(target), relation, object.n, true)
    case .one(let back):
      let target = self.object(target)
      fire(target)
      if let holder = target.view.values[back], holder != object.n {
        refreshTarget(holder, of: target.n, .one(link))
        detach(target.n, from: self.object(holder), .one(link))
      }
      set(target, back, object.n)
    }
  }

  func detach(_ n: Int, from target: ReferenceObject, _ end: End) {
    fire(target)
    switch end {
    case .many(let relation): setMember(target, relation, n, false)
    case .one(let link): if target.view.values[link] == n { set(target, link, nil) }
    }
  }

  func setMembership(_ object: ReferenceObject, _ relation: Relation, _ m: Int, _ isMember: Bool) {
    let other = self.object(m)
    switch relation.inverse {
    case .one(let link):
      fire(other)
      if isMember {
        relate(other, link, to: object.n)
      } else if other.view.values[link] == object.n {
        relate(other, link, to: nil)
      }
    case .many(let back):
      setMember(object, relation, m, isMember)
      setMember(other, back, object.n, isMember)
    }
  }
}
