/// The object for one row in one context: *realised*, with its values, or a *fault*, with its ID
/// only.
///
/// The first access reads a fault's values. Use the object on its context's queue only; pass its
/// `objectID` to other queues.
///
/// Example: `Snippets/open-and-save.swift`.
public final class ManagedObject {
  package let resolved: ResolvedEntity
  let link: ContextLink

  // No exclusivity checks at run time: an object is used on one queue, and no other code runs while
  // one of these members changes. (The checks take 5 % of fetching and reading objects.)

  /// A save may replace a temporary ID by a permanent one.
  @exclusivity(unchecked) public internal(set) var objectID: ManagedObjectID
  /// In the registry; negative before registration.
  @exclusivity(unchecked) var slot: Int32 = -1
  @exclusivity(unchecked) @usableFromInline var row: ObjectRow
  /// Empty for a fault.
  @exclusivity(unchecked) var toMany: ContiguousArray<ToManySet> = []
  /// The columns set since the last fetch or save, even to equal values.
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

  /// Runs on the thread that releases the object last.
  deinit {
    if slot >= 0 { link.release(objectID, slot: slot) }
  }

  /// Empty for a fault.
  var values: ContiguousArray<Value> {
    get { row.current }
    _modify { yield &row.values }
  }

  /// Nil for a fault, and for an object never saved.
  var committed: RowSnapshot? {
    get { row.committed }
    set { row.committed = newValue }
  }

  public var entity: Entity { resolved.entity }

  /// Nil if the context was deallocated, or the object has left it.
  public var context: ManagedObjectContext? {
    state.intersection([.removed, .vanished]) == .removed ? nil : link.context
  }

  public var isFault: Bool { state.contains(.fault) }
  public var isInserted: Bool { state.contains(.inserted) }
  public var isUpdated: Bool { state.contains(.updated) }
  public var isDeleted: Bool { state.contains(.deleted) }

  /// Whether a save would send this object. Setting an equal value counts too.
  public var hasChanges: Bool { !state.isDisjoint(with: [.inserted, .updated, .deleted]) }

  /// Like `hasChanges`, but false if the row is gone.
  var isPending: Bool { hasChanges && !state.contains(.deletedByMerge) }

  /// Whether stored properties differ from the last fetch or save.
  public var hasPersistentChangedValues: Bool {
    assertOnQueue("hasPersistentChangedValues of an object")
    return !persistentChanges.subtracting(resolved.transients).isEmpty || changesMembers
  }

  var changesMembers: Bool { toMany.contains(where: \.hasChanges) }

  var hasEdits: Bool { !persistentChanges.isEmpty || changesMembers }

  // `fireFault` only calls this. If the call were inlined, LLVM would find two equal functions and
  // replace one by a jump to the other, which takes 1 % of a fault's time.
  @inline(never) @usableFromInline
  func prepareToRead() {
    assertOnQueue("reading an object")
    if isFault { liveContext.fulfillFault(self) }
  }

  /// Reading fires the fault; setting marks the object updated.
  ///
  /// - Precondition: a new value is null or of the attribute's type.
  public subscript(index: Int) -> Value {
    get {
      prepareToRead()
      return values[index]
    }
    set {
      require(
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

  /// Leaves the inverse relationship as it is.
  func write(_ value: Value, at column: Int) {
    guard canWrite() else { return }
    let context = liveContext
    guard context.processesChanges else {
      values[column] = value
      return
    }
    if let undoManager = context.undoManager {
      undoManager.record(self, column: column, to: value)
    }
    values[column] = value
    touched.insert(AttributeMask(index: column))
    context.noteUpdated(self)
  }

  /// Does not mark the object changed (Core Data's primitive setter). A save sends the value only
  /// with other changes.
  public func setPrimitiveValue(_ value: Value, at column: Int) {
    assertOnQueue("setPrimitiveValue of an object")
    require(
      entity.columns[column].accepts(value),
      "'\(entity.name).\(entity.columns[column].name)' cannot be set to \(value)")
    guard canWrite() else { return }
    values[column] = value
    touched.insert(AttributeMask(index: column))
  }

  /// Fires the fault. False for a vanished object, which ignores what is set.
  @inline(__always)
  private func canWrite() -> Bool {
    if state.isDisjoint(with: [.fault, .vanished]) { return true }
    if isFault { liveContext.fulfillFault(self) }
    return !state.contains(.vanished)
  }

  func refaultToMany() {
    guard !resolved.toMany.isEmpty else { return }
    toMany = ContiguousArray(repeating: .fault, count: resolved.toMany.count)
  }

  /// The columns whose values have changed; all columns of a new object.
  var persistentChanges: AttributeMask { row.changes(among: touched) }

  var liveContext: ManagedObjectContext {
    guard let context else { stopWithoutContext() }
    return context
  }

  /// An object that has left its context keeps its relations, which observers of the deletion read.
  var contextToRead: ManagedObjectContext {
    if !isFault, let context = link.context { return context }
    return liveContext
  }

  // Out of line: the text is long, and every fault and edit asks for the context.
  @inline(never)
  private func stopWithoutContext() -> Never {
    fatalError(
      "an object of '\(entity.name)' was used after a saved deletion, an undo, a rollback, a reset or"
        + " its context's release; fetch it again")
  }
}

struct ObjectState: OptionSet {
  let rawValue: UInt16

  static let fault = ObjectState(rawValue: 1 << 0)
  static let inserted = ObjectState(rawValue: 1 << 1)
  static let updated = ObjectState(rawValue: 1 << 2)
  static let deleted = ObjectState(rawValue: 1 << 3)
  /// The row was found missing. A save sends nothing.
  static let deletedByMerge = ObjectState(rawValue: 1 << 4)
  /// No longer in the context, for instance after its deletion was saved.
  static let removed = ObjectState(rawValue: 1 << 5)

  // Changes since the last objects-did-change.
  static let newlyInserted = ObjectState(rawValue: 1 << 6)
  static let newlyUpdated = ObjectState(rawValue: 1 << 7)
  static let newlyDeleted = ObjectState(rawValue: 1 << 8)
  static let newlyRefreshed = ObjectState(rawValue: 1 << 9)

  /// In the context's `changed`.
  static let listedAsChanged = ObjectState(rawValue: 1 << 10)
  /// In the context's `pendingAnnouncements`.
  static let listedForAnnouncement = ObjectState(rawValue: 1 << 11)
  /// For one pass over a list.
  static let marked = ObjectState(rawValue: 1 << 12)
  /// Deleted and never saved, until the delete rules have been applied.
  static let vanishing = ObjectState(rawValue: 1 << 13)
  /// In the request of the save in progress, which raises the row's version.
  static let sent = ObjectState(rawValue: 1 << 14)
  /// New, deleted and removed, but still used with its context. See `vanish`.
  static let vanished = ObjectState(rawValue: 1 << 15)

  static let announcements: ObjectState = [
    .newlyInserted, .newlyUpdated, .newlyDeleted, .newlyRefreshed,
  ]
}

extension ManagedObject {
  /// The changed columns by name, with their current values.
  public var changedValues: [String: Value] {
    prepareToRead()
    var changes: [String: Value] = [:]
    persistentChanges.forEachIndex { changes[entity.columns[$0].name] = values[$0] }
    return changes
  }

  /// As last fetched or saved; nil for an object never saved.
  public var committedValues: ContiguousArray<Value>? {
    prepareToRead()
    return committed?.values
  }

  /// In the order of the entity's columns. Fires the fault.
  public var allValues: ContiguousArray<Value> {
    prepareToRead()
    return values
  }

  public func fireFault() { prepareToRead() }
}
