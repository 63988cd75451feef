import Queues

extension ManagedObjectContext {
  /// Takes in what a child saves. Runs on this context's queue while the child's thread waits, or is
  /// the one that runs it; so the child's objects may be read.
  ///
  /// Every changed object is copied: looked up or brought in here, its changed attributes set. The
  /// copy shares the child's buffer where this level had no values of its own. Ends with one
  /// objects-did-change, before anything is durable.
  func absorb(_ children: ContiguousArray<ManagedObject>) throws {
    Activity.slice(.pushUp) {
      sweepRegistry()
      // What main pushes on into a context of its own thread's making is not pushed into main.
      if queue is any RunLoopQueue { Activity.count(.objectsCopied, children.count) }
      for child in children {
        if child.isInserted {
          absorbInsert(child)
        } else if child.isDeleted {
          absorbDelete(child)
        } else {
          absorbUpdate(child)
        }
      }
      processPendingChanges()
    }
  }

  private func absorbInsert(_ child: ManagedObject) {
    _ = insert(child.objectID, entity: child.entity, values: child.values)
  }

  private func absorbDelete(_ child: ManagedObject) {
    guard !child.state.contains(.deletedByMerge) else { return }
    delete(counterpart(of: child))
  }

  private func absorbUpdate(_ child: ManagedObject) {
    let changes = child.persistentChanges
    let object = counterpart(of: child)
    guard !object.isDeleted, !changes.isEmpty else { return }
    if let committed = child.committed, object.values.isSameBuffer(as: committed.values) {
      object.values = child.values
    } else {
      changes.forEachIndex { object.values[$0] = child.values[$0] }
    }
    object.touched.formUnion(changes)
    noteUpdated(object)
  }

  /// This level's object for a child's, realised. A row that is gone from the store keeps what the
  /// child knew of it, so that the save that reaches the store finds the conflict.
  private func counterpart(of child: ManagedObject) -> ManagedObject {
    let id = permanentIDs[child.objectID] ?? child.objectID
    let object = object(registeredFor: id) ?? registerFault(id)
    guard object.isFault else { return object }
    if let snapshot = try? snapshotFromParent(of: id) ?? child.committed {
      Activity.count(.faultsFired)
      fill(object, with: snapshot)
    }
    return object
  }
}

extension ContiguousArray<Value> {
  func isSameBuffer(as other: ContiguousArray<Value>) -> Bool {
    withUnsafeBufferPointer { a in
      other.withUnsafeBufferPointer { b in a.baseAddress == b.baseAddress }
    }
  }
}
