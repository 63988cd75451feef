// A new object that is deleted leaves the context when its delete rules have been applied. Whoever
// holds it can still use it until the next save, as in Core Data:
//
//                    context   reads     writes
//   inserted         this      values    change it
//   vanished         this      null      are ignored
//   after the save   nil       null      stop the program
//
// Its row is kept for an undo.

struct VanishedRow {
  let row: ObjectRow
  let toMany: ContiguousArray<ToManySet>
}

extension ManagedObjectContext {
  /// - Precondition: the object has no row, and its delete rules have been applied.
  func vanish(_ object: ManagedObject) {
    forget(object)
    // An object that nobody holds leaves its entry until the save, or until another object takes
    // the slot.
    vanished[object.slot] = VanishedRow(row: object.row, toMany: object.toMany)
    vanishedIDs.insert(object.objectID)
    object.row = ObjectRow(nil)
    object.values = ContiguousArray(repeating: .null, count: object.entity.columns.count)
    object.toMany = ContiguousArray(repeating: .empty, count: object.resolved.toMany.count)
    object.touched = []
    object.state.insert(.vanished)
  }

  func restoreVanished(_ object: ManagedObject) {
    guard object.state.contains(.vanished), let entry = vanished.removeValue(forKey: object.slot)
    else { return }
    vanishedIDs.remove(object.objectID)
    object.row = entry.row
    object.toMany = entry.toMany
    object.state.remove(.vanished)
  }

  func hasVanished(_ id: ManagedObjectID) -> Bool {
    // An undo or a child's save may have brought the object back.
    vanishedIDs.contains(id) && object(registeredFor: id) == nil
  }

  /// Vanished objects have no context from now on.
  func releaseVanished() {
    guard !vanishedIDs.isEmpty else { return }
    for slot in vanished.keys {
      guard let object = link.object(in: slot) else { continue }
      // A later undo or redo may bring the object back.
      if undoManager != nil { restoreVanished(object) } else { object.state.remove(.vanished) }
    }
    vanished.removeAll()
    vanishedIDs.removeAll()
  }
}
