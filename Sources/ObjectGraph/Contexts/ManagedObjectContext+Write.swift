import Queues

// A context on a coordinator writes its changes as rows and pairs; if another context was there
// first, the merge policy says what becomes of them, and they are tried again:
//
//   changes ─▶ request ─▶ store ─▶ written: IDs and versions are taken over (`+DidSave`)
//      ▲                    │
//      └──── policy ◀───────┘ conflict

extension ManagedObjectContext {
  /// - Returns: what was saved; a merge policy may have changed which objects.
  func write(to coordinator: any PersistentStoreCoordinator) throws -> SentChanges {
    var conflicts = ConflictResolution(context: self, coordinator: coordinator)
    while true {
      let objects = try validatedChanges()
      let request = saveRequest(objects)
      do {
        let receipt = request.isEmpty ? nil : try coordinator.commit(request)
        advanceGeneration()
        return SentChanges(
          objects: objects, insertedIDs: receipt?.insertedIDs ?? [],
          historyToken: receipt?.historyToken)
      } catch let error as SaveError {
        try conflicts.resolve(error)
      }
    }
  }

  /// Relationships name objects by ID: those of what is saved follow the new ones.
  func replaceIDs(
    _ ids: [ManagedObjectID: ManagedObjectID], in objects: some Sequence<ManagedObject>
  ) {
    for object in objects where object.resolved.hasRelationships && !object.isFault {
      for (column, relationship) in object.resolved.toOne.enumerated() where relationship != nil {
        if let id = object.values[column].objectID, let new = ids[id] {
          object.values[column] = .object(new)
        }
        if let id = object.committed?.values[column].objectID, let new = ids[id] {
          object.committed?.values[column] = .object(new)
        }
      }
      for index in object.toMany.indices { object.toMany[index].replaceIDs(ids) }
    }
  }
}

// MARK: - The request

extension ManagedObjectContext {
  private func saveRequest(_ objects: ContiguousArray<ManagedObject>) -> SaveRequest {
    var request = SaveRequest()
    request.author = transactionAuthor
    request.contextName = name
    var links = LinkChanges(model)
    for object in objects {
      if object.isInserted {
        request.inserts.append(.init(id: object.objectID, values: object.storedValues))
      } else if object.isDeleted {
        request.deletes.append(.init(id: object.objectID, version: object.version))
      } else if object.isUpdated {
        let changes = object.persistentChanges.subtracting(object.resolved.transients)
        object.state.remove(.sent)
        guard !changes.isEmpty || object.toMany.contains(where: \.hasChanges) else { continue }
        object.state.insert(.sent)
        request.updates.append(
          .init(
            id: object.objectID, values: object.storedValues, changed: changes,
            version: object.version))
      }
      // Its pairs go with its row, and it makes no new ones.
      if !object.toMany.isEmpty, !object.isDeleted { links.add(object) }
    }
    request.linked = Array(links.linked)
    request.unlinked = Array(links.unlinked)
    request.checks = conflictChecks(besides: request)
    return request
  }

  /// The unchanged objects that `detectConflicts` asked to compare.
  private func conflictChecks(besides request: SaveRequest) -> [SaveRequest.Delete] {
    watched.filter { !$0.hasChanges && !$0.isFault && !$0.state.contains(.gone) }
      .map { .init(id: $0.objectID, version: $0.version) }
  }
}

/// The pairs of many-to-many relationships that a save makes and ends. Both sides know of each pair;
/// it is named once, from the side that comes first in the model.
private struct LinkChanges {
  private let model: Model
  private(set) var linked: Set<SaveRequest.Link> = []
  private(set) var unlinked: Set<SaveRequest.Link> = []

  init(_ model: Model) {
    self.model = model
  }

  mutating func add(_ object: ManagedObject) {
    for (index, relationship) in object.resolved.toMany.enumerated()
    where relationship.isManyToMany && object.toMany[index].hasChanges {
      for id in object.toMany[index].added {
        linked.insert(link(object.objectID, id, by: relationship))
      }
      for id in object.toMany[index].removed {
        unlinked.insert(link(object.objectID, id, by: relationship))
      }
    }
  }

  private func link(
    _ source: ManagedObjectID, _ destination: ManagedObjectID, by relationship: ResolvedRelationship
  ) -> SaveRequest.Link {
    guard case .toMany(let place) = relationship.end, case .toMany(let back)? = relationship.inverse
    else { preconditionFailure("a pair of a relationship that is not many-to-many") }
    let mine = (relationship.source, place, source.number)
    let theirs = (relationship.destination, back, destination.number)
    return mine <= theirs
      ? .init(source: source, relationship: place, destination: destination)
      : .init(source: destination, relationship: back, destination: source)
  }
}

extension ManagedObject {
  /// The version of the row that this object's changes were made on; 0 if there is none.
  var version: Int64 { row.version }

  /// The values as the store gets them, and a child: transient ones are their defaults.
  var storedValues: ContiguousArray<Value> {
    guard !resolved.transients.isEmpty else { return values }
    var values = values
    resolved.transients.forEachIndex { values[$0] = entity.defaults[$0] }
    return values
  }
}
