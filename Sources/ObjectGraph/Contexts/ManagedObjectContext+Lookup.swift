/// No row has this ID. It may also be another context's temporary ID, or belong to another store
/// (Core Data's error 133000).
public struct ObjectNotFound: Error, Sendable, Equatable, CustomStringConvertible {
  public let id: ManagedObjectID
  public let entity: String
  public let isOfThisStore: Bool
  public var code: Int { 133_000 }

  init(id: ManagedObjectID, isOfThisStore: Bool, in model: Model) {
    self.id = id
    self.isOfThisStore = isOfThisStore
    let index = Int(id.entityIndex)
    entity = model.entities.indices.contains(index) ? model.entities[index].name : "unknown"
  }

  public var description: String {
    guard isOfThisStore else {
      return "the ID belongs to another store; use a context of that store"
    }
    return id.isTemporary
      ? "this context has no object of '\(entity)' with this temporary ID; save the context that made it"
      : "'\(entity)' has no row with key \(id.number); it was deleted"
  }
}

extension ManagedObjectContext {
  /// In no order.
  public var registeredObjects: [ManagedObject] {
    assertOnQueue()
    return registry.objects
  }

  /// Does no I/O.
  public func registeredObject(for id: ManagedObjectID) -> ManagedObject? {
    assertOnQueue()
    return object(registeredFor: id)
  }

  /// The registered objects with these IDs, in the order of the IDs. Other IDs are skipped. Does no
  /// I/O. Faster than single lookups.
  public func registeredObjects(for ids: [ManagedObjectID]) -> [ManagedObject] {
    assertOnQueue()
    return objects(registeredFor: ids).compactMap(\.self)
  }

  /// The registered object, or a new fault. Does no I/O.
  public func object(with id: ManagedObjectID) -> ManagedObject {
    assertOnQueue()
    if let object = object(registeredFor: id) { return object }
    return registerFault(id)
  }

  /// The realised object; reads its row if needed. A deleted object still exists until its deletion
  /// is saved, as in Core Data (github.com/RestKit/RestKit/pull/2339).
  ///
  /// - Throws: `ObjectNotFound`; the store's read errors.
  public func existingObject(with id: ManagedObjectID) throws -> ManagedObject {
    assertOnQueue()
    let missing = ObjectNotFound(id: id, isOfThisStore: id.isOf(store: storeNumber), in: model)
    guard missing.isOfThisStore else { throw missing }
    let id = currentID(of: id)
    let known = currentObject(registeredFor: id)
    if let known, !known.isFault {
      guard !known.state.contains(.deletedByMerge) else { throw missing }
      return known
    }
    guard let snapshot = try snapshotFromParent(of: known?.objectID ?? id) else { throw missing }
    let object = known ?? registerFault(id)
    realise(object, with: snapshot)
    return object
  }

  func object(registeredFor id: ManagedObjectID) -> ManagedObject? {
    if let object = registry[id] { return object }
    guard id.isTemporary, let permanent = permanentIDs[id] else { return nil }
    return registry[permanent]
  }

  /// Also finds an object by a permanent ID that an ancestor gave it since the last visit.
  func currentObject(registeredFor id: ManagedObjectID) -> ManagedObject? {
    if let object = object(registeredFor: id) { return object }
    guard sharesTemporaryIDs, !id.isTemporary else { return nil }
    adoptAllPermanentIDs()
    return object(registeredFor: id)
  }

  func objects(registeredFor ids: [ManagedObjectID]) -> [ManagedObject?] {
    permanentIDs.isEmpty || !ids.contains(where: \.isTemporary)
      ? registry.objects(for: ids) : ids.map { object(registeredFor: $0) }
  }

  /// Makes the next save check this object's row for changes by other contexts, even if the object
  /// is unchanged here.
  public func detectConflicts(for object: ManagedObject) {
    assertOnQueue()
    object.fireFault()
    watched.insert(object)
  }

  /// - Precondition: the ID is of this context's store. Core Data raises an exception for another
  ///   one (github.com/xmartlabs/XLDataLoader/issues/21).
  func registerFault(_ id: ManagedObjectID) -> ManagedObject {
    if !id.isOf(store: storeNumber) { stopForeign(id) }
    let object = ManagedObject(id, model.resolved[Int(id.entityIndex)], link: link, snapshot: nil)
    if register(object) { coordinator.register([id]) }
    return object
  }

  func stopForeign(_ id: ManagedObjectID) -> Never {
    fatalError(
      "the ID of an object of another store was used in context '\(name)': \(id); use a context of"
        + " that store")
  }

  func register(_ object: ManagedObject) -> Bool {
    if retainsRegisteredObjects { retained.insert(object) }
    return registry.add(object)
  }

  /// - Returns: the IDs that already had entries.
  func register(_ newObjects: NewObjects, among objects: [ManagedObject]) -> [ManagedObjectID] {
    if retainsRegisteredObjects { retained.formUnion(objects) }
    return registry.add(newObjects)
  }

  /// Removes the entries of deallocated objects, and their registrations in the row cache.
  func sweepRegistry() {
    let dead = link.takeDead()
    guard !dead.isEmpty else { return }
    let gone = registry.sweep(dead)
    if !gone.isEmpty { coordinator.unregister(gone) }
    forgetPrefetched(for: dead)
  }
}
