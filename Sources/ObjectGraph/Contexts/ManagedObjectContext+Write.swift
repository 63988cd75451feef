import Queues

// A root context writes its changes as rows and pairs. After a conflict with another context's
// write, the merge policy resolves the changes and the write is repeated (`+Save`):
//
//   changes ─▶ request ─▶ store ─▶ written: take IDs and versions (`+DidSave`)
//      ▲                    │
//      └─ policy, hooks ◀───┘ conflict

extension ManagedObjectContext {
  /// - Returns: the saved objects. A merge policy may have changed which ones.
  func write(to coordinator: any PersistentStoreCoordinator) throws -> SentChanges {
    let returns = ReturnedRows.count(inStore: storeNumber)
    var changes = try validatedChanges()
    if mergePolicy == .error, let conflicts = undoManager?.conflicts, !conflicts.isEmpty {
      throw SaveError.conflict(conflicts)
    }
    var targets: ContiguousArray<ManagedObject> = []
    var receipt: SaveReceipt?
    do {
      let request = try saveRequest(changes, writing: &targets)
      if !request.isEmpty {
        var resolution = ConflictResolution(context: self, coordinator: coordinator)
        receipt = try commit(request, to: coordinator) { error in
          forgetTargets(&targets)
          changes = try settle(error, by: &resolution)
          return try saveRequest(changes, writing: &targets)
        }
      }
    } catch {
      forgetTargets(&targets)
      throw error
    }
    advanceGeneration()
    return SentChanges(
      objects: targets.isEmpty ? changes : changes + targets,
      targetCount: targets.count,
      returnsBefore: returns,
      receipt: receipt ?? SaveReceipt(insertedIDs: [], historyToken: nil))
  }

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
  /// - Parameter targets: receives the objects that `writeTargets` marks as updated.
  private func saveRequest(
    _ objects: ContiguousArray<ManagedObject>, writing targets: inout ContiguousArray<ManagedObject>
  ) throws -> SaveRequest {
    var request = saveRequest(objects)
    if !request.targets.isEmpty { try writeTargets(&request, &targets) }
    request.checks += partnerChecks(ofDeleted: objects)
    return request
  }

  private func saveRequest(_ objects: ContiguousArray<ManagedObject>) -> SaveRequest {
    var request = SaveRequest()
    request.author = transactionAuthor
    request.contextName = name
    var links = LinkChanges()
    var targets = NewTargets(model: model)
    for object in objects {
      if object.isInserted {
        request.inserts.append(.init(id: object.objectID, values: object.storedValues))
        if object.row.hasLostRow, !object.objectID.isTemporary {
          request.returning.insert(object.objectID)
        }
      } else if object.isDeleted {
        request.deletes.append(.init(id: object.objectID, version: object.version))
      } else if object.isUpdated {
        let changes = object.persistentChanges.subtracting(object.resolved.transients)
        object.state.remove(.sent)
        guard !changes.isEmpty || object.changesMembers else { continue }
        object.state.insert(.sent)
        request.updates.append(
          .init(
            id: object.objectID, values: object.storedValues, changed: changes,
            version: object.version))
      }
      // The pairs of a deleted row are deleted with it.
      if !object.toMany.isEmpty, !object.isDeleted { links.add(object) }
      if object.resolved.hasRelationships, !object.isDeleted { targets.add(object) }
    }
    request.linked = Array(links.linked)
    request.unlinked = Array(links.unlinked)
    request.checks = watched.filter {
      !$0.hasChanges && !$0.isFault && !$0.state.contains(.removed)
    }
    .map { .init(id: $0.objectID, version: $0.version) }
    request.targets = targets.besides(request).map { id in
      .init(id: id, version: object(registeredFor: id)?.version ?? 0)
    }
    return request
  }

  /// Gives the unchanged targets of new relations a new version, as if both sides had changed. If
  /// another context deletes a target, one of the saves then conflicts, and no relation leads to a
  /// missing row. Targets without a row are conflicts, and stay in `request.targets`.
  ///
  /// - Parameter written: receives these targets, marked as updated.
  private func writeTargets(
    _ request: inout SaveRequest, _ written: inout ContiguousArray<ManagedObject>
  ) throws {
    let targets = request.targets
    request.targets = []
    for target in targets {
      let object = object(with: target.id)
      if object.isFault, let row = try snapshotFromParent(of: target.id) {
        realise(object, with: row)
      }
      guard !object.isFault, object.state.isDisjoint(with: [.deleted, .vanishing, .removed]) else {
        request.targets.append(target)
        continue
      }
      if !object.isUpdated { written.append(object) }
      object.state.formUnion([.updated, .sent])
      request.updates.append(
        .init(
          id: object.objectID, values: object.storedValues, changed: [], version: object.version))
    }
  }

  /// Unmarks the targets if nothing was written.
  private func forgetTargets(_ targets: inout ContiguousArray<ManagedObject>) {
    for target in targets { target.state.subtract([.updated, .sent]) }
    targets.removeAll()
  }

  /// Version checks for partners that do not lead back to a deleted object and are not written. If
  /// another context has set a partner's key since, the save conflicts: the policy clears the key,
  /// or nothing is saved.
  private func partnerChecks(
    ofDeleted objects: ContiguousArray<ManagedObject>
  ) -> [SaveRequest.Delete] {
    objects.filter { $0.isDeleted && $0.resolved.hasRelationships }.flatMap { object in
      object.resolved.toOne.enumerated().compactMap { column, relationship in
        guard let relationship, case .toOne(let back)? = relationship.inverse,
          relationship.isFollowedByDeletion,
          let partner = object.values[column].objectID.flatMap(self.object(registeredFor:)),
          partner.state.isDisjoint(with: [.fault, .inserted, .deleted, .vanishing]),
          !partner.state.isSuperset(of: [.updated, .sent]),
          partner.values[back] != .object(object.objectID)
        else { return nil }
        return .init(id: partner.objectID, version: partner.version)
      }
    }
  }

}

/// Stored objects that new relations of a save lead to. The request usually writes them, but not if
/// a refresh or a merge policy discarded one side.
private struct NewTargets {
  let model: Model
  var ids: Set<ManagedObjectID> = []
  var last: ManagedObjectID?

  mutating func add(_ object: ManagedObject) {
    let changes = object.persistentChanges
    for (column, relationship) in object.resolved.toOne.enumerated() {
      guard let relationship, changes.contains(AttributeMask(index: column)),
        let id = object.values[column].objectID,
        // Without such a rule, the deletion of the target leaves the relation anyway.
        model.inverseRule(of: relationship) ?? .noAction != .noAction
      else { continue }
      add(id)
    }
    for (index, relationship) in object.resolved.toMany.enumerated()
    where relationship.isManyToMany {
      for id in object.toMany[index].added { add(id) }
    }
  }

  private mutating func add(_ id: ManagedObjectID) {
    guard id != last, !id.isTemporary else { return }
    last = id
    ids.insert(id)
  }

  func besides(_ request: SaveRequest) -> Set<ManagedObjectID> {
    guard !ids.isEmpty else { return [] }
    var rest = ids
    for update in request.updates { rest.remove(update.id) }
    for insert in request.inserts { rest.remove(insert.id) }
    return rest
  }
}

/// Pairs of many-to-many relationships that a save adds and removes, each listed once, from the
/// side that comes first in the model.
private struct LinkChanges {
  var linked: Set<SaveRequest.Link> = []
  var unlinked: Set<SaveRequest.Link> = []

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
    guard case .toMany(let index) = relationship.end, case .toMany(let back)? = relationship.inverse
    else { fatalError("only a many-to-many relationship has pairs") }
    let mine = (relationship.source, index, source.number)
    let theirs = (relationship.destination, back, destination.number)
    return mine <= theirs
      ? .init(source: source, relationship: index, destination: destination)
      : .init(source: destination, relationship: back, destination: source)
  }
}

extension ManagedObject {
  /// 0 if there is no row.
  var version: Int64 { row.version }

  /// The values for the store and for children. Transient attributes have their defaults.
  /// Attributes that only `awakeFromFetch` has set have their stored values.
  var storedValues: ContiguousArray<Value> {
    guard !resolved.transients.isEmpty else { return rowWithoutAwakening ?? values }
    var values = rowWithoutAwakening ?? values
    resolved.transients.forEachIndex { values[$0] = entity.defaults[$0] }
    return values
  }

  /// The values without those that only `awakeFromFetch` has set, which no save writes. Nil if the
  /// entity has no such hook, or the object no row.
  @inline(__always) var rowWithoutAwakening: ContiguousArray<Value>? {
    resolved.hasAwakeFromFetchHook ? rowWithoutHookValues : nil
  }

  private var rowWithoutHookValues: ContiguousArray<Value>? {
    guard let committed else { return nil }
    var values = values
    let untouched = AttributeMask.all(values.count).subtracting(touched)
    untouched.subtracting(resolved.transients).forEachIndex {
      values[$0] = committed.values[$0]
    }
    return values
  }
}
