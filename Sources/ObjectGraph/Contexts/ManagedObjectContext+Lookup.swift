/// No row has this ID, or it names an object that only another context knows (Core Data's 133000).
public struct ObjectNotFound: Error, Sendable, Equatable, CustomStringConvertible {
  public let id: ManagedObjectID
  public let entity: String
  public var code: Int { 133_000 }

  public var description: String {
    id.isTemporary
      ? "the temporary ID of '\(entity)' is of another context; obtain permanent IDs or save first"
      : "'\(entity)' has no row of key \(id.number); it was deleted"
  }
}

extension ManagedObjectContext {
  /// The objects of this context that are alive, in no order.
  public var registeredObjects: [ManagedObject] {
    assertOnQueue()
    return registry.objects
  }

  /// The object of this ID if it is registered; never does I/O.
  public func registeredObject(for id: ManagedObjectID) -> ManagedObject? {
    assertOnQueue()
    return object(registeredFor: id)
  }

  /// The object of this ID, registered or else as a fault; never does I/O, and may turn out to be
  /// gone when its fault fires.
  public func object(with id: ManagedObjectID) -> ManagedObject {
    assertOnQueue()
    if let object = object(registeredFor: id) { return object }
    return registerFault(id)
  }

  /// The object of this ID, realised; reads its row if need be.
  ///
  /// - Throws: `ObjectNotFound` if there is no such object; what the store throws.
  public func existingObject(with id: ManagedObjectID) throws -> ManagedObject {
    assertOnQueue()
    let missing = ObjectNotFound(id: id, entity: model.entities[Int(id.entityIndex)].name)
    let id = currentID(of: id)
    let known = currentObject(registeredFor: id)
    if let known, !known.isFault {
      guard !known.isDeleted else { throw missing }
      return known
    }
    guard let snapshot = try snapshotFromParent(of: known?.objectID ?? id) else { throw missing }
    let object = known ?? registerFault(id)
    fill(object, with: snapshot)
    return object
  }

  func object(registeredFor id: ManagedObjectID) -> ManagedObject? {
    if let object = registry[id] { return object }
    guard id.isTemporary, let permanent = settledIDs[id] else { return nil }
    return registry[permanent]
  }

  /// As `object(registeredFor:)`, also if the ID is one that an object here was given on a level below
  /// since this context last looked.
  func currentObject(registeredFor id: ManagedObjectID) -> ManagedObject? {
    if let object = object(registeredFor: id) { return object }
    guard sharesTemporaryIDs, !id.isTemporary else { return nil }
    followAllPermanentIDs()
    return object(registeredFor: id)
  }

  /// As `object(registeredFor:)`, for many.
  func objects(registeredFor ids: [ManagedObjectID]) -> [ManagedObject?] {
    guard settledIDs.isEmpty else { return ids.map { object(registeredFor: $0) } }
    return registry.objects(for: ids)
  }

  /// Asks that the next save fail (or be resolved by the merge policy) if another context changed the
  /// row of this object, even if this one does not.
  public func detectConflicts(for object: ManagedObject) {
    assertOnQueue()
    object.fireFault()
    watched.insert(object)
  }

  func registerFault(_ id: ManagedObjectID) -> ManagedObject {
    let object = ManagedObject(
      id, model.resolved[Int(id.entityIndex)], link: link, snapshot: nil)
    if register(object) { coordinator.register([id]) }
    return object
  }

  /// - Returns: whether the ID had no entry before, so that the row cache must count it.
  func register(_ object: ManagedObject) -> Bool {
    if retainsRegisteredObjects { retained.insert(object) }
    return registry.add(object)
  }

  /// As `register`, for new objects of different IDs.
  ///
  /// - Parameter objects: who they are; also some that were registered before.
  /// - Returns: the IDs that had entries before.
  func register(_ recruits: Recruits, among objects: [ManagedObject]) -> [ManagedObjectID] {
    if retainsRegisteredObjects { retained.formUnion(objects) }
    return registry.add(recruits)
  }

  /// Drops the entries of objects that died since, and with them their claim on the row cache.
  func sweepRegistry() {
    let dead = link.exhume()
    guard !dead.isEmpty else { return }
    let gone = registry.sweep(dead)
    if !gone.isEmpty { coordinator.unregister(gone) }
    forgetPrefetched(for: dead)
  }
}
