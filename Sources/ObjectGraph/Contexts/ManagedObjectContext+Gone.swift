// An object whose row is gone by somebody else's doing (a merge said so, or its fault found nothing) is
// deleted here, with nothing to save. It stays so for as long as somebody holds it, also where the row
// comes back because a parent takes back what it deleted: what reads as deleted, no fetch finds.

extension ManagedObjectContext {
  /// The object is deleted, and nothing of it can be saved or taken back.
  func markRowGone(_ object: ManagedObject) {
    if !object.state.contains(.deletedByMerge) { listAsGone(object) }
    object.state.subtract([.inserted, .updated])
    object.state.formUnion([.deleted, .deletedByMerge])
    if object.state.contains(.listedAsChanged) { changedHasGaps = true }
  }

  /// The objects here whose rows are gone.
  func goneObjects() -> [ManagedObject] {
    guard !rowsGone.isEmpty else { return [] }
    let objects = rowsGone.compactMap { object(registeredFor: $0) }.filter {
      $0.state.contains(.deletedByMerge)
    }
    rowsGone = ContiguousArray(objects.lazy.map(\.objectID))
    return objects
  }

  /// Nobody may hold those listed before any more: they leave the list before it grows.
  private func listAsGone(_ object: ManagedObject) {
    if rowsGone.count == rowsGone.capacity { _ = goneObjects() }
    rowsGone.append(object.objectID)
  }
}
