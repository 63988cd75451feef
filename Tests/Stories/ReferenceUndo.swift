// An undo restores what an event changed, where no other context has changed it since:
//
//   event 1   #1.a 0 ▸ 1     ─┐
//   event 2   #2 inserted     ├─ stack     undo ─▶ #1.group B ▸ A, if it is still B
//   event 3   #1.group A ▸ B ─┘

struct ReferenceUndo {
  struct Change<T> {
    var before: T
    var after: T

    var reversed: Change { Change(before: after, after: before) }
  }

  enum Life { case absent, present, deleted }

  struct Edit {
    let object: ReferenceObject
    var life: Change<Life>
    var values: [Property: Change<Int?>] = [:]
    var members: [Relation: [Int: Change<Bool>]] = [:]

    var reversed: Edit {
      Edit(
        object: object, life: life.reversed, values: values.mapValues(\.reversed),
        members: members.mapValues { $0.mapValues(\.reversed) })
    }
  }

  typealias Group = [Int: Edit]

  private(set) var group: Group = [:]
  private var undoStack: [Group] = []
  private var redoStack: [Group] = []
  /// The rows of changed objects without later changes of other contexts.
  private(set) var known: [Int: ReferenceRow] = [:]
  var refused: [ReferenceObject] = []
  var isPaused = false

  var canUndo: Bool { !undoStack.isEmpty || !group.isEmpty }
  var canRedo: Bool { group.isEmpty && !redoStack.isEmpty }

  var held: [ReferenceObject] {
    ([group] + undoStack + redoStack).flatMap { $0.values.map(\.object) } + refused
  }

  mutating func record(_ object: ReferenceObject, _ life: Life) {
    guard !isPaused else { return }
    if group[object.n] == nil {
      group[object.n] = Edit(object: object, life: Change(before: life, after: life))
    }
    if known[object.n] == nil { known[object.n] = object.base ?? object.view }
  }

  mutating func record(
    _ object: ReferenceObject, _ life: Life, _ property: Property, to value: Int?
  ) {
    guard !isPaused else { return }
    record(object, life)
    let current = object.view.values[property]
    if let base = object.base, base.values[property] == current {
      known[object.n]?.values[property] = current
    }
    group[object.n]?.values[property, default: Change(before: current, after: value)].after = value
  }

  mutating func record(
    _ object: ReferenceObject, _ life: Life, _ relation: Relation, _ m: Int, _ isMember: Bool
  ) {
    guard !isPaused else { return }
    record(object, life)
    let wasMember = object.members[relation]?.view.contains(m) ?? false
    group[object.n]?.members[relation, default: [:]][
      m, default: Change(before: wasMember, after: isMember)
    ].after = isMember
  }

  mutating func noteSaved(_ object: ReferenceObject) {
    guard known[object.n] != nil else { return }
    for (property, value) in object.changedValues { known[object.n]?.values[property] = value }
  }

  mutating func endGroup(_ life: (ReferenceObject) -> Life) {
    guard !group.isEmpty else { return }
    for (n, edit) in group { group[n]?.life.after = life(edit.object) }
    undoStack.append(group)
    group = [:]
    guard !redoStack.isEmpty else { return }
    redoStack = []
    let kept = Set(undoStack.flatMap(\.keys))
    known = known.filter { kept.contains($0.key) }
  }

  mutating func popUndo(_ life: (ReferenceObject) -> Life) -> Group {
    let last = undoStack.removeLast().filter {
      $0.value.life.after != .present || life($0.value.object) != .absent
    }
    redoStack.append(last)
    return last.mapValues(\.reversed)
  }

  mutating func popRedo(_ life: (ReferenceObject) -> Life) -> Group {
    let last = redoStack.removeLast().filter {
      $0.value.life.before != .present || life($0.value.object) != .absent
    }
    undoStack.append(last)
    return last
  }
}

// MARK: - Delete rules

extension ReferenceUndo {
  /// The event of a deletion, or the undo that deleted.
  enum Event { case current, done(Int), undone(Int) }

  /// Nil if changes are recorded anyway, or without such an event.
  func event(thatDeleted n: Int) -> Event? {
    guard isPaused else { return nil }
    if group[n] != nil { return .current }
    if let index = undoStack.lastIndex(where: { $0[n]?.life.after == .deleted }) {
      return .done(index)
    }
    return redoStack.lastIndex { $0[n]?.life.before == .absent }.map(Event.undone)
  }

  mutating func beginRules() -> Group {
    defer { (group, isPaused) = ([:], false) }
    return group
  }

  mutating func endRules(of event: Event, _ outer: Group, _ life: (ReferenceObject) -> Life) {
    var rules = group
    for (n, edit) in rules { rules[n]?.life.after = life(edit.object) }
    (group, isPaused) = (outer, true)
    switch event {
    case .current: Self.add(rules, to: &group)
    case .done(let index): Self.add(rules, to: &undoStack[index])
    case .undone(let index): Self.add(rules.mapValues(\.reversed), to: &redoStack[index])
    }
  }

  private static func add(_ later: Group, to group: inout Group) {
    for (n, edit) in later {
      guard group[n] != nil else {
        group[n] = edit
        continue
      }
      group[n]?.life.after = edit.life.after
      for (property, change) in edit.values {
        group[n]?.values[property, default: change].after = change.after
      }
      for (relation, changes) in edit.members {
        for (m, change) in changes {
          group[n]?.members[relation, default: [:]][m, default: change].after = change.after
        }
      }
    }
  }
}
