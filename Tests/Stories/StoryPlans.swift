// Plans are short runs of steps. They reach what single random steps rarely reach:
//
//   a relation merged under a pending one   mine: relate ── theirs: relate, save ── mine: merge
//   a merged batch deletion                 mine: read members ── theirs: delete ── mine: merge
//   a deletion that is redone               mine: delete, undo, redo
//
// Any step may be left out.

import TestSupport

extension StepDrawing {
  mutating func plan(in world: ReferenceWorld) -> [Step] {
    let steps =
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: mergedDeletion(in: world)
      case 1: redoneDeletion(in: world)
      default: mergedRelation(in: world)
      }
    return steps.filter { _ in !generator.chance(12) }
  }

  private mutating func mergedRelation(in world: ReferenceWorld) -> [Step] {
    let rows = world.store.rows.mapValues(\.kind)
    guard let (mine, theirs) = contexts(of: world), let n = pick(rows.keys), let kind = rows[n]
    else { return [] }
    let ends: [End] = kind.links.map { .one($0) } + kind.relations.map { .many($0) }
    let end = generator.pick(ends)
    let targets = rows.filter { $0.value == end.destination }.keys
    guard let mineHas = pick(targets), let theirsHas = pick(targets) else { return [] }
    let (save, mySave) = (newNumber(), newNumber())
    return steps(in: mine, relating(n, end, mineHas))
      + steps(in: theirs, relating(n, end, theirsHas) + [.save(save)])
      + steps(in: mine, [generator.chance(4) ? .refresh(n, mergeChanges: true) : .merge(save)])
      + steps(in: mine, generator.chance(3) ? [.undo] : [])
      + steps(in: mine, [.save(mySave)]) + steps(in: theirs, [.merge(mySave)])
  }

  private mutating func relating(_ n: Int, _ end: End, _ m: Int) -> [Action] {
    let isRead = generator.chance(2)
    return switch end {
    case .one(let link):
      [.take(n), .take(m)]
        + (isRead ? (link.inverse?.relation).map { [.readMembers(m, $0)] } ?? [] : [])
        + [.relate(n, link, m)]
    case .many(let relation):
      [.take(n), .take(m)] + (isRead ? [.readMembers(n, relation)] : [])
        + [generator.chance(4) ? .remove(n, relation, m) : .add(n, relation, m)]
    }
  }

  /// The member is not registered, a fault, or realised.
  private mutating func mergedDeletion(in world: ReferenceWorld) -> [Step] {
    let owners = world.store.rows.keys.sorted().flatMap { n in
      (world.kinds[n]?.relations ?? []).map { (n: n, relation: $0) }
    }.filter { !world.store.members($0.n, $0.relation).isEmpty }
    guard !owners.isEmpty else { return [] }
    let (mine, theirs) = (pick(world.contexts.indices) ?? 0, pick(world.contexts.indices) ?? 0)
    let (n, relation) = generator.pick(owners)
    let m = generator.pick(world.store.members(n, relation).sorted())
    let states: [[Action]] = [[], [.take(m)], [.take(m), .refresh(m, mergeChanges: false)]]
    let note = newNumber()
    return steps(in: mine, generator.chance(2) ? [.letGo] : [])
      + steps(in: mine, [.take(n), .readMembers(n, relation)] + generator.pick(states))
      + steps(in: theirs, [.deleteRows(note, [m])]) + steps(in: mine, [.merge(note)])
  }

  private mutating func redoneDeletion(in world: ReferenceWorld) -> [Step] {
    let contexts = world.contexts.filter { $0.undoing != nil }
    guard let context = contexts.randomElement(using: &generator) else { return [] }
    let related = context.sorted.filter { !$0.isGoing && !$0.targets.isEmpty }
    guard let object = related.randomElement(using: &generator) else { return [] }
    return steps(
      in: context.index,
      [
        .processPendingChanges, .delete(object.n),
        generator.chance(2) ? .save(newNumber()) : .processPendingChanges, .undo, .redo,
      ])
  }

  /// The first can merge what the second saves.
  private mutating func contexts(of world: ReferenceWorld) -> (mine: Int, theirs: Int)? {
    let mine = generator.pick(world.contexts)
    let others = world.contexts.filter { other in
      other !== mine && (other.parent == nil || mine.ancestors.contains { $0 === other })
    }
    return others.isEmpty ? nil : (mine.index, generator.pick(others).index)
  }

  private mutating func pick(_ numbers: some Collection<Int>) -> Int? {
    numbers.sorted().randomElement(using: &generator)
  }

  private func steps(in context: Int, _ actions: [Action]) -> [Step] {
    actions.map { Step(context: context, action: $0) }
  }
}

extension End {
  fileprivate var relation: Relation? {
    if case .many(let relation) = self { relation } else { nil }
  }

  fileprivate var destination: Kind? {
    switch self {
    case .one(let link): link.destination
    case .many(let relation): relation.destination
    }
  }
}
