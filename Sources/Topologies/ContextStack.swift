public import ObjectGraph
public import Queues
import SQLiteStore

/// What every topology of contexts has: a coordinator, a main context above it (directly or not), a
/// list that follows the main context, and the way from changes to objects.
// @unchecked: everything is set in `init` and immutable after; the list is used on the main queue
// only.
public final class ContextStack: @unchecked Sendable {
  public let environment: TopologyEnvironment
  public let main: ManagedObjectContext
  public let changes: ChangeApplier
  let coordinator: SQLiteCoordinator
  let list: FetchedList

  /// - Parameters:
  ///   - keepsHistory: whether the store remembers every save and batch request.
  ///   - realisesList: whether the list's objects are realised at the beginning, whatever the
  ///     environment asks for.
  ///   - makeMain: wires the main context onto the coordinator.
  /// - Throws: what opening the store throws.
  public init(
    _ environment: TopologyEnvironment, keepsHistory: Bool = false, realisesList: Bool = false,
    makeMain: (any PersistentStoreCoordinator) -> ManagedObjectContext
  ) throws {
    self.environment = environment
    var configuration = StoreConfiguration(url: environment.store, mode: environment.storeMode)
    configuration.keepsHistory = keepsHistory
    coordinator = try SQLiteCoordinator(configuration, model: environment.model)
    main = makeMain(coordinator)
    main.mergePolicy = environment.mergePolicy
    changes = ChangeApplier(
      entities: environment.rowEntities, lookup: environment.lookup,
      decoder: RecordDecoder(environment.rowEntities, in: environment.model))
    list = FetchedList(environment, in: main, isRealised: realisesList)
  }

  /// With main directly above the coordinator.
  public convenience init(
    mainOnCoordinator environment: TopologyEnvironment, keepsHistory: Bool = false,
    realisesList: Bool = false
  ) throws {
    try self.init(environment, keepsHistory: keepsHistory, realisesList: realisesList) {
      ManagedObjectContext(
        name: "main", queue: environment.mainQueue, parent: .coordinator($0))
    }
  }

  /// A context for work in the background, on a queue that its topology keeps.
  public func worker(
    on queue: PrivateQueue, savingInto parent: ManagedObjectContext.Parent
  ) -> ManagedObjectContext {
    let context = ManagedObjectContext(name: "worker", queue: queue, parent: parent)
    context.mergePolicy = environment.mergePolicy
    return context
  }
}

/// A topology of contexts: it adds its wiring, its way to apply a batch and to settle.
public protocol ContextTopology: Topology {
  var stack: ContextStack { get }
}

extension ContextTopology {
  public var main: ManagedObjectContext { stack.main }

  public func load() async throws {
    let list = stack.list
    try await main.perform { try list.performFetch() }
  }

  /// Main's queue has run everything that was submitted to it.
  public func settle() async throws {
    try await main.perform {}
  }

  public func close() async throws {
    try stack.coordinator.close()
  }

  public var lastCommit: Instant? { stack.coordinator.lastCommit }

  public var list: any ListOnMain { stack.list }

  public func fetchOnMain(_ keys: [Value]) throws -> Int {
    let entity = stack.environment.entity
    var request = FetchRequest(
      entity, where: .isIn(stack.environment.keyIndex, ValueSet(keys)))
    request.returnsObjectsAsFaults = false
    return try main.fetch(request).count
  }

  public func editOnMain(_ changes: [Change]) throws {
    try stack.changes.apply(changes, in: main)
    try main.save()
  }
}

/// The list on screen: a fetched results controller over all rows.
// @unchecked: used on the main queue only, as the main context that it follows.
final class FetchedList: ListOnMain, @unchecked Sendable {
  private let controller: FetchedResultsController
  private let didChange: @Sendable (ListEvent) -> Void

  init(_ environment: TopologyEnvironment, in main: ManagedObjectContext, isRealised: Bool) {
    didChange = environment.listDidChange
    var request = FetchRequest(environment.entity, sortedBy: environment.sortDescriptors)
    request.returnsObjectsAsFaults = !isRealised && environment.realised != .all
    controller = FetchedResultsController(request, in: main)
    controller.onChange = { environment.listDidChange(.changes($0)) }
  }

  func performFetch() throws {
    try controller.performFetch()
  }

  /// Lets go of all that the context knows and fetches the list anew.
  func resetAndFetch() throws {
    controller.context.reset()
    try controller.performFetch()
    didChange(.reload)
  }

  var count: Int { controller.count }

  func row(at index: Int) -> ContiguousArray<Value> {
    controller[index].allValues
  }

  func objectID(at index: Int) -> ManagedObjectID { controller[index].objectID }
}
