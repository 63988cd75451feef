/// One row's object in one context.
///
/// It is either *realised* (its values are here) or a *fault* (only its ID is; the first access
/// brings the values). Use it on its context's queue only; pass its `objectID` elsewhere.
///
/// A clean object shares its values with its committed snapshot and with the row cache; the first
/// write gives it a buffer of its own.
public final class ManagedObject {
  package let resolved: ResolvedEntity
  let link: ContextLink

  // Exclusive access is not checked at run time: an object is used on one queue, and nothing is
  // called while one of these is being changed. (The checks are 5 % of a fetch that is read.)

  /// Changes when a save to the coordinator turns a temporary ID into a permanent one.
  @exclusivity(unchecked) public internal(set) var objectID: ManagedObjectID
  /// Where the registry finds this object; negative before it is registered.
  @exclusivity(unchecked) var slot: Int32 = -1
  /// Empty while a fault.
  @exclusivity(unchecked) @usableFromInline var row: ObjectRow
  /// The to-many relationships as this context sees them; empty while a fault.
  @exclusivity(unchecked) var toMany: ContiguousArray<ToManySet> = []
  /// The attributes set since the last fetch or save, also those set to what they were.
  @exclusivity(unchecked) var touched: AttributeMask = []
  @exclusivity(unchecked) var state: ObjectState

  init(
    _ objectID: ManagedObjectID, _ resolved: ResolvedEntity, link: ContextLink,
    snapshot: RowSnapshot?
  ) {
    self.objectID = objectID
    self.resolved = resolved
    self.link = link
    self.row = ObjectRow(snapshot)
    self.state = snapshot == nil ? .fault : []
    if snapshot != nil { refaultToMany() }
  }

  /// Dies on whatever thread lets go of it last; its entry leaves the registry later, on the
  /// context's own queue.
  deinit {
    if slot >= 0 { link.buried(objectID, slot: slot) }
  }

  /// The values as this context sees them; empty while a fault.
  var values: ContiguousArray<Value> {
    get { row.current }
    _modify { yield &row.values }
  }

  /// The row as last fetched or saved; nil if never saved, or a fault.
  var committed: RowSnapshot? {
    get { row.committed }
    set { row.committed = newValue }
  }

  public var entity: Entity { resolved.entity }

  /// The context that registers this object; nil once that is gone, or has deleted it and saved.
  public var context: ManagedObjectContext? { state.contains(.gone) ? nil : link.context }

  public var isFault: Bool { state.contains(.fault) }
  public var isInserted: Bool { state.contains(.inserted) }
  public var isUpdated: Bool { state.contains(.updated) }
  public var isDeleted: Bool { state.contains(.deleted) }

  /// Whether a save of this context would send this object anywhere. Setting an attribute counts,
  /// even to the value that it had.
  public var hasChanges: Bool { !state.isDisjoint(with: [.inserted, .updated, .deleted]) }

  /// As `hasChanges`, but for what is deleted because its row is gone already.
  var isPending: Bool { hasChanges && !state.contains(.deletedByMerge) }

  /// Whether a stored property differs from what was last fetched or saved.
  public var hasPersistentChangedValues: Bool {
    !persistentChanges.subtracting(resolved.transients).isEmpty
      || toMany.contains(where: \.hasChanges)
  }

  /// The attribute of this key; fires the fault if this is one. Setting marks the object updated.
  ///
  /// Inlinable, so that a key of a known type reads its value in place.
  @inlinable
  public subscript<V>(key: AttributeKey<V>) -> V {
    get {
      prepareToRead()
      return V(row.current[key.index])
    }
    set { self[key.index] = newValue.value }
  }

  @usableFromInline
  func prepareToRead() {
    assertOnQueue("reading an object")
    if isFault { realise() }
  }

  /// The value of the attribute at this index; fires the fault if this is one.
  ///
  /// Setting marks the object updated.
  /// - Precondition: a value that is set is of the attribute's type, or null.
  public subscript(index: Int) -> Value {
    get {
      prepareToRead()
      return values[index]
    }
    set {
      precondition(
        resolved.accepts(newValue, at: index),
        "'\(entity.name).\(entity.columns[index].name)' cannot be set to \(newValue)")
      if resolved.hasRelationships, resolved.toOne[index] != nil {
        let context = liveContext
        context.setToOne(of: self, at: index, to: newValue.objectID.map(context.object(with:)))
      } else {
        write(newValue, at: index)
      }
    }
  }

  /// Sets a column without looking at the other side of a relationship.
  func write(_ value: Value, at column: Int) {
    if isFault { realise() }
    let context = liveContext
    context.willChange(self)
    values[column] = value
    touched.insert(AttributeMask(index: column))
    context.noteUpdated(self)
  }

  /// Sets a column without marking the object changed: nothing is announced, and only a save for
  /// another reason sends it (Core Data's primitive setter).
  public func setPrimitiveValue(_ value: Value, at column: Int) {
    precondition(entity.columns[column].accepts(value))
    if isFault { realise() }
    values[column] = value
    touched.insert(AttributeMask(index: column))
  }

  /// All to-many relationships are still to be read.
  func refaultToMany() {
    guard !resolved.toMany.isEmpty else { return }
    toMany = ContiguousArray(repeating: .fault, count: resolved.toMany.count)
  }

  /// The attributes that differ from the committed row; all of them for a new object.
  var persistentChanges: AttributeMask { row.changes(among: touched) }

  var liveContext: ManagedObjectContext {
    guard let context else {
      preconditionFailure(
        "an object of '\(entity.name)' was used after its context was released or had deleted it")
    }
    return context
  }

  func realise() {
    liveContext.fulfillFault(self)
  }
}

/// Where an object stands in its context. Flags, so that asking costs no lookup.
struct ObjectState: OptionSet {
  let rawValue: UInt16

  /// Only the ID is known.
  static let fault = ObjectState(rawValue: 1 << 0)
  // Against the store or the parent: what a save would send.
  static let inserted = ObjectState(rawValue: 1 << 1)
  static let updated = ObjectState(rawValue: 1 << 2)
  static let deleted = ObjectState(rawValue: 1 << 3)
  /// Deleted by a merge: the row is gone already, a save has nothing to send.
  static let deletedByMerge = ObjectState(rawValue: 1 << 4)
  /// Deleted and saved, or inserted and deleted: no longer this context's.
  static let gone = ObjectState(rawValue: 1 << 5)

  // Since the last objects-did-change.
  static let newlyInserted = ObjectState(rawValue: 1 << 6)
  static let newlyUpdated = ObjectState(rawValue: 1 << 7)
  static let newlyDeleted = ObjectState(rawValue: 1 << 8)
  static let newlyRefreshed = ObjectState(rawValue: 1 << 9)

  /// In the context's list of changed objects.
  static let listedAsChanged = ObjectState(rawValue: 1 << 10)
  /// In the context's list of objects to announce.
  static let listedAsNews = ObjectState(rawValue: 1 << 11)
  /// Scratch, for one pass over a list at a time.
  static let marked = ObjectState(rawValue: 1 << 12)
  /// Never saved and deleted: gone as soon as the delete rules have been applied.
  static let vanishing = ObjectState(rawValue: 1 << 13)
  /// The save under way updates its row.
  static let sent = ObjectState(rawValue: 1 << 14)

  static let news: ObjectState = [.newlyInserted, .newlyUpdated, .newlyDeleted, .newlyRefreshed]
}

extension ManagedObject {
  /// The stored properties that differ from what was last fetched or saved, with their values here:
  /// attributes and to-one relationships by name.
  public var changedValues: [String: Value] {
    prepareToRead()
    var changes: [String: Value] = [:]
    persistentChanges.forEachIndex { changes[entity.columns[$0].name] = values[$0] }
    return changes
  }

  /// The values as last fetched or saved, in the order of the entity's columns; nil if the object was
  /// never saved.
  public var committedValues: ContiguousArray<Value>? {
    prepareToRead()
    return committed?.values
  }

  /// All values, in the order of the entity's attributes; fires the fault if this is one.
  public var allValues: ContiguousArray<Value> {
    prepareToRead()
    return values
  }

  /// Realises this object if it is a fault, as reading any attribute would.
  public func fireFault() {
    if isFault { realise() }
  }
}
