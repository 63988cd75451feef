/// What changed in a context since the last time, coalesced; delivered on its queue by
/// `processPendingChanges`.
public struct ObjectsDidChange {
  public internal(set) var inserted: [ManagedObject] = []
  public internal(set) var updated: [ManagedObject] = []
  public internal(set) var deleted: [ManagedObject] = []
  /// Brought up to date by a merge or a refresh: not edits of this context.
  public internal(set) var refreshed: [ManagedObject] = []

  /// Every object of the context was let go of by a reset; the other sets are empty.
  public internal(set) var invalidatedAll = false

  var isEmpty: Bool {
    !invalidatedAll && inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty
  }

  /// Room for what these objects' news will come to, at most.
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

/// What a context saved. Posted on its queue; may be handed to another queue to be merged there.
///
/// As in Core Data, it keeps the context and the saved objects alive, and with them their rows in the
/// row cache, so that whoever merges it soon need not go to SQLite. Whoever lets go of it last pays
/// for their end.
// @unchecked: the objects are only kept alive and never read; the rest is immutable.
public struct DidSave: @unchecked Sendable {
  /// Whose save it was, so that a context can ignore its own.
  public let context: ManagedObjectContext
  /// Permanent if the context saved to a coordinator, otherwise as the parent knows them.
  public let inserted: [ManagedObjectID]
  public let updated: [ManagedObjectID]
  public let deleted: [ManagedObjectID]
  /// The save's place in the store's history; nil from a child, and where no history is kept.
  public let historyToken: HistoryToken?
  private let keptAlive: ContiguousArray<ManagedObject>

  /// A notification made by hand, of some of what one save or several of a context changed (in Core
  /// Data: one posted with a user info of one's own). To be merged like any other; whoever makes it
  /// keeps alive what the saves kept.
  public init(of changes: ChangedObjectIDs, by context: ManagedObjectContext) {
    self.init(changes, of: SentChanges(objects: []), by: context)
  }

  init(_ saved: ChangedObjectIDs, of sent: SentChanges, by context: ManagedObjectContext) {
    self.context = context
    inserted = saved.inserted
    updated = saved.updated
    deleted = saved.deleted
    historyToken = sent.historyToken
    keptAlive = sent.objects
  }
}

/// What a merge did in a context. Posted on its queue, after the objects-did-change.
public struct DidMergeChanges: Sendable {
  public let inserted: [ManagedObjectID]
  /// Objects that were realised here and show the new row now (or are faults, where an automatic merge
  /// could not read it).
  public let refreshed: [ManagedObjectID]
  public let deleted: [ManagedObjectID]
}

/// Ends an observation when told to.
public struct Observation {
  fileprivate let number: Int
}

/// Who is told what a context does. Used on the context's queue.
struct ContextObservers {
  private var lastNumber = 0
  fileprivate(set) var didChange: [Int: (ObjectsDidChange) -> Void] = [:]
  fileprivate(set) var didMerge: [Int: (DidMergeChanges) -> Void] = [:]
  fileprivate(set) var willSave: [Int: () -> Void] = [:]
  fileprivate(set) var didSave: [Int: (DidSave) -> Void] = [:]

  fileprivate mutating func add<Body>(
    _ body: Body, to list: WritableKeyPath<ContextObservers, [Int: Body]>
  ) -> Observation {
    lastNumber += 1
    self[keyPath: list][lastNumber] = body
    return Observation(number: lastNumber)
  }

  fileprivate mutating func remove(_ observation: Observation) {
    didChange[observation.number] = nil
    didMerge[observation.number] = nil
    willSave[observation.number] = nil
    didSave[observation.number] = nil
  }

  /// In the order in which they were added.
  static func inOrder<Body>(_ list: [Int: Body]) -> [Body] {
    list.count < 2 ? Array(list.values) : list.sorted { $0.key < $1.key }.map(\.value)
  }
}

extension ManagedObjectContext {
  /// Calls `body` on this context's queue with each coalesced change.
  @discardableResult
  public func observeObjectsDidChange(_ body: @escaping (ObjectsDidChange) -> Void) -> Observation {
    observers.add(body, to: \.didChange)
  }

  /// Calls `body` on this context's queue before each save writes anything.
  @discardableResult
  public func observeWillSave(_ body: @escaping () -> Void) -> Observation {
    observers.add(body, to: \.willSave)
  }

  /// Calls `body` on this context's queue after each save that succeeded, also an empty one.
  @discardableResult
  public func observeDidSave(_ body: @escaping (DidSave) -> Void) -> Observation {
    observers.add(body, to: \.didSave)
  }

  /// Calls `body` on this context's queue after each merge of another context's save.
  @discardableResult
  public func observeDidMerge(_ body: @escaping (DidMergeChanges) -> Void) -> Observation {
    observers.add(body, to: \.didMerge)
  }

  public func stopObserving(_ observation: Observation) {
    observers.remove(observation)
  }

  var isAnyoneToldOfChanges: Bool { !observers.didChange.isEmpty }

  func post(_ change: ObjectsDidChange) {
    for body in ContextObservers.inOrder(observers.didChange) { body(change) }
  }

  func post(_ merge: DidMergeChanges) {
    for body in ContextObservers.inOrder(observers.didMerge) { body(merge) }
  }

  func postWillSave() {
    for body in ContextObservers.inOrder(observers.willSave) { body() }
  }

  func post(_ save: DidSave) {
    for body in ContextObservers.inOrder(observers.didSave) { body(save) }
  }
}
