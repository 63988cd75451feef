import Queues

/// The coalesced changes of a context since the last such notification. `processPendingChanges`
/// delivers them on the context's queue.
public struct ObjectsDidChange {
  public internal(set) var inserted: [ManagedObject] = []
  public internal(set) var updated: [ManagedObject] = []
  public internal(set) var deleted: [ManagedObject] = []
  /// Objects that a merge or a refresh brought up to date. They are not edits of this context.
  public internal(set) var refreshed: [ManagedObject] = []

  /// Objects inserted and deleted in one event. Only a list that was fetched in between has them.
  var vanished: [ManagedObject] = []

  /// Whether a reset invalidated every object of the context. The other lists are then empty.
  public internal(set) var invalidatedAll = false

  var isEmpty: Bool {
    !invalidatedAll && inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty
  }

  mutating func reserve(for batch: ContiguousArray<ManagedObject>) {
    var (insertions, updates, deletions, refreshes) = (0, 0, 0, 0)
    for object in batch {
      let state = object.state
      if state.contains(.newlyInserted) { insertions += 1 }
      if state.contains(.newlyUpdated) { updates += 1 }
      if state.contains(.newlyDeleted) { deletions += 1 }
      if state.contains(.newlyRefreshed) { refreshes += 1 }
    }
    inserted.reserveCapacity(insertions)
    updated.reserveCapacity(updates)
    deleted.reserveCapacity(deletions)
    refreshed.reserveCapacity(refreshes)
  }
}

/// The changes that a context saved. Posted on its queue; another queue may merge it.
///
/// As in Core Data, it retains the context and the saved objects, and so their rows in the row
/// cache. A merge soon after the save then needs no SQLite read. The thread that releases it last
/// deallocates those objects.
// @unchecked: the objects are only retained and never read; the rest is immutable.
public struct DidSave: @unchecked Sendable {
  /// The context that saved. Compare it to ignore a context's own saves.
  public let context: ManagedObjectContext
  /// The IDs are permanent if the context saved to a coordinator. Otherwise they are the parent's,
  /// which may be temporary.
  public let changes: ChangedObjectIDs
  /// The save's position in the store's history. Nil from a child, and if the store keeps no
  /// history.
  public let historyToken: HistoryToken?
  /// How often deleted rows had come back before this save.
  let returnsBefore: Int
  private let keptAlive: ContiguousArray<ManagedObject>

  /// A notification built from parts of one or several saves of a context, to be merged like any
  /// other. (In Core Data: a notification posted with a custom user info.) The caller must retain
  /// the saved objects if their cached rows are needed.
  public init(of changes: ChangedObjectIDs, by context: ManagedObjectContext) {
    self.init(of: changes, by: context, returnsBefore: 0, keepingAlive: [])
  }

  init(
    of changes: ChangedObjectIDs, by context: ManagedObjectContext,
    historyToken: HistoryToken? = nil, returnsBefore: Int,
    keepingAlive objects: ContiguousArray<ManagedObject>
  ) {
    self.context = context
    self.changes = changes
    self.historyToken = historyToken
    self.returnsBefore = returnsBefore
    keptAlive = objects
  }

  public var inserted: [ManagedObjectID] { changes.inserted }
  public var updated: [ManagedObjectID] { changes.updated }
  public var deleted: [ManagedObjectID] { changes.deleted }
}

/// The result of a merge in a context. Posted on its queue, after the objects-did-change.
public struct DidMergeChanges: Sendable {
  public let inserted: [ManagedObjectID]
  /// Realised objects that took the new row. After an automatic merge some may be faults, if their
  /// rows could not be read.
  public let refreshed: [ManagedObjectID]
  public let deleted: [ManagedObjectID]
}

/// Identifies an observation. Pass it to `stopObserving`.
public struct Observation {
  fileprivate let number: Int
}

struct ContextObservers {
  /// The observers of one kind of event, in the order in which they were added.
  struct List<Event> {
    fileprivate var observers: [(number: Int, body: (Event) -> Void)] = []

    var isEmpty: Bool { observers.isEmpty }

    func post(_ event: Event) {
      for observer in observers { observer.body(event) }
    }
  }

  private var lastNumber = 0
  fileprivate(set) var didChange = List<ObjectsDidChange>()
  fileprivate(set) var didMerge = List<DidMergeChanges>()
  fileprivate(set) var willSave = List<Void>()
  fileprivate(set) var didSave = List<DidSave>()

  fileprivate mutating func add<Event>(
    _ body: @escaping (Event) -> Void, to list: WritableKeyPath<ContextObservers, List<Event>>
  ) -> Observation {
    lastNumber += 1
    self[keyPath: list].observers.append((lastNumber, body))
    return Observation(number: lastNumber)
  }

  fileprivate mutating func remove(_ observation: Observation) {
    didChange.observers.removeAll { $0.number == observation.number }
    didMerge.observers.removeAll { $0.number == observation.number }
    willSave.observers.removeAll { $0.number == observation.number }
    didSave.observers.removeAll { $0.number == observation.number }
  }
}

/// The contexts that automatically merge saves into one coordinator or parent.
///
/// Any thread may call it. Each context merges later, on its own queue.
public final class SaveListeners: Sendable {
  private let listeners = Lock<[WeakContext]>([])

  public init() {}

  func add(_ context: ManagedObjectContext) {
    listeners.withLock { listeners in
      listeners.removeAll { $0.context == nil }
      listeners.append(WeakContext(context: context))
    }
  }

  /// The number of listeners. Some of their contexts may be deallocated.
  package var count: Int { listeners.withLock { $0.count } }

  func remove(_ context: ManagedObjectContext) {
    listeners.withLock { $0.removeAll { $0.context == nil || $0.context === context } }
  }

  func notify(_ save: DidSave) {
    for context in listeners.withLock({ $0.compactMap(\.context) }) where context !== save.context {
      context.perform { context.mergeAutomatically(fromContextDidSave: save) }
    }
  }
}

extension ManagedObjectContext {
  /// Calls `body` on this context's queue with each coalesced change.
  @discardableResult
  public func observeObjectsDidChange(_ body: @escaping (ObjectsDidChange) -> Void) -> Observation {
    assertMaySetUp()
    return observeAllChanges { if !$0.isEmpty { body($0) } }
  }

  /// Also calls `body` with changes that have vanished objects alone.
  func observeAllChanges(_ body: @escaping (ObjectsDidChange) -> Void) -> Observation {
    assertMaySetUp()
    return observers.add(body, to: \.didChange)
  }

  /// Calls `body` on this context's queue before a save writes anything.
  @discardableResult
  public func observeWillSave(_ body: @escaping () -> Void) -> Observation {
    assertMaySetUp()
    return observers.add({ _ in body() }, to: \.willSave)
  }

  /// Calls `body` on this context's queue after each successful save, even an empty one.
  @discardableResult
  public func observeDidSave(_ body: @escaping (DidSave) -> Void) -> Observation {
    assertMaySetUp()
    return observers.add(body, to: \.didSave)
  }

  /// Calls `body` on this context's queue after each merge of another context's save.
  @discardableResult
  public func observeDidMerge(_ body: @escaping (DidMergeChanges) -> Void) -> Observation {
    assertMaySetUp()
    return observers.add(body, to: \.didMerge)
  }

  public func stopObserving(_ observation: Observation) {
    assertMaySetUp()
    removeObserver(observation)
  }

  /// Like `stopObserving`, for deinitialisers, which may run on any queue.
  func removeObserver(_ observation: Observation) { observers.remove(observation) }
}
