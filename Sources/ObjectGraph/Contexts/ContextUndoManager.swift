// An undo restores what an event changed, and nothing else:
//
//   event     age 1 ▸ 2, team A ▸ B           columns and members, with both values
//   undo      age 2 ▸ 1, team B ▸ A           only where the value is still the event's
//   redo      age 1 ▸ 2, team A ▸ B
//
// A merge may have changed a value since. Undo leaves such a value, and the next save reports a
// conflict. (Apple does not document what Core Data does.)

/// Undoes and redoes changes, event by event. Used on the context's queue.
///
/// As in Core Data on iOS, a context has no undo manager by default. An undo group ends when
/// pending changes are processed. Saving keeps the stack; `rollback` and `reset` clear it.
/// Refreshes and merges are not recorded.
public final class ContextUndoManager {
  private var group = UndoGroup()
  private var undoStack: [UndoGroup] = []
  private var redoStack: [UndoGroup] = []
  private var pauses = 0
  /// The rows as this context last read or saved them, without later changes by other contexts.
  private var knownRows: [ManagedObject: RowSnapshot] = [:]
  /// Objects with values that an undo did not restore, because another context had changed them.
  private var refused: Set<ManagedObject> = []

  public init() {}

  public var canUndo: Bool { !undoStack.isEmpty || !group.isEmpty }
  /// False while an edit is pending, because its group ends all redoing.
  public var canRedo: Bool { group.isEmpty && !redoStack.isEmpty }

  public func removeAllActions() {
    group = UndoGroup()
    undoStack.removeAll()
    redoStack.removeAll()
    knownRows.removeAll()
    refused.removeAll()
  }

  func endGroup(in context: ManagedObjectContext) {
    guard !group.isEmpty else { return }
    undoStack.append(group.ended(context.permanentIDs))
    group = UndoGroup()
    guard !redoStack.isEmpty else { return }
    redoStack.removeAll()
    let held = Set(undoStack.flatMap { $0.edits.map(\.object) })
    knownRows = knownRows.filter { held.contains($0.key) }
  }

  func undo(in context: ManagedObjectContext) {
    endGroup(in: context)
    guard let last = undoStack.popLast()?.reversed().leavingOutLost() else { return }
    redoStack.append(last.reversed())
    apply(last, in: context)
  }

  func redo(in context: ManagedObjectContext) {
    guard group.isEmpty, let last = redoStack.popLast()?.leavingOutLost() else { return }
    undoStack.append(last)
    apply(last, in: context)
  }

  private func apply(_ group: UndoGroup, in context: ManagedObjectContext) {
    var replay = UndoReplay(group: group, context: context, knownRows: knownRows)
    pausing {
      replay.run()
      context.propagateReadableDeletes()
    }
    // A child's save finds no conflicts.
    if case .coordinator = context.parent { refused.formUnion(replay.refused) }
  }
}

// MARK: - Recording

extension ContextUndoManager {
  func pausing<R>(_ body: () throws -> R) rethrows -> R {
    pauses += 1
    defer { pauses -= 1 }
    return try body()
  }

  /// Runs `body`, which applies the delete rules of an object.
  ///
  /// A merge is not recorded. But it may bring another context's relations to an object deleted
  /// here, and the delete rules then end them. These changes join the deletion's event: its undo
  /// restores the relations, and the next save keeps them.
  func recordingRules(
    of object: ManagedObject, _ permanentIDs: PermanentIDLog, _ body: () -> Void
  ) {
    guard pauses > 0 else { return body() }
    if group.life(of: object) != nil {
      group.append(recorded(permanentIDs, body))
    } else if let index = redoStack.lastIndex(where: { $0.life(of: object)?.before == .absent }) {
      // An undo took the object away; a redo brings it back.
      redoStack[index].append(recorded(permanentIDs, body).reversed())
    } else if let index = undoStack.lastIndex(where: { $0.life(of: object)?.after == .deleted }) {
      undoStack[index].append(recorded(permanentIDs, body))
    } else {
      body()
    }
  }

  /// Records `body` in a group of its own, apart from the current event.
  private func recorded(_ permanentIDs: PermanentIDLog, _ body: () -> Void) -> UndoGroup {
    let (outer, paused) = (group, pauses)
    (group, pauses) = (UndoGroup(), 0)
    defer { (group, pauses) = (outer, paused) }
    body()
    return group.ended(permanentIDs)
  }

  func record(_ object: ManagedObject) {
    guard pauses == 0 else { return }
    group.add(object)
    guard knownRows[object] == nil else { return }
    // A new object has its first row after its first save.
    knownRows[object] = object.committed ?? RowSnapshot(values: object.values, version: 0)
  }

  func record(_ object: ManagedObject, column: Int, to value: Value) {
    guard pauses == 0 else { return }
    record(object)
    let current = object.values[column]
    if let committed = object.committed?.values[column], committed == current,
      let known = knownRows[object], known.values[column] != committed
    {
      // The edit replaces the value shown here, even if another context wrote it.
      knownRows[object]?.values[column] = committed
    }
    group.note(object, column: column, from: current, to: value)
  }

  /// - Precondition: the relationship has been read, or the object is new.
  func record(_ object: ManagedObject, at index: Int, _ id: ManagedObjectID, isMember: Bool) {
    guard pauses == 0 else { return }
    record(object)
    let wasMember = object.toMany[index].members.contains(id)
    group.note(object, .init(relationship: index, id: id), from: wasMember, to: isMember)
  }

  /// Call before the object's changes become its committed values.
  func noteSaved(_ object: ManagedObject) {
    guard var row = knownRows[object] else { return }
    object.persistentChanges.forEachIndex { row.values[$0] = object.values[$0] }
    knownRows[object] = row
  }
}

// MARK: - Conflicts

extension ContextUndoManager {
  /// By entity and key.
  var conflicts: [MergeConflict] {
    refused.compactMap { object in
      guard let row = object.committed, let known = knownRows[object], !object.isDeleted else {
        return nil
      }
      var conflict = MergeConflict(
        id: object.objectID, oldVersion: known.version, newVersion: row.version,
        cachedSnapshot: row)
      conflict.objectSnapshot = known
      return conflict
    }.sorted { ($0.id.entityIndex, $0.id.primaryKey) < ($1.id.entityIndex, $1.id.primaryKey) }
  }

  /// - Parameter object: nil for all.
  func forgetConflicts(of object: ManagedObject? = nil) {
    if let object { refused.remove(object) } else { refused.removeAll() }
  }
}

extension ManagedObjectContext {
  /// Undoes the last event, if any. A value that a merge has changed since stays as it is. Under
  /// the error policy, the next save then reports a conflict.
  public func undo() {
    assertOnQueue()
    processPendingChanges()
    undoManager?.undo(in: self)
    processPendingChanges()
  }

  /// Repeats what the last `undo` reverted.
  public func redo() {
    assertOnQueue()
    undoManager?.redo(in: self)
    processPendingChanges()
  }

  func withoutUndo<R>(_ body: () throws -> R) rethrows -> R {
    guard let undoManager else { return try body() }
    return try undoManager.pausing(body)
  }
}
