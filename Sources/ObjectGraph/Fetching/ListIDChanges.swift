/// The changes of a list by object ID, for a consumer that has a snapshot of IDs, such as a
/// diffable data source. As in Core Data's `controller(_:didChangeContentWith:)`, it ignores
/// sections.
public struct ListIDChanges: Sendable, Equatable {
  /// Apply it to the IDs known so far: `ids.applying(difference)` gives `fetchedObjectIDs`. The two
  /// changes of a move are associated, and so are those of an ID that became permanent.
  public let difference: CollectionDifference<ManagedObjectID>
  /// Objects to show again, which stay where they are.
  public let updated: [ManagedObjectID]
}

extension FetchedResultsController {
  typealias IDChange = CollectionDifference<ManagedObjectID>.Change

  /// The changes since the last call. The list has changed already.
  func changesByID(_ changes: ListChanges) -> ListIDChanges {
    let (old, new) = (toldIDs, fetchedObjectIDs)
    toldIDs = new
    var partners = Dictionary(uniqueKeysWithValues: changes.moves.map { ($0.from, $0.to) })
    var removed = Set(changes.deletions).union(partners.keys)
    var inserted = Set(changes.insertions).union(partners.values)
    let updates = Set(changes.updates)
    var updated: [ManagedObjectID] = []
    var index = 0
    // The other objects are in the same order in both lists.
    for offset in old.indices where !removed.contains(offset) {
      while inserted.contains(index) { index += 1 }
      if old[offset] != new[index] {
        removed.insert(offset)
        inserted.insert(index)
        partners[offset] = index
      }
      if updates.contains(offset) { updated.append(new[index]) }
      index += 1
    }
    return ListIDChanges(
      difference: Self.difference(old, removed, new, inserted, partners), updated: updated)
  }

  private static func difference(
    _ old: [ManagedObjectID], _ removed: Set<Int>, _ new: [ManagedObjectID], _ inserted: Set<Int>,
    _ partners: [Int: Int]
  ) -> CollectionDifference<ManagedObjectID> {
    let origins = Dictionary(uniqueKeysWithValues: partners.map { ($1, $0) })
    let changes =
      removed.map { IDChange.remove(offset: $0, element: old[$0], associatedWith: partners[$0]) }
      + inserted.map { IDChange.insert(offset: $0, element: new[$0], associatedWith: origins[$0]) }
    guard let difference = CollectionDifference(changes) else {
      fatalError("the changes of a list contradict each other")
    }
    return difference
  }

  /// IDs become permanent although nothing else changes.
  func tellNewIDs() {
    guard let onIDChange, toldIDs.contains(where: \.isTemporary) else { return }
    let changes = changesByID(ListChanges())
    if !changes.difference.isEmpty { onIDChange(changes) }
  }
}
