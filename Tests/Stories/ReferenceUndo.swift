// An undo restores the objects that an event changed to their previous state:
//
//   event 1   group {#1, #2}   ─┐
//   event 2   group {#2}        ├─ stack     undo ─▶ previous #2; its current state: redo
//   event 3   group {#1, #3}   ─┘
//
// Steps other than edits and undo (saves, merges, refreshes) make the groups before them *stale*.
// Stories do not undo stale groups.

/// Undoes a context's changes, event by event.
struct ReferenceUndo {
  /// The previous state of an object.
  struct Memento {
    let object: ReferenceObject
    let isRegistered: Bool
    let isFault: Bool
    let isDeleted: Bool
    let edits: [Property: Int?]
    var members: [Relation: ReferenceObject.Members]
  }

  typealias Group = [Int: Memento]

  private(set) var group: Group = [:]
  private var undoStack: [Group] = []
  private var redoStack: [Group] = []
  private var staleUndos = 0
  private var staleRedos = 0

  var canUndo: Bool { undoStack.count + (group.isEmpty ? 0 : 1) > staleUndos }
  var canRedo: Bool { group.isEmpty && redoStack.count > staleRedos }

  /// The objects of the groups.
  var held: [ReferenceObject] {
    ([group] + undoStack + redoStack).flatMap { $0.values.map(\.object) }
  }

  /// Called for an object's first change in an event.
  mutating func record(_ memento: Memento) {
    if group[memento.object.n] == nil { group[memento.object.n] = memento }
  }

  /// Records a to-many relationship that is read just before it changes.
  mutating func fill(_ n: Int, _ relation: Relation, _ below: Set<Int>?) {
    if let below, group[n]?.members[relation]?.below == nil {
      group[n]?.members[relation]?.load(below)
    }
  }

  mutating func endGroup() {
    guard !group.isEmpty else { return }
    undoStack.append(group)
    group = [:]
    redoStack = []
    staleRedos = 0
  }

  mutating func makeStale() {
    staleUndos = undoStack.count + (group.isEmpty ? 0 : 1)
    staleRedos = redoStack.count
  }

  mutating func popUndo() -> Group { undoStack.removeLast() }
  mutating func popRedo() -> Group { redoStack.removeLast() }
  mutating func pushUndo(_ group: Group) { undoStack.append(group) }
  mutating func pushRedo(_ group: Group) { redoStack.append(group) }
}

extension ReferenceContext {
  /// Call before an object changes.
  func willChange(_ object: ReferenceObject) { undoing?.record(memento(of: object)) }

  private func memento(of object: ReferenceObject) -> ReferenceUndo.Memento {
    ReferenceUndo.Memento(
      object: object, isRegistered: objects[object.n] === object, isFault: object.isFault,
      isDeleted: object.isDeleted || object.change == .vanishing, edits: object.edits,
      members: object.members)
  }

  func undo() {
    processPendingChanges()
    if let group = undoing?.popUndo() {
      let now = swap(group)
      undoing?.pushRedo(now)
    }
    processPendingChanges()
  }

  func redo() {
    if let group = undoing?.popRedo() {
      let now = swap(group)
      undoing?.pushUndo(now)
    }
    processPendingChanges()
  }

  private func swap(_ group: ReferenceUndo.Group) -> ReferenceUndo.Group {
    let now = group.mapValues { memento(of: $0.object) }
    for memento in group.values { restore(memento) }
    return now
  }

  private func restore(_ memento: ReferenceUndo.Memento) {
    let object = memento.object
    let isHere = objects[object.n] === object
    let wasLiving = isHere && !object.isDeleted
    if memento.isRegistered { restoreValues(of: memento, isHere: isHere) }
    guard memento.isRegistered, !memento.isDeleted else {
      guard wasLiving, memento.isRegistered || world.slip != .undoneInsertsStay else { return }
      announce(object, .deleted)
      if object.change == .inserted {
        world.forget(object, in: self)
      } else {
        object.change = .deleted
      }
      return
    }
    if !isHere {
      objects[object.n] = object
      object.edits = object.allValues
      object.base = nil
      object.change = .inserted
    } else if object.change != .inserted {
      object.change = object.hasChangedValues ? .updated : .none
    }
    announce(object, wasLiving ? .updated : .inserted)
  }

  private func restoreValues(of memento: ReferenceUndo.Memento, isHere: Bool) {
    let object = memento.object
    let now = object.members
    object.isFault = memento.isFault
    object.edits = memento.edits
    object.members = memento.members
    for relation in object.kind.relations {
      // The same members, as edits of the current row below.
      let below = isHere ? now[relation]?.below : []
      guard let wanted = object.members[relation], wanted.below != nil, let below else { continue }
      object.members[relation] = ReferenceObject.Members(below: below)
      for m in wanted.view.union(below) {
        object.members[relation]?.set(m, wanted.view.contains(m))
      }
    }
  }
}
