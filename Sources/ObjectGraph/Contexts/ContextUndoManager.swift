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
    var toMany: ContiguousArray<ToManySet>
    let touched: AttributeMask
    let state: ObjectState
    let isRegistered: Bool
  }

  private var group: [Memento] = []
  /// Where the group has an object.
  private var grouped: [ManagedObject: Int] = [:]
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
    guard grouped[object] == nil else { return }
    grouped[object] = group.count
    group.append(memento(of: object))
  }

  /// As `record`, for a to-many relationship that was read because it is going to change.
  func record(_ object: ManagedObject, at index: Int) {
    record(object)
    guard let place = grouped[object], let stored = object.toMany[index].stored,
      group[place].toMany.indices.contains(index), group[place].toMany[index].isFault
    else { return }
    group[place].toMany[index].fill(stored)
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
    if memento.isRegistered { restoreValues(of: memento, in: context) }
    context.restore(
      memento.object, isDeleted: !memento.state.isDisjoint(with: [.deleted, .vanishing]),
      isRegistered: memento.isRegistered)
  }

  private func restoreValues(of memento: Memento, in context: ManagedObjectContext) {
    let object = memento.object
    let (now, isNew) = (object.toMany, object.state.contains(.gone))
    object.values = memento.values
    object.toMany = memento.toMany
    object.touched = memento.touched
    object.state.remove(.fault)
    object.state.formUnion(memento.state.intersection(.fault))
    if !context.settledIDs.isEmpty {
      context.replaceIDs(context.settledIDs.permanent, in: CollectionOfOne(object))
    }
    for index in object.toMany.indices {
      let base = isNew || index >= now.count ? ToManySet.empty : now[index]
      object.toMany[index].rebase(on: base)
    }
  }
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

  /// Puts an object where it stood, and announces what that means to those who listen. Whether that
  /// makes it an insertion or an edit depends on what was saved meanwhile.
  fileprivate func restore(_ object: ManagedObject, isDeleted: Bool, isRegistered: Bool) {
    let before = object.state
    guard isRegistered, !isDeleted else { return withdraw(object, before) }
    object.state.subtract([.inserted, .updated, .deleted, .deletedByMerge, .vanishing])
    if before.contains(.gone) {
      readmit(object)
    } else if before.contains(.inserted) {
      object.state.insert(.inserted)
    }
    compareWithCommitted(object)
    if object.hasChanges { listAsChanged(object) } else { changedHasGaps = true }
    let wasThere = before.isDisjoint(with: [.gone, .deleted])
    announce(object, as: wasThere ? .newlyUpdated : .newlyInserted)
  }

  /// The object was not there, or deleted: if its row is there by now, the next save deletes that.
  private func withdraw(_ object: ManagedObject, _ before: ObjectState) {
    guard before.isDisjoint(with: [.gone, .deleted]) else { return }
    announce(object, as: .newlyDeleted)
    object.state.subtract([.inserted, .updated])
    if before.contains(.inserted) {
      forget(object)
    } else {
      object.state.insert(.deleted)
      listAsChanged(object)
    }
  }

  /// A save may have come between: what differs from the row as it is now is a change again.
  private func compareWithCommitted(_ object: ManagedObject) {
    guard let committed = object.committed, !object.isFault else { return }
    for column in object.values.indices where object.values[column] != committed.values[column] {
      object.touched.insert(AttributeMask(index: column))
    }
    let isChanged = !object.persistentChanges.isEmpty || object.toMany.contains(where: \.hasChanges)
    if !object.isInserted && isChanged { object.state.insert(.updated) }
  }

  private func readmit(_ object: ManagedObject) {
    object.state.remove(.gone)
    // Was its deletion saved, only an insert brings the row back; was it never saved, so too.
    object.committed = nil
    object.touched = .all(object.values.count)
    object.state.insert(.inserted)
    if object.objectID.isTemporary { hasNewObjects = true }
    if register(object) { coordinator.register([object.objectID]) }
  }
}
