public import Queues

// A context is a working set of objects on one queue, above a coordinator or another context:
//
//      worker (private queue)            fetch, fault ──▶ through all ancestors, as far as needed
//         │ save: one level, push-up     save         ──▶ one level
//         ▼
//      main (main queue)                 Each arrow up is a performAndWait on the ancestor's queue:
//         │ save                         the caller waits until that queue is free, and occupies it
//         ▼                              until the answer is there.
//      coordinator ──▶ SQLite
//
// Its extensions:
//
// - `+Changes`, `+Relationships` and `+Deletion`: edits, both sides of a relation, delete rules
// - `+Queue`: blocks and their checks; `+Fetch` and `+Faults`: reads
// - `+Save`, `+Validation`, `+Write`, `+DidSave`: a save; `+PushUp`: a child's save
// - `+Merge` and `+AutomaticMerge`: another context's save
// - `+Refresh` and `ContextUndoManager`: refresh, rollback, undo

/// The oldest cached row that a refresh may take.
public enum StalenessInterval: Sendable {
  /// Any cached row. The default.
  case infinite
  /// No cached row: the refresh reads SQLite.
  case zero
}

struct WeakContext: Sendable {
  weak var context: ManagedObjectContext?
}

/// Objects that were prefetched for fetched objects.
final class PrefetchedObjects {
  var objects: [ManagedObject] = []
}

/// A working set of managed objects, used on its queue only.
///
/// It follows Core Data's `NSManagedObjectContext` with queue concurrency types.
// @unchecked: all mutable members are confined to `queue`. In checked mode, each public call off
// the queue stops the program (`assertOnQueue`).
public final class ManagedObjectContext: @unchecked Sendable {
  /// The level that a context fetches from and saves to.
  public enum Parent: Sendable {
    case coordinator(any PersistentStoreCoordinator)
    case context(ManagedObjectContext)
  }

  public let name: String
  public let queue: any SerialQueue
  public let parent: Parent
  /// The coordinator at the end of the chain of parents.
  public let coordinator: any PersistentStoreCoordinator
  let storeNumber: Int32

  /// How a save resolves conflicts with rows that another context changed. Saves into a parent find
  /// no conflicts.
  public var mergePolicy = MergePolicy.error { willSet { assertMaySetUp() } }
  /// Nil by default.
  @exclusivity(unchecked) public var undoManager: ContextUndoManager? {
    willSet { assertMaySetUp() }
  }
  /// Whether delete rules apply when pending changes are processed, and not only at the save.
  public var propagatesDeletesAtEndOfEvent = true { willSet { assertMaySetUp() } }
  /// Whether a fault without a row reads as deleted. Otherwise it stops the program.
  public var shouldDeleteInaccessibleFaults = true { willSet { assertMaySetUp() } }
  /// Whether `refresh` may take a row from the row cache. Otherwise it reads SQLite.
  public var stalenessInterval = StalenessInterval.infinite { willSet { assertMaySetUp() } }
  /// Whether clean objects stay registered without other references.
  public var retainsRegisteredObjects = false {
    willSet { assertMaySetUp() }
    didSet { retained = retainsRegisteredObjects ? Set(registry.objects) : [] }
  }
  /// For the store's history.
  public var transactionAuthor: String? { willSet { assertMaySetUp() } }

  // Members read for each object have no exclusivity checks at run time. A context is used on one
  // queue, and none of them calls out while it changes. (The checks take 2 % of a background
  // update.)

  let link: ContextLink
  @exclusivity(unchecked) var registry: Registry
  /// Inserted, updated and deleted objects, in order of their first change. Some may have no
  /// changes any more.
  @exclusivity(unchecked) var changed: ContiguousArray<ManagedObject> = []
  /// Whether `changed` contains objects without changes.
  var changedNeedsPruning = false
  /// Deleted objects whose delete rules have not yet been applied.
  var pendingDeletes: [ManagedObject] = []
  /// The IDs of objects whose rows are gone. Some of the objects may be deallocated.
  var missingRowIDs: ContiguousArray<ManagedObjectID> = []
  /// Objects retained for `retainsRegisteredObjects`.
  var retained: Set<ManagedObject> = []
  /// False while `awakeFromFetch` runs. Setters then change values and nothing else.
  @exclusivity(unchecked) var processesChanges = true
  /// Unchanged objects whose versions the next save compares, by `detectConflicts`.
  var watched: Set<ManagedObject> = []
  var mergesAutomatically = false
  /// The state of the store that this context is pinned to; nil if it is not pinned.
  var generation: QueryGenerationToken?
  /// The children that merge this context's saves automatically.
  let childListeners = SaveListeners()
  /// Prefetched objects by key path, and by the slot of the object that they were fetched for. An
  /// entry lasts as long as that object. Its ID may change meanwhile, by a save; its slot does not.
  var prefetched: [PredicatePath: [Int32: PrefetchedObjects]] = [:]
  lazy var asynchronousQueue = PrivateQueue(label: "\(name) fetches")
  /// Objects that the next objects-did-change announces.
  @exclusivity(unchecked) var pendingAnnouncements: ContiguousArray<ManagedObject> = []
  /// Inserted objects that no price was charged for yet.
  @exclusivity(unchecked) var insertsToCharge = 0
  /// The temporary IDs that became permanent in this context.
  @exclusivity(unchecked) var permanentIDs = PermanentIDLog()
  /// The children that may still name objects here by temporary IDs.
  var idFollowers: [WeakContext] = []
  /// Whether an object got a temporary ID here since the last save.
  @exclusivity(unchecked) var hasNewObjects = false
  /// Whether an object here may have a temporary ID that the parent knows too. Changes on the
  /// parent's queue.
  var sharesTemporaryIDs = false
  /// How many of the parent's permanent IDs this child has adopted. Used on the parent's queue.
  var idsAdopted = 0
  var observers = ContextObservers()

  /// Creates a context on `queue`. On a simulated main queue, each turn ends by processing changes
  /// made outside `perform`.
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
    storeNumber = coordinator.storeNumber
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
