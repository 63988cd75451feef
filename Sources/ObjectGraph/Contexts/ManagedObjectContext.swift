public import Queues

// A context is a working set of objects on one queue, above a coordinator or above another context:
//
//      worker (private queue)            fetch, fault ──▶ through every ancestor that must answer
//         │ save: one level, push-up     save         ──▶ one level
//         ▼
//      main (main queue)                 each arrow up is a performAndWait on the ancestor's queue:
//         │ save                         whoever follows it waits until that queue is free, and
//         ▼                              occupies it until the answer is there
//      coordinator ──▶ SQLite
//
// Its parts: what changed (`ManagedObjectContext+Changes`), relationships (`+Relationships`), deletions
// and their rules (`+Deletion`), fetches (`+Fetch`), faults (`+Faults`), saves (`+Save`, `+Write`,
// `+Validation`), a child's save taken in (`+PushUp`), another context's save (`+Merge`,
// `+AutomaticMerge`), going back (`+Refresh`, `ContextUndoManager`).

/// How old a row of the row cache a refresh may take.
public enum StalenessInterval: Sendable {
  /// Of any age (the default).
  case infinite
  /// None: it reads SQLite.
  case zero
}

/// A working set of managed objects, used on its queue only.
///
/// Follows Core Data's `NSManagedObjectContext` of queue concurrency types.
// @unchecked: every member but the immutable ones is confined to `queue`; the checked mode stops at
// each public door that is entered off it (`assertOnQueue`).
public final class ManagedObjectContext: @unchecked Sendable {
  /// Where a context's fetches go and its saves arrive.
  public enum Parent: Sendable {
    case coordinator(any PersistentStoreCoordinator)
    case context(ManagedObjectContext)
  }

  public let name: String
  public let queue: any SerialQueue
  public let parent: Parent
  /// The coordinator beneath all ancestors.
  public let coordinator: any PersistentStoreCoordinator

  /// What a save does about rows that another context changed. Saves into a parent find no conflicts.
  public var mergePolicy = MergePolicy.error
  /// Takes back changes; none unless one is set.
  @exclusivity(unchecked) public var undoManager: ContextUndoManager?
  /// Whether delete rules apply when pending changes are processed, rather than at the save.
  public var propagatesDeletesAtEndOfEvent = true
  /// Whether a fault whose row is gone reads as deleted, rather than stopping the program.
  public var shouldDeleteInaccessibleFaults = true
  /// Whether `refresh` may take a row from the row cache whatever its age, or goes to SQLite.
  public var stalenessInterval = StalenessInterval.infinite
  /// Whether clean objects stay registered though nobody else holds them.
  public var retainsRegisteredObjects = false {
    didSet { retained = retainsRegisteredObjects ? Set(registry.objects) : [] }
  }
  /// Who this context's saves are by, in the store's history.
  public var transactionAuthor: String?

  // Of those that are asked for each object, exclusive access is not checked at run time: a context is
  // used on one queue, and nothing is called while one of them is being changed. (The checks are 2 %
  // of a background update.)

  let link: ContextLink
  @exclusivity(unchecked) var registry: Registry
  /// Inserted, updated and deleted objects, held strongly; some may have been undone since.
  @exclusivity(unchecked) var changed: ContiguousArray<ManagedObject> = []
  /// Whether some in `changed` have no changes any more.
  var changedHasGaps = false
  /// Deleted objects whose delete rules have not been applied yet.
  var pendingDeletes: [ManagedObject] = []
  /// The IDs of objects whose rows are gone; some of nobody's any more.
  var rowsGone: ContiguousArray<ManagedObjectID> = []
  /// Held only because `retainsRegisteredObjects` says so.
  var retained: Set<ManagedObject> = []
  /// Unchanged objects whose versions the next save compares.
  var watched: Set<ManagedObject> = []
  var mergesAutomatically = false
  /// The state of the store that this is pinned to; nil to none.
  var generation: QueryGenerationToken?
  /// The children that merge what this context saves.
  let childListeners = SaveListeners()
  /// What was prefetched for an object, held as long as that lives.
  var prefetched: [ManagedObjectID: PrefetchedObjects] = [:]
  /// Runs the SQL of asynchronous fetches.
  lazy var asynchronousQueue = PrivateQueue(label: "\(name) fetches")
  /// What the next objects-did-change will announce.
  @exclusivity(unchecked) var news: ContiguousArray<ManagedObject> = []
  /// Which temporary IDs here became permanent.
  @exclusivity(unchecked) var settledIDs = SettledIDs()
  /// Whether a temporary ID was given to an object here since the last save.
  @exclusivity(unchecked) var hasNewObjects = false
  /// Whether something here may name an object by a temporary ID that the parent knows, too. Changes
  /// on the parent's queue.
  var sharesTemporaryIDs = false
  /// How many of the parent's settled IDs this child has followed. Used on the parent's queue.
  var idsFollowed = 0
  var observers = ContextObservers()

  /// Makes a context on `queue`. On a simulated main queue, changes made outside `perform` are
  /// processed at the end of each turn.
  ///
  /// - Parameter isChecked: whether a call off the queue stops the program.
  public init(
    name: String, queue: any SerialQueue, parent: Parent, isChecked: Bool = ConcurrencyDebug.isOn
  ) {
    self.name = name
    self.link = ContextLink(isChecked: isChecked)
    self.registry = Registry(link)
    self.queue = queue
    self.parent = parent
    switch parent {
    case .coordinator(let coordinator): self.coordinator = coordinator
    case .context(let context): self.coordinator = context.coordinator
    }
    link.attach(self)
    if let mainQueue = queue as? any RunLoopQueue {
      mainQueue.addPendingChangesObserver { [weak self] in self?.processPendingChanges() }
    }
  }

  deinit {
    coordinator.unregister(registry.removeAll())
  }

  public var model: Model { coordinator.model }
}

// MARK: - Blocks

extension ManagedObjectContext {
  /// Runs `block` on the queue, behind everything submitted before, and returns at once. Pending
  /// changes are processed when it ends.
  public func perform(_ block: @escaping @Sendable () -> Void) {
    let block = OneShot(block)
    queue.async { [self] in
      Activity.slice(.perform) {
        block.run()
        processPendingChanges()
      }
    }
  }

  /// When a block runs that is handed over from the context's own queue.
  public enum ScheduledTaskType: Sendable {
    /// At once, inline.
    case immediate
    /// Behind everything submitted before.
    case enqueued
  }

  /// As `perform`; where the caller is on the queue already and asks for it, `block` runs inline.
  public func perform(
    schedule: ScheduledTaskType, _ block: @escaping @Sendable () -> Void
  ) {
    guard schedule == .immediate, queue.isCurrent else { return perform(block) }
    block()
  }

  /// Runs `block` on the queue and waits for it; inline if the caller is on it already. On a private
  /// queue it runs on the calling thread. Pending changes are *not* processed when it ends.
  public func performAndWait<R>(_ block: () throws -> R) rethrows -> R {
    try Activity.slice(.perform) {
      try queue.sync(waitingAs: .queue) {
        try Activity.slice(.perform, block)
      }
    }
  }

  /// As `perform`, resuming the caller with what the block returns or throws. Blocks no thread.
  public func perform<R: Sendable>(
    _ block: @escaping @Sendable () throws -> R
  ) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
      perform { continuation.resume(with: Result(catching: block)) }
    }
  }
}

/// A block that is let go of as soon as it has run, so that what dies with it (the objects that a
/// did-save keeps alive, say) dies inside the slice that it belongs to.
// @unchecked: handed to one queue, which runs it once.
private final class OneShot: @unchecked Sendable {
  private var block: (@Sendable () -> Void)?

  init(_ block: @escaping @Sendable () -> Void) {
    self.block = block
  }

  func run() {
    let block = self.block.take()
    block?()
  }
}
