// An undo restores the changed objects to their state before the event:
//
//   event     record(a) record(b) …   first change of each only      endGroup
//   group     [state of a, state of b]                               ─▶ undo stack
//   undo      restore each; their states until now form a group      ─▶ redo stack

/// Undoes and redoes a context's changes, event by event. Used on the context's queue.
///
/// A context has no undo manager by default, as in Core Data on iOS. A group ends when pending
/// changes are processed. Saving keeps the stack; `rollback` and `reset` clear it.
public final class ContextUndoManager {
  /// The state of one object.
  private struct Memento {
    let object: ManagedObject
    let values: ContiguousArray<Value>
    var toMany: ContiguousArray<ToManySet>
    let touched: AttributeMask
    let state: ObjectState
    let isRegistered: Bool
  }

  private var group: [Memento] = []
  /// The index of each object in `group`.
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

  /// Records an object's state before its first change in an event.
  func record(_ object: ManagedObject) {
    guard grouped[object] == nil else { return }
    grouped[object] = group.count
    group.append(memento(of: object))
  }

  /// Like `record`, for a to-many relationship that was read because it is about to change.
  func record(_ object: ManagedObject, at index: Int) {
    record(object)
    guard let position = grouped[object], let stored = object.toMany[index].stored,
      group[position].toMany.indices.contains(index), group[position].toMany[index].isFault
    else { return }
    group[position].toMany[index].fill(stored)
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
    let (now, isNew) = (object.toMany, object.state.contains(.removed))
    object.values = memento.values
    object.toMany = memento.toMany
    object.touched = memento.touched
    object.state.remove(.fault)
    object.state.formUnion(memento.state.intersection(.fault))
    if !context.permanentIDs.isEmpty {
      context.replaceIDs(context.permanentIDs.byTemporaryID, in: CollectionOfOne(object))
    }
    for index in object.toMany.indices {
      let base = isNew || index >= now.count ? ToManySet.empty : now[index]
      object.toMany[index].rebase(on: base)
    }
  }
}

extension ManagedObjectContext {
  /// Undoes the changes of the last event. Does nothing without an undo manager or changes to undo.
  public func undo() {
    assertOnQueue()
    processPendingChanges()
    undoManager?.undo(in: self)
    processPendingChanges()
  }

  /// Repeats the changes that the last `undo` reverted.
  public func redo() {
    assertOnQueue()
    undoManager?.redo(in: self)
    processPendingChanges()
  }

  /// Restores an object and announces the change. The changes may have been saved since, so the
  /// object may count as inserted, edited or deleted now.
  fileprivate func restore(_ object: ManagedObject, isDeleted: Bool, isRegistered: Bool) {
    let before = object.state
    guard isRegistered, !isDeleted else { return withdraw(object, before) }
    object.state.subtract([.inserted, .updated, .deleted, .deletedByMerge, .vanishing])
    if before.contains(.removed) {
      readmit(object)
    } else if before.contains(.inserted) {
      object.state.insert(.inserted)
    }
    compareWithCommitted(object)
    if object.hasChanges { listAsChanged(object) } else { changedNeedsPruning = true }
    let wasThere = before.isDisjoint(with: [.removed, .deleted])
    announce(object, as: wasThere ? .newlyUpdated : .newlyInserted)
  }

  /// The object did not exist or was deleted. If its row exists now, the next save deletes it.
  private func withdraw(_ object: ManagedObject, _ before: ObjectState) {
    guard before.isDisjoint(with: [.removed, .deleted]) else { return }
    announce(object, as: .newlyDeleted)
    object.state.subtract([.inserted, .updated])
    if before.contains(.inserted) {
      forget(object)
    } else {
      object.state.insert(.deleted)
      listAsChanged(object)
    }
  }

  /// Marks the columns that differ from the current row as changed. The row may have been saved
  /// since.
  private func compareWithCommitted(_ object: ManagedObject) {
    guard let committed = object.committed, !object.isFault else { return }
    for column in object.values.indices where object.values[column] != committed.values[column] {
      object.touched.insert(AttributeMask(index: column))
    }
    let isChanged = !object.persistentChanges.isEmpty || object.toMany.contains(where: \.hasChanges)
    if !object.isInserted && isChanged { object.state.insert(.updated) }
  }

  private func readmit(_ object: ManagedObject) {
    object.state.remove(.removed)
    // A saved deletion removed the row, and an unsaved one withdrew the object: only an insert
    // brings the row back.
    object.committed = nil
    object.touched = .all(object.values.count)
    object.state.insert(.inserted)
    if object.objectID.isTemporary { hasNewObjects = true }
    if register(object) { coordinator.register([object.objectID]) }
  }
}
