import Queues

// Rows, and a parent's objects, become this context's objects: those that are registered as they are,
// others new.

extension ManagedObjectContext {
  func objectsFromParent(_ request: FetchRequest) throws -> [ManagedObject] {
    switch parent {
    case .coordinator(let coordinator):
      guard request.includesPropertyValues else {
        return faults(of: try reader(coordinator).fetchIDs(request))
      }
      return materialise(
        try registeredRows(request, by: reader(coordinator)),
        asFaults: request.returnsObjectsAsFaults)
    case .context(let parent):
      return try asking(parent) {
        // The parent's thread may be another, and is at work for all of this.
        try Activity.slice(.fetch) {
          let theirs = try parent.fetch(request.withoutPrefetching)
          followPermanentIDs(of: parent)
          return adopt(theirs, asFaults: request.returnsObjectsAsFaults)
        }
      }
    }
  }

  /// Rows that are registered once for this context.
  func registeredRows(
    _ request: FetchRequest, by reader: any PersistentStoreCoordinator
  ) throws -> [FetchedRow] {
    let rows = try reader.fetch(request)
    if reader !== coordinator { coordinator.register(rows.map(\.id)) }
    return rows
  }

  /// - Parameter rows: of different IDs; registered once each, which is given back where they were
  ///   registered before.
  func materialise(_ rows: consuming [FetchedRow], asFaults: Bool) -> [ManagedObject] {
    registry.reserve(rows.count)
    var registeredBefore: [ManagedObjectID] = []
    var new = link.reserve(rows.count)
    var kind = model.resolved[0]
    func object(of row: inout FetchedRow) -> ManagedObject {
      if let object = registry[row.id] {
        registeredBefore.append(row.id)
        if object.isFault && !asFaults { fill(object, with: row.takeSnapshot()) }
        return object
      }
      let place = Int(row.id.entityIndex)
      if kind.index != place { kind = model.resolved[place] }
      let object = ManagedObject(
        row.id, kind, link: link, snapshot: asFaults ? nil : row.takeSnapshot())
      new.add(object)
      return object
    }
    let objects = rows.withUnsafeMutableBufferPointer { rows in
      // By `map`, each would be four calls more.
      [ManagedObject](unsafeUninitializedCapacity: rows.count) { objects, count in
        while count < rows.count {
          objects.initializeElement(at: count, to: object(of: &rows[count]))
          count += 1
        }
      }
    }
    registeredBefore += register(new, among: objects)
    if !registeredBefore.isEmpty { coordinator.unregister(registeredBefore) }
    return objects
  }

  /// - Parameter ids: different ones, of stored objects.
  private func faults(of ids: [ManagedObjectID]) -> [ManagedObject] {
    coordinator.register(ids)
    let rows = ids.map { FetchedRow(id: $0, snapshot: RowSnapshot(values: [], version: 0)) }
    return materialise(rows, asFaults: true)
  }

  /// Makes this context's own objects of its parent's. Runs while the parent's queue is held.
  private func adopt(_ parents: [ManagedObject], asFaults: Bool) -> [ManagedObject] {
    registry.reserve(parents.count)
    var registered: [ManagedObjectID] = []
    let objects = parents.map { theirs in
      if let object = object(registeredFor: theirs.objectID) {
        if object.isFault && !asFaults { fill(object, with: theirs.currentSnapshot) }
        return object
      }
      let object = ManagedObject(
        theirs.objectID, theirs.resolved, link: link,
        snapshot: asFaults || theirs.isFault ? nil : theirs.currentSnapshot)
      if register(object) { registered.append(object.objectID) }
      return object
    }
    coordinator.register(registered)
    return objects
  }
}

extension FetchRequest {
  var withoutPrefetching: FetchRequest {
    var request = self
    request.relationshipKeyPathsForPrefetching = []
    return request
  }
}
