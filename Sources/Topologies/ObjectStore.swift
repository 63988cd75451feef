public import ObjectGraph
import Queues

// What an app's screens ask of persistence, and nothing of how contexts are wired:
//
//   start(operation) ──▶ topology.saveInBackground ──▶ disk, and main's list
//        completion ◀── on main: main's own objects of what the operation returned
//
// Objects do not cross from one context to another: what the operation returns is handed over as object
// IDs, permanent ones, and found again on main.

/// A facade over any topology of contexts: an operation that takes time, in the background, with a
/// completion on main; and searching, inserting, deleting and saving on main.
///
/// A peer has no contexts, and no facade.
public final class ObjectStore: Sendable {
  /// What an operation hands to its completion: the objects worth showing, and a sentence about it.
  public struct Outcome {
    let objects: [ManagedObject]
    let message: String

    public init(_ objects: [ManagedObject] = [], message: String = "") {
      self.objects = objects
      self.message = message
    }
  }

  /// How an operation ended.
  public struct Completion {
    /// Whether its changes were saved.
    public let isSuccess: Bool
    /// Main's objects of those that the operation returned, but for deleted ones; none if it failed.
    public let objects: [ManagedObject]
    /// What the operation said, or why it failed.
    public let message: String
  }

  private let topology: any ContextTopology

  /// - Parameter topology: loaded; whoever made it closes it.
  public init(over topology: any ContextTopology) {
    self.topology = topology
  }

  private var main: ManagedObjectContext { topology.main }

  /// Starts an operation in a context for the background, as this topology has them, and returns at
  /// once. Its changes are saved when it returns; if it throws, none are.
  ///
  /// - Parameters:
  ///   - operation: on the context's queue.
  ///   - completion: on the main queue, when main has heard of what was saved.
  public func start(
    _ operation: @escaping @Sendable (ManagedObjectContext) throws -> Outcome,
    completion: @escaping @Sendable (Completion) -> Void
  ) {
    let topology = topology
    Task {
      let result = await Self.result(of: operation, in: topology)
      try await topology.main.perform { completion(Completion(result, in: topology)) }
    }
  }

  private static func result(
    of operation: @escaping @Sendable (ManagedObjectContext) throws -> Outcome,
    in topology: any ContextTopology
  ) async -> Result<HandedOver, any Error> {
    do {
      return .success(try await topology.saveAndHandOver(operation))
    } catch {
      return .failure(error)
    }
  }
}

// MARK: - On the main queue

extension ObjectStore {
  /// All objects of an entity, as main knows them. On the main queue.
  ///
  /// - Throws: what the store throws.
  public func search(
    _ entity: Entity, sortedBy descriptors: [SortTerm] = []
  ) throws -> [ManagedObject] {
    try main.fetch(FetchRequest(entity, sortedBy: descriptors))
  }

  /// Those that match. On the main queue.
  ///
  /// - Throws: what the store throws.
  public func search(
    _ entity: Entity, where predicate: FetchPredicate, sortedBy descriptors: [SortTerm] = []
  ) throws -> [ManagedObject] {
    try main.fetch(FetchRequest(entity, where: predicate, sortedBy: descriptors))
  }

  /// A new object, saved with the next `save`. On the main queue.
  public func insert(_ entity: Entity) -> ManagedObject { main.insert(entity) }

  /// Gone with the next `save`. On the main queue.
  public func delete(_ object: ManagedObject) { main.delete(object) }

  /// Saves what was changed on main, on its way to disk in this topology. On the main queue.
  ///
  /// - Throws: what saving throws; the changes are still there then.
  public func save() throws { try topology.saveOnMain() }
}

/// What leaves the context of an operation.
private struct HandedOver: Sendable {
  var ids: [ManagedObjectID] = []
  var message = ""
}

extension ContextTopology {
  fileprivate func saveAndHandOver(
    _ operation: @escaping @Sendable (ManagedObjectContext) throws -> ObjectStore.Outcome
  ) async throws -> HandedOver {
    let handedOver = Lock(HandedOver())
    try await saveInBackground(by: 0) { context in
      let outcome = try operation(context)
      let objects = outcome.objects.filter { !$0.isDeleted }
      try context.obtainPermanentIDs(for: objects)
      let ids = objects.map(\.objectID)
      handedOver.withLock { $0 = HandedOver(ids: ids, message: outcome.message) }
    }
    return handedOver.withLock { $0 }
  }
}

extension ObjectStore.Completion {
  /// On the main queue.
  fileprivate init(
    _ result: Result<HandedOver, any Error>, in topology: any ContextTopology
  ) {
    do {
      let handedOver = try result.get()
      objects = try topology.objectsOnMain(handedOver.ids)
      message = handedOver.message
      isSuccess = true
    } catch {
      objects = []
      message = "\(error)"
      isSuccess = false
    }
  }
}
