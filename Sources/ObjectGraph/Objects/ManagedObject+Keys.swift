extension ManagedObject {
  /// Reading fires the fault; setting marks the object updated.
  ///
  /// Inlinable, so that a caller with a key of a known type reads its value without a call.
  @inlinable
  public subscript<V>(key: AttributeKey<V>) -> V {
    get {
      prepareToRead()
      return V(row.current[key.index])
    }
    set { self[key.index] = newValue.value }
  }

  /// The target, possibly a fault. Reading fires this object's fault; setting also changes the
  /// inverse, and marks both objects updated.
  ///
  /// - Precondition: the new target is of this context and of the destination's entity.
  public subscript(key: ToOneKey) -> ManagedObject? {
    get {
      guard case .object(let id) = self[key.index] else { return nil }
      return contextToRead.object(with: id)
    }
    set { liveContext.setToOne(of: self, at: key.index, to: newValue) }
  }

  /// The targets, possibly faults. The first access reads their IDs from the parent or from SQLite.
  public subscript(key: ToManyKey) -> Set<ManagedObject> {
    get {
      let context = contextToRead
      return Set(context.relatedIDs(of: self, at: key.index).map { context.object(with: $0) })
    }
    set {
      let old = self[key]
      for object in old.subtracting(newValue) { remove(object, from: key) }
      for object in newValue.subtracting(old) { add(object, to: key) }
    }
  }

  /// Also changes the inverse. Reads no members.
  ///
  /// - Precondition: the object is of this context and of the destination's entity.
  public func add(_ object: ManagedObject, to key: ToManyKey) {
    liveContext.set(object, isMember: true, of: self, at: key.index)
  }

  /// Does not read the members.
  public func remove(_ object: ManagedObject, from key: ToManyKey) {
    liveContext.set(object, isMember: false, of: self, at: key.index)
  }

  /// Creates no objects.
  public func objectIDs(_ key: ToManyKey) -> Set<ManagedObjectID> {
    contextToRead.relatedIDs(of: self, at: key.index)
  }

  /// The IDs added or removed since the last fetch or save. Reads nothing.
  public func changedObjectIDs(_ key: ToManyKey) -> Set<ManagedObjectID> {
    assertOnQueue("changedObjectIDs of an object")
    return changedObjectIDs(at: key.index)
  }

  package func changedObjectIDs(at index: Int) -> Set<ManagedObjectID> {
    isFault ? [] : toMany[index].added.union(toMany[index].removed)
  }

  /// Whether the members have not been read.
  public func hasFault(for key: ToManyKey) -> Bool {
    assertOnQueue("hasFault of an object")
    return isFault || toMany[key.index].isFault
  }
}

extension ManagedObject: Hashable {
  /// Two contexts have different objects for one ID.
  public static func == (a: ManagedObject, b: ManagedObject) -> Bool { a === b }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
