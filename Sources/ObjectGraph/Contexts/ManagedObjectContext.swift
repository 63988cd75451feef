public import Queues

// A context is a working set of objects on one queue, above a coordinator or another context:
//
//      worker (private queue)            fetch, fault ──▶ through all ancestors, as far as needed
//         │ save: one level, push-up     save         ──▶ one level
//         ▼
//      main (main queue)                 Each arrow is a performAndWait on the ancestor's queue:
//         │ save                         the caller waits until it is free, and occupies it
//         ▼                              until the answer is there.
//      coordinator ──▶ SQLite

/// How old a cached row may be for a refresh to use it.
public enum StalenessInterval: Sendable {
  /// Any cached row.
  case infinite
  /// The refresh reads SQLite.
  case zero
}

struct WeakContext: Sendable {
  weak var context: ManagedObjectContext?
}

/// A working set of objects, like Core Data's `NSManagedObjectContext` with queue concurrency
/// types. Used on its queue only.
///
/// Example: `Snippets/child-context.swift`.
// @unchecked: all mutable members are confined to `queue`. In checked mode, each public call off
// the queue stops the program (`assertOnQueue`).
public final class ManagedObjectContext: @unchecked Sendable {
  /// The level that fetches and saves go to.
  public enum Parent: Sendable {
    case coordinator(any PersistentStoreCoordinator)
    case context(ManagedObjectContext)
  }

  public let name: String
  public let queue: any SerialQueue
  public let parent: Parent
  /// At the end of the chain of parents.
  public let coordinator: any PersistentStoreCoordinator
  let storeNumber: Int32

  /// Saves into a parent find no conflicts.
  public var mergePolicy = MergePolicy.error { willSet { assertMaySetUp() } }
  /// A merge policy of the app's own. Nil by default.
  public var conflictHandler: ConflictHandler? { willSet { assertMaySetUp() } }
  /// Nil by default.
  @exclusivity(unchecked) public var undoManager: ContextUndoManager? {
    willSet { assertMaySetUp() }
  }
  /// If false, delete rules apply at the save only.
  public var propagatesDeletesAtEndOfEvent = true { willSet { assertMaySetUp() } }
  /// Whether firing a fault without a row marks the object deleted. Otherwise it stops the program.
  public var shouldDeleteInaccessibleFaults = true { willSet { assertMaySetUp() } }
  /// For `refresh`.
  public var stalenessInterval = StalenessInterval.infinite { willSet { assertMaySetUp() } }
  /// Whether this context merges other contexts' saves to its parent or coordinator. Each merge
  /// runs on this context's queue, some time after the save.
  public var automaticallyMergesChangesFromParent = false {
    willSet { assertOnQueue() }
    didSet { listenToParent() }
  }
  /// Whether clean objects stay registered without references.
  public var retainsRegisteredObjects = false {
    willSet { assertMaySetUp() }
    didSet { retained = retainsRegisteredObjects ? Set(registry.objects) : [] }
  }
  /// For the store's history.
  public var transactionAuthor: String? { willSet { assertMaySetUp() } }

  // Members read for each object have no exclusivity checks at run time: a context is used on one
  // queue, and no other code runs while one of them changes. (The checks take 2 % of a background
  // update.)

  let link: ContextLink
  @exclusivity(unchecked) var registry: Registry
  /// Changed objects by their first change. Some may have no changes any more.
  @exclusivity(unchecked) var changed: ContiguousArray<ManagedObject> = []
  var changedNeedsPruning = false
  /// Deleted objects whose delete rules have not been applied yet.
  var pendingDeletes: [ManagedObject] = []
  /// Objects whose rows are gone. Some may be deallocated.
  var missingRowIDs: ContiguousArray<ManagedObjectID> = []
  /// For `retainsRegisteredObjects`.
  var retained: Set<ManagedObject> = []
  /// False while `awakeFromFetch` runs: setters then change values and nothing else.
  @exclusivity(unchecked) var processesChanges = true
  /// Objects whose versions the next save checks, even if they are unchanged.
  var watched: Set<ManagedObject> = []
  var generation: QueryGenerationToken?
  let childListeners = SaveListeners()
  /// Prefetched objects by key path, then by the fetched object's slot: a save may change its ID.
  /// An entry lasts as long as the fetched object.
  var prefetched: [PredicatePath: [Int32: [ManagedObject]]] = [:]
  lazy var asynchronousQueue = PrivateQueue(label: "\(name) fetches")
  /// For the next objects-did-change.
  @exclusivity(unchecked) var pendingAnnouncements: ContiguousArray<ManagedObject> = []
  /// The number of inserted objects whose price has not been charged yet (`Activity.charge`).
  @exclusivity(unchecked) var insertsToCharge = 0
  /// Temporary IDs that became permanent here.
  @exclusivity(unchecked) var permanentIDs = PermanentIDLog()
  /// Children that may use temporary IDs from here.
  var idFollowers: [WeakContext] = []
  /// Since the last save.
  @exclusivity(unchecked) var hasNewObjects = false
  /// Whether an object here may have a temporary ID that the parent knows too. Changes on the
  /// parent's queue.
  var sharesTemporaryIDs = false
  /// How many of the parent's permanent IDs were adopted here. Used on the parent's queue.
  var idsAdopted = 0
  var observers = ContextObservers()
  /// By slot in the registry. See `vanish`.
  var vanished: [Int32: VanishedRow] = [:]
  var vanishedIDs: Set<ManagedObjectID> = []
  /// Objects whose `prepareForDeletion` was called in this pass of the delete rules. Nil outside a
  /// pass.
  var prepared: Set<ManagedObject>?
  private var pendingChangesObserver: Int?

  /// On a simulated main queue, each turn ends by processing changes made outside `perform`.
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
      pendingChangesObserver = mainQueue.addPendingChangesObserver { [weak self] in
        self?.processPendingChanges()
      }
    }
  }

  deinit {
    if let pendingChangesObserver, let mainQueue = queue as? any RunLoopQueue {
      mainQueue.removePendingChangesObserver(pendingChangesObserver)
    }
    coordinator.unregister(registry.removeAll())
  }

  public var model: Model { coordinator.model }
}
