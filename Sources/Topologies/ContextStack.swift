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

  /// With main above a private context that alone reaches the coordinator, and that context.
  static func mainOnRoot(
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
    guard let root else { preconditionFailure("the stack made no main context") }
    return (stack, root)
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
