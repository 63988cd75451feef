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
// Its parts: what changed (`ManagedObjectContext+Changes`), fetches (`+Fetch`), faults (`+Faults`),
// saves (`+Save`), a child's save taken in (`+PushUp`), another context's save (`+Merge`).

/// A working set of managed objects, used on its queue only.
///
/// Follows Core Data's `NSManagedObjectContext` of queue concurrency types, without an undo manager.
// @unchecked: every member but the immutable ones is confined to `queue`; debug builds check it at
// each public door (`assertOnQueue`).
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

  let link = ContextLink()
  var registry = Registry()
  /// Inserted, updated and deleted objects, held strongly; some may have been undone since.
  var changed: ContiguousArray<ManagedObject> = []
  /// What the next objects-did-change will announce.
  var news: ContiguousArray<ManagedObject> = []
  /// Permanent IDs by the temporary ones that children may still use.
  var permanentIDs: [ManagedObjectID: ManagedObjectID] = [:]
  var observers = ContextObservers()

  /// Makes a context on `queue`. On a simulated main queue, changes made outside `perform` are
  /// processed at the end of each turn.
  public init(name: String, queue: any SerialQueue, parent: Parent) {
    self.name = name
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

  /// Traps, in debug builds, unless the calling thread is on this context's queue.
  func assertOnQueue(_ operation: StaticString = #function) {
    assert(
      queue.isCurrent,
      "\(operation) on context '\(name)' was called off its queue '\(queue.label)'; use perform")
  }
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

// MARK: - Registered objects

extension ManagedObjectContext {
  /// The objects of this context that are alive, in no order.
  public var registeredObjects: [ManagedObject] {
    assertOnQueue()
    return registry.objects
  }

  /// The object of this ID if it is registered; never does I/O.
  public func registeredObject(for id: ManagedObjectID) -> ManagedObject? {
    assertOnQueue()
    return object(registeredFor: id)
  }

  /// The object of this ID, registered or else as a fault; never does I/O, and may turn out to be
  /// gone when its fault fires.
  public func object(with id: ManagedObjectID) -> ManagedObject {
    assertOnQueue()
    if let object = object(registeredFor: id) { return object }
    return registerFault(id)
  }

  func object(registeredFor id: ManagedObjectID) -> ManagedObject? {
    if let object = registry[id] { return object }
    guard id.isTemporary, let permanent = permanentIDs[id] else { return nil }
    return registry[permanent]
  }

  /// Forgets every object and every change without saving.
  public func reset() {
    assertOnQueue()
    for object in changed { object.state.insert(.gone) }
    for object in registry.objects { object.state.insert(.gone) }
    changed.removeAll()
    news.removeAll()
    permanentIDs.removeAll()
    coordinator.unregister(registry.removeAll())
  }

  func entity(at index: Int32) -> Entity { model.entities[Int(index)] }

  func registerFault(_ id: ManagedObjectID) -> ManagedObject {
    let object = ManagedObject(id, entity: entity(at: id.entityIndex), link: link, snapshot: nil)
    if registry.add(object) { coordinator.register(CollectionOfOne(id)) }
    return object
  }

  /// Drops the entries of objects that died since, and with them their claim on the row cache.
  func sweepRegistry() {
    let dead = link.exhume()
    guard !dead.isEmpty else { return }
    let gone = registry.sweep(dead)
    if !gone.isEmpty { coordinator.unregister(gone) }
  }
}
