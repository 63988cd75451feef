public import ObjectGraph
public import Queues
public import SQLiteStore

/// A coordinator, a main context and its list, for every topology of contexts. Other contexts may
/// be between main and the coordinator.
///
/// Example: `Snippets/own-topology.swift`.
// @unchecked: immutable after `init`, but for `awaited`. It and the list are used on the main queue
// only.
public final class ContextStack: @unchecked Sendable {
  public let environment: TopologyEnvironment
  public let main: ManagedObjectContext
  public let changes: ChangeApplier
  public let coordinator: SQLiteCoordinator
  public let list: FetchedList
  /// Whether a list reads its rows in batches, so that main has not registered all its objects.
  public let hasBatches: Bool
  /// Objects that a queued merge must find registered, by the worker that saved them.
  private var awaited: [Int: [ManagedObject]] = [:]
  /// Errors of work that nobody awaits. `settle` throws them.
  public let errors = FirstError()
  private let livingWorkers = Lock<[ObjectIdentifier: ManagedObjectContext]>([:])
  private let madeReader = Lock<ManagedObjectContext?>(nil)

  /// Opens the store and creates the main context and its list.
  ///
  /// - Parameters:
  ///   - keepsHistory: records every save and batch request, even if the environment does not ask
  ///     for it.
  ///   - realisesList: realises the list's objects when the list is loaded, even if the environment
  ///     does not.
  public init(
    _ environment: TopologyEnvironment, keepsHistory: Bool = false, realisesList: Bool = false,
    makeMain: (any PersistentStoreCoordinator) -> ManagedObjectContext
  ) throws {
    self.environment = environment
    var configuration = environment.storeConfiguration
    if keepsHistory { configuration.keepsHistory = true }
    coordinator = try SQLiteCoordinator(configuration, model: environment.model)
    main = makeMain(coordinator)
    main.mergePolicy = environment.mergePolicy
    changes = ChangeApplier(
      entities: environment.rowEntities, lookup: environment.lookup,
      comparesBeforeSetting: environment.comparesBeforeSetting,
      decoder: RecordDecoder(environment.rowEntities, in: environment.model))
    list = FetchedList(environment, in: main, isRealised: realisesList)
    hasBatches = environment.lists.contains { $0.query.batchSize > 0 }
  }

  /// Creates the main context directly above the coordinator.
  public convenience init(
    mainOnCoordinator environment: TopologyEnvironment, keepsHistory: Bool = false,
    realisesList: Bool = false
  ) throws {
    try self.init(environment, keepsHistory: keepsHistory, realisesList: realisesList) {
      ManagedObjectContext(name: "main", queue: environment.mainQueue, parent: .coordinator($0))
    }
  }

  /// Creates the main context above a private context, `root`, which alone uses the coordinator.
  public static func mainOnRoot(
    _ environment: TopologyEnvironment
  ) throws -> (stack: ContextStack, root: ManagedObjectContext) {
    var root: ManagedObjectContext?
    let stack = try ContextStack(environment) { coordinator in
      let context = ManagedObjectContext(
        name: "root", queue: PrivateQueue(label: "root", isWarm: true),
        parent: .coordinator(coordinator))
      context.mergePolicy = environment.mergePolicy
      root = context
      return ManagedObjectContext(
        name: "main", queue: environment.mainQueue, parent: .context(context))
    }
    guard let root else { fatalError("the stack made no main context") }
    return (stack, root)
  }

  /// Runs `work` in a later block on the main queue. `settle` throws its error.
  public func onMain(_ work: @escaping BackgroundWork) {
    main.perform { [self] in errors.run { try work(main) } }
  }

  /// Fires the faults of a worker's save in a block on main. Keeps the objects of a list with
  /// batches until `releaseFired`: the merge must find them registered. Any thread may call it.
  public func fireFaultsOnMain(of save: DidSave, by writer: Int) {
    onMain { [self] in
      let fired = $0.fireFaults(of: save.updated, unregistered: hasBatches)
      if hasBatches { awaited[writer, default: []] += fired }
    }
  }

  /// Releases the worker's objects in a later block on main. Call it once main's merge of the
  /// worker's saves is queued. Any thread may call it.
  public func releaseFired(by writer: Int) {
    if hasBatches { onMain { [self] _ in awaited[writer] = nil } }
  }

  /// Waits until the main queue has run all earlier blocks.
  ///
  /// - Throws: the first error of work that nobody awaited.
  public func settle() async throws {
    try await main.perform {}
    try errors.check()
  }

  /// A context for background work, which lives for one batch. If the environment reuses workers,
  /// each queue has one context, which keeps the objects that it touched.
  ///
  /// - Parameters:
  ///   - queue: retained by the topology.
  ///   - setUp: called once for each new context, to add observers.
  public func worker(
    on queue: any SerialQueue, savingInto parent: ManagedObjectContext.Parent,
    setUp: (ManagedObjectContext) -> Void = { _ in }
  ) -> ManagedObjectContext {
    guard environment.reusesWorkers else { return newWorker(on: queue, parent, setUp) }
    return livingWorkers.withLock { workers in
      if let worker = workers[ObjectIdentifier(queue)] { return worker }
      let worker = newWorker(on: queue, parent, setUp)
      worker.retainsRegisteredObjects = true
      workers[ObjectIdentifier(queue)] = worker
      return worker
    }
  }

  /// A context beside main that answers the user's questions in the background. Made when it is
  /// first used, so that it costs nobody else's opening; any thread may call it.
  public var reader: ManagedObjectContext {
    madeReader.withLock { made in
      let reader =
        made
        ?? ManagedObjectContext(
          name: "reader", queue: PrivateQueue(label: "reader", isWarm: true), parent: main.parent)
      made = reader
      return reader
    }
  }

  /// Releases reused workers and the reader, and closes the coordinator.
  public func close() throws {
    _ = madeReader.withLock { reader in
      defer { reader = nil }
      return reader
    }
    // The workers' observers retain the stack. They are deallocated outside the lock.
    _ = livingWorkers.withLock { workers in
      defer { workers = [:] }
      return workers
    }
    try coordinator.close()
  }

  private func newWorker(
    on queue: any SerialQueue, _ parent: ManagedObjectContext.Parent,
    _ setUp: (ManagedObjectContext) -> Void
  ) -> ManagedObjectContext {
    let context = ManagedObjectContext(name: "worker", queue: queue, parent: parent)
    context.mergePolicy = environment.mergePolicy
    if environment.workersUndo { context.undoManager = ContextUndoManager() }
    setUp(context)
    return context
  }
}

// A merge skips faults, so a list would not learn that such a row must move. As in libraries,
// faults among the updated objects are fired first. Their SQL runs on the merging context's queue.
// A list with batches also shows objects that its context has not registered.

extension ManagedObjectContext {
  /// Realises the registered objects among these, or all. Call it on the context's queue.
  @discardableResult
  public func fireFaults(
    of ids: [ManagedObjectID], unregistered: Bool = false
  ) -> [ManagedObject] {
    let objects = unregistered ? ids.map { object(with: $0) } : registeredObjects(for: ids)
    for object in objects { object.fireFault() }
    return objects
  }

  /// Merges a sibling's save so that all changes reach the context's lists. Call it on the
  /// context's queue.
  public func mergeFiringFaults(_ save: DidSave, unregistered: Bool = false) throws {
    let fired = fireFaults(of: save.updated, unregistered: unregistered)
    try withExtendedLifetime(fired) { try mergeChanges(fromContextDidSave: save) }
  }

  /// Merges changes that bypassed this coordinator's row cache. Faults fire with old rows; realised
  /// objects are then read from SQLite again. Call it on the context's queue.
  public func mergeFiringFaults(_ changes: ChangedObjectIDs, unregistered: Bool = false) throws {
    let fired = fireFaults(of: changes.updated, unregistered: unregistered)
    try withExtendedLifetime(fired) { try mergeChanges(fromRemoteContextSave: changes) }
  }

  /// Runs `work` on the context's queue, then saves.
  public func performAndSave(_ work: @escaping BackgroundWork) async throws {
    try await perform { [self] in
      try rollingBack {
        try work(self)
        try save()
      }
    }
  }

  /// Rolls back if `work` throws, and rethrows its error. A context that outlives a failed batch
  /// must not save the batch's changes later. Call it on the context's queue.
  func rollingBack<R>(_ work: () throws -> R) rethrows -> R {
    do { return try work() } catch {
      rollback()
      throw error
    }
  }
}

extension FetchRequest {
  /// The same request, whose objects are realised.
  var realised: FetchRequest {
    var request = self
    request.returnsObjectsAsFaults = false
    return request
  }
}
