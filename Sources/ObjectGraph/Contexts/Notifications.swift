import Queues

/// Posted on the context's queue by `processPendingChanges`.
public struct ObjectsDidChange {
  public internal(set) var inserted: [ManagedObject] = []
  public internal(set) var updated: [ManagedObject] = []
  public internal(set) var deleted: [ManagedObject] = []
  /// Changed by a merge or a refresh, not by an edit of this context.
  public internal(set) var refreshed: [ManagedObject] = []

  /// Objects inserted and deleted in one event. Only a list fetched in between contains them.
  var vanished: [ManagedObject] = []
  /// Inserted objects that were also refreshed. Only a list fetched before contains them.
  var refreshedInsertions: [ManagedObject] = []

  /// By a reset. The lists are then empty.
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

/// Posted on the context's queue; another queue may merge it.
///
/// As in Core Data, it retains the context and the saved objects, and so their cached rows: a merge
/// soon after the save needs no SQLite read. The thread that releases it last deallocates those
/// objects.
///
/// Example: `Snippets/merge-two-contexts.swift`.
// @unchecked: the objects are only retained and never read; the rest is immutable.
public struct DidSave: @unchecked Sendable {
  /// Compare it to ignore a context's own saves.
  public let context: ManagedObjectContext
  /// Permanent IDs after a save to a coordinator. After a save into a parent, the parent's IDs,
  /// which may be temporary.
  public let changes: ChangedObjectIDs
  /// The save's position in the history; nil for a save into a parent or without a history.
  public internal(set) var historyToken: HistoryToken?
  /// The count of `ReturnedRows` before the save.
  var returnsBefore = 0
  var keptAlive: ContiguousArray<ManagedObject> = []

  /// Makes a notification from parts of a context's saves. (In Core Data, it is posted with a
  /// custom user info.) The caller must retain the saved objects if their cached rows are needed.
  /// The result of a batch request goes to `mergeChanges(fromRemoteContextSave:)` instead: it names
  /// no objects whose members changed.
  public init(of changes: ChangedObjectIDs, by context: ManagedObjectContext) {
    self.context = context
    self.changes = changes
  }

  public var inserted: [ManagedObjectID] { changes.inserted }
  public var updated: [ManagedObjectID] { changes.updated }
  public var deleted: [ManagedObjectID] { changes.deleted }
}

/// Posted on the context's queue, after the objects-did-change.
public struct DidMergeChanges: Sendable {
  public let inserted: [ManagedObjectID]
  /// Realised objects that took the new row, or that an automatic merge could not read and made
  /// faults.
  public let refreshed: [ManagedObjectID]
  public let deleted: [ManagedObjectID]
}

/// Pass it to `stopObserving`.
public struct Observation {
  fileprivate let number: Int
}

struct ContextObservers {
  struct List<Event> {
    fileprivate var observers: [(number: Int, body: (Event) -> Void)] = []

    var isEmpty: Bool { observers.isEmpty }

    func post(_ event: Event) {
      for observer in observers { observer.body(event) }
    }
  }

  private var lastNumber = 0
  var didChange = List<ObjectsDidChange>()
  /// The IDs of deleted objects.
  var willMerge = List<[ManagedObjectID]>()
  var didMerge = List<DidMergeChanges>()
  var willSave = List<Void>()
  var didSave = List<DidSave>()

  fileprivate mutating func add<Event>(
    _ body: @escaping (Event) -> Void, to list: WritableKeyPath<ContextObservers, List<Event>>
  ) -> Observation {
    lastNumber += 1
    self[keyPath: list].observers.append((lastNumber, body))
    return Observation(number: lastNumber)
  }

  fileprivate mutating func remove(_ observation: Observation) {
    didChange.observers.removeAll { $0.number == observation.number }
    willMerge.observers.removeAll { $0.number == observation.number }
    didMerge.observers.removeAll { $0.number == observation.number }
    willSave.observers.removeAll { $0.number == observation.number }
    didSave.observers.removeAll { $0.number == observation.number }
  }
}

/// The contexts that automatically merge the saves to one coordinator or parent. Each merges later,
/// on its own queue. Any thread may call this class.
public final class SaveListeners: Sendable {
  private let listeners = Lock<[WeakContext]>([])

  public init() {}

  func set(_ context: ManagedObjectContext, isListening: Bool) {
    #if TOPOBENCH_PLANTED_BUGS
      if PlantedBug.unregisteringRace.isActive, !isListening {
        let others = listeners.withLock { $0.filter { $0.context !== context } }
        return listeners.withLock { $0 = others }
      }
    #endif
    listeners.withLock { listeners in
      listeners.removeAll { $0.context == nil || $0.context === context }
      if isListening { listeners.append(WeakContext(context: context)) }
    }
  }

  /// Some contexts may be deallocated.
  package var count: Int { listeners.withLock { $0.count } }

  func notify(_ save: DidSave) {
    for context in listeners.withLock({ $0.compactMap(\.context) }) where context !== save.context {
      context.perform { context.mergeAutomatically(fromContextDidSave: save) }
    }
  }
}

// Observers run on the context's queue, which is no actor's executor. `@Sendable` keeps them from
// using an actor's state there, as it does for NotificationCenter's observers.

extension ManagedObjectContext {
  /// Calls `body` with each coalesced change, on this context's queue.
  @discardableResult
  public func observeObjectsDidChange(
    _ body: @escaping @Sendable (ObjectsDidChange) -> Void
  ) -> Observation {
    assertMaySetUp()
    return observe(\.didChange) { if !$0.isEmpty { body($0) } }
  }

  /// Calls `body` before a save writes anything, on this context's queue.
  @discardableResult
  public func observeWillSave(_ body: @escaping @Sendable () -> Void) -> Observation {
    assertMaySetUp()
    return observe(\.willSave) { _ in body() }
  }

  /// Calls `body` after each successful save, even an empty one, on this context's queue.
  @discardableResult
  public func observeDidSave(_ body: @escaping @Sendable (DidSave) -> Void) -> Observation {
    assertMaySetUp()
    return observe(\.didSave, body)
  }

  /// Calls `body` after each merge of another context's save, on this context's queue.
  @discardableResult
  public func observeDidMerge(
    _ body: @escaping @Sendable (DidMergeChanges) -> Void
  ) -> Observation {
    assertMaySetUp()
    return observe(\.didMerge, body)
  }

  /// For objects of this module that are used on this context's queue only. A change may have only
  /// vanished objects.
  func observe<Event>(
    _ list: WritableKeyPath<ContextObservers, ContextObservers.List<Event>>,
    _ body: @escaping (Event) -> Void
  ) -> Observation { observers.add(body, to: list) }

  public func stopObserving(_ observation: Observation) {
    assertMaySetUp()
    removeObserver(observation)
  }

  /// For deinitialisers, which cannot check the queue. Release the observer on the context's queue,
  /// or while that queue is idle.
  func removeObserver(_ observation: Observation) { observers.remove(observation) }

  func listenToParent() {
    let listeners =
      switch parent {
      case .coordinator(let coordinator): coordinator.saveListeners
      case .context(let parent): parent.childListeners
      }
    listeners.set(self, isListening: automaticallyMergesChangesFromParent)
  }

  func notifyAutomaticMergers(of save: DidSave) {
    childListeners.notify(save)
    if case .coordinator(let coordinator) = parent { coordinator.saveListeners.notify(save) }
  }
}
