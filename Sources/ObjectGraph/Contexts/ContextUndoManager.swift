// What an undo goes back to is how the touched objects were before the event:
//
//   event     record(a) record(b) …   first touch of each only      endGroup
//   group     [a as it was, b as it was]                            ─▶ undo stack
//   undo      put each back; what they were until now is a group    ─▶ redo stack

/// Takes back a context's changes, event by event. Used on the context's queue.
///
/// A context has none unless one is set, as in Core Data on iOS. A group ends where pending changes
/// are processed. Saving does not clear the stack; `rollback` and `reset` do.
public final class ContextUndoManager {
  /// How one object was.
  private struct Memento {
    let object: ManagedObject
    let values: ContiguousArray<Value>
    let toMany: ContiguousArray<ToManySet>
    let touched: AttributeMask
    let state: ObjectState
    let isRegistered: Bool
  }

  private var group: [Memento] = []
  private var grouped: Set<ManagedObject> = []
  private var undoStack: [[Memento]] = []
  private var redoStack: [[Memento]] = []

  public init() {}

  public var canUndo: Bool { !undoStack.isEmpty || !group.isEmpty }
  public var canRedo: Bool { !redoStack.isEmpty }

  public func removeAllActions() {
    group.removeAll()
    grouped.removeAll()
    undoStack.removeAll()
    redoStack.removeAll()
  }

  /// Remembers how an object is, the first time in an event.
  func record(_ object: ManagedObject) {
    guard grouped.insert(object).inserted else { return }
    group.append(memento(of: object))
  }

  func endGroup() {
    guard !group.isEmpty else { return }
    undoStack.append(takeGroup())
    redoStack.removeAll()
  }

  func undo(in context: ManagedObjectContext) {
    endGroup()
    guard let last = undoStack.popLast() else { return }
    redoStack.append(swap(last, in: context))
  }

  func redo(in context: ManagedObjectContext) {
    guard group.isEmpty, let last = redoStack.popLast() else { return }
    undoStack.append(swap(last, in: context))
  }

  private func takeGroup() -> [Memento] {
    defer {
      group.removeAll()
      grouped.removeAll()
    }
    return group
  }

  private func memento(of object: ManagedObject) -> Memento {
    Memento(
      object: object, values: object.values, toMany: object.toMany, touched: object.touched,
      state: object.state, isRegistered: object.context?.registry[object.objectID] === object)
  }

  private func swap(_ mementos: [Memento], in context: ManagedObjectContext) -> [Memento] {
    let now = mementos.map { memento(of: $0.object) }
    for memento in mementos.reversed() { restore(memento, in: context) }
    return now
  }

  private func restore(_ memento: Memento, in context: ManagedObjectContext) {
    let object = memento.object
    object.values = memento.values
    object.toMany = memento.toMany
    object.touched = memento.touched
    context.restore(
      object, to: memento.state.intersection(.standing), isRegistered: memento.isRegistered)
  }
}

extension ObjectState {
  /// What of a state an undo brings back.
  fileprivate static let standing: ObjectState = [
    .fault, .inserted, .updated, .deleted, .deletedByMerge,
  ]
}

extension ManagedObjectContext {
  /// Takes back the last event's changes; nothing happens without an undo manager, or if there is
  /// none.
  public func undo() {
    assertOnQueue()
    processPendingChanges()
    undoManager?.undo(in: self)
    processPendingChanges()
  }

  /// Makes again what `undo` took back last.
  public func redo() {
    assertOnQueue()
    undoManager?.redo(in: self)
    processPendingChanges()
  }

  /// Puts an object where it stood, and announces what that means to those who listen.
  fileprivate func restore(
    _ object: ManagedObject, to state: ObjectState, isRegistered: Bool
  ) {
    let before = object.state
    object.state.subtract([.fault, .inserted, .updated, .deleted, .deletedByMerge, .vanishing])
    guard isRegistered else { return withdraw(object, wasSaved: !before.contains(.inserted)) }
    object.state.formUnion(state)
    if before.contains(.gone) { readmit(object) }
    compareWithCommitted(object)
    if object.hasChanges { listAsChanged(object) }
    let wasThere = before.isDisjoint(with: [.gone, .deleted])
    let isThere = !state.contains(.deleted)
    if wasThere && isThere {
      announce(object, as: .newlyUpdated)
    } else if wasThere != isThere {
      announce(object, as: isThere ? .newlyInserted : .newlyDeleted)
    }
  }

  /// An insertion is taken back: the object was never there, or has to be deleted if it was saved
  /// meanwhile.
  private func withdraw(_ object: ManagedObject, wasSaved: Bool) {
    announce(object, as: .newlyDeleted)
    if wasSaved {
      object.state.insert(.deleted)
      listAsChanged(object)
    } else {
      forget(object)
    }
  }

  /// A save may have come between: what differs from the row as it is now is a change again.
  private func compareWithCommitted(_ object: ManagedObject) {
    guard let committed = object.committed, !object.isFault, !object.isDeleted else { return }
    for column in object.values.indices where object.values[column] != committed.values[column] {
      object.touched.insert(AttributeMask(index: column))
    }
    if !object.isInserted, !object.persistentChanges.isEmpty { object.state.insert(.updated) }
  }

  private func readmit(_ object: ManagedObject) {
    object.state.remove(.gone)
    if object.committed != nil {
      // Its deletion was saved: only an insert brings the row back.
      object.committed = nil
      object.touched = .all(object.values.count)
      object.state.insert(.inserted)
    }
    if register(object) { coordinator.register([object.objectID]) }
  }
}
