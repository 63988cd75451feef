import Queues

// Each prefetched relationship is one query for all objects:
//
//   cities  ──country──▶  countries  ──capital──▶  cities
//      └────tags⇉────▶  pairs  ─────▶  tags
//
// The context retains the prefetched objects, faults with cached rows, until the fetched object is
// deallocated or prefetched again by the same path. (In Core Data the fetched objects retain them.)
// Two fetches that prefetch each other's objects retain both until a reset.

extension ManagedObjectContext {
  /// Does nothing on a child context.
  func prefetch(_ paths: [PredicatePath], for objects: [ManagedObject]) throws {
    guard !paths.isEmpty, !objects.isEmpty, case .coordinator(let coordinator) = parent else {
      return
    }
    let reader = try reader(coordinator)
    let fetched = Set(objects)
    for path in paths {
      var group: [ManagedObject] = []
      var level = objects
      for step in path.allSteps where !level.isEmpty {
        level = try related(to: level, by: step, reader)
        group += level
      }
      // A fetched object in its own group would form a retain cycle.
      group.removeAll { fetched.contains($0) }
      keep(group, of: path, for: objects)
    }
  }

  private func keep(_ group: [ManagedObject], of path: PredicatePath, for objects: [ManagedObject])
  {
    var groups = prefetched.removeValue(forKey: path) ?? [:]
    for object in objects { groups[object.slot] = group.isEmpty ? nil : group }
    if !groups.isEmpty { prefetched[path] = groups }
  }

  private func related(
    to objects: [ManagedObject], by step: RelationshipEnd, _ reader: any PersistentStoreCoordinator
  ) throws -> [ManagedObject] {
    let ids =
      switch step {
      case .toOne(let column): try targetIDs(of: objects, at: column)
      case .toMany(let index): try memberIDs(of: objects, at: index, reader)
      }
    let stored = Set(ids).filter { !$0.isTemporary }
    guard let first = stored.first else { return [] }
    let root = model.entities[model.resolved[Int(first.entityIndex)].root]
    let request = FetchRequest(root, where: .isSelf(in: Array(stored)))
    return materialise(try registeredRows(request, by: reader), asFaults: true)
  }

  /// Fires no faults.
  private func targetIDs(of objects: [ManagedObject], at column: Int) throws -> [ManagedObjectID] {
    let faults = objects.filter(\.isFault)
    let rows = try snapshotsFromParent(of: faults.map(\.objectID))
    return objects.compactMap { $0.isFault ? nil : $0.values[column].objectID }
      + rows.compactMap { $0?.values[column].objectID }
  }

  private func memberIDs(
    of objects: [ManagedObject], at index: Int, _ reader: any PersistentStoreCoordinator
  ) throws -> [ManagedObjectID] {
    let faults = objects.filter(\.isFault)
    for (object, row) in zip(faults, try snapshotsFromParent(of: faults.map(\.objectID))) {
      // A hook may have fired the fault meanwhile.
      if let row, object.isFault { realise(object, with: row) }
    }
    let unread = objects.filter { !$0.isFault && $0.toMany[index].isFault }
    let members = try reader.related(to: unread.map(\.objectID), at: index)
    for object in unread { fillMembers(of: object, at: index, members[object.objectID] ?? []) }
    return objects.filter { !$0.isFault }.flatMap { relatedIDs(of: $0, at: index) }
  }

  func forgetPrefetched(for dead: [ContextLink.Dead]) {
    // An array: a view of the keys would make each change copy the groups.
    for path in Array(prefetched.keys) {
      for object in dead { prefetched[path]?[object.slot] = nil }
      if prefetched[path]?.isEmpty == true { prefetched[path] = nil }
    }
  }
}
