// A merge or a fault may find that an object's row was deleted elsewhere. The object is then
// deleted here, with nothing to save. It stays deleted as long as it is referenced, even if a
// parent restores the row. No fetch finds a deleted object.

extension ManagedObjectContext {
  /// Marks the object deleted. Nothing of it can be saved or reverted.
  func markRowMissing(_ object: ManagedObject) {
    if !object.state.contains(.deletedByMerge) { listAsMissing(object) }
    object.state.subtract([.inserted, .updated])
    object.state.formUnion([.deleted, .deletedByMerge])
    if object.state.contains(.listedAsChanged) { changedNeedsPruning = true }
  }

  /// The objects here whose rows are gone.
  func objectsWithMissingRows() -> [ManagedObject] {
    guard !missingRowIDs.isEmpty else { return [] }
    let objects = missingRowIDs.compactMap { object(registeredFor: $0) }.filter {
      $0.state.contains(.deletedByMerge)
    }
    missingRowIDs = ContiguousArray(objects.lazy.map(\.objectID))
    return objects
  }

  /// Objects listed before may be deallocated. Their entries are removed before the list grows.
  private func listAsMissing(_ object: ManagedObject) {
    if missingRowIDs.count == missingRowIDs.capacity { _ = objectsWithMissingRows() }
    missingRowIDs.append(object.objectID)
  }
}
