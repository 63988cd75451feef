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
    let known = object(registeredFor: id)
    if let known, !known.isFault { return try alive(known, or: missing) }
    let snapshot = try snapshotFromParent(of: known?.objectID ?? id)
    // By looking, this context may have learned that an object here has this ID.
    let learned = known ?? object(registeredFor: id)
    if let learned, !learned.isFault { return try alive(learned, or: missing) }
    guard let snapshot else { throw missing }
    let object = learned ?? registerFault(id)
    fill(object, with: snapshot)
    return object
  }

  private func alive(
    _ object: ManagedObject, or missing: ObjectNotFound
  ) throws(ObjectNotFound) -> ManagedObject {
    guard !object.isDeleted else { throw missing }
    return object
  }

  func object(registeredFor id: ManagedObjectID) -> ManagedObject? {
    if let object = registry[id] { return object }
    guard id.isTemporary, let permanent = settledIDs[id] else { return nil }
    return registry[permanent]
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
  /// - Returns: the IDs that had entries before.
  func register(_ objects: [ManagedObject]) -> [ManagedObjectID] {
    if retainsRegisteredObjects { retained.formUnion(objects) }
    return registry.add(objects)
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
