extension ManagedObject {
  /// The object that a to-one relationship leads to, perhaps a fault; nil if there is none. Fires the
  /// fault if this object is one, but not the target's.
  ///
  /// Setting maintains the other side at once, and marks both objects updated.
  /// - Precondition: a target that is set is of this context and of the destination's entity.
  public subscript(key: ToOneKey) -> ManagedObject? {
    get {
      guard case .object(let id) = self[key.index] else { return nil }
      return liveContext.object(with: id)
    }
    set { liveContext.setToOne(of: self, at: key.index, to: newValue) }
  }

  /// The objects in a to-many relationship, perhaps faults. The relationship is a fault of its own:
  /// the first access goes to the level above, or to SQLite.
  ///
  /// Setting adds and removes what differs.
  public subscript(key: ToManyKey) -> Set<ManagedObject> {
    get {
      let context = liveContext
      return Set(context.relatedIDs(of: self, at: key.index).map { context.object(with: $0) })
    }
    set {
      let old = self[key]
      for object in old.subtracting(newValue) { remove(object, from: key) }
      for object in newValue.subtracting(old) { add(object, to: key) }
    }
  }

  /// Adds an object to a to-many relationship, without reading it. Maintains the other side at once.
  ///
  /// - Precondition: the object is of this context and of the destination's entity.
  public func add(_ object: ManagedObject, to key: ToManyKey) {
    liveContext.relate(self, at: key.index, to: object)
  }

  /// Takes an object out of a to-many relationship, without reading it.
  public func remove(_ object: ManagedObject, from key: ToManyKey) {
    liveContext.unrelate(self, at: key.index, from: object)
  }

  /// The IDs in a to-many relationship, without making objects of them.
  public func objectIDs(_ key: ToManyKey) -> Set<ManagedObjectID> {
    liveContext.relatedIDs(of: self, at: key.index)
  }

  /// Who was added to a to-many relationship or taken out of it since the last fetch or save. Reads
  /// nothing.
  public func changedObjectIDs(_ key: ToManyKey) -> Set<ManagedObjectID> {
    isFault ? [] : toMany[key.index].added.union(toMany[key.index].removed)
  }

  /// Whether the members of a to-many relationship are still to be read.
  public func hasFault(for key: ToManyKey) -> Bool {
    isFault || toMany[key.index].isFault
  }
}

extension ManagedObject: Hashable {
  /// Two references to one object; not two objects of one ID in two contexts.
  public static func == (a: ManagedObject, b: ManagedObject) -> Bool { a === b }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
