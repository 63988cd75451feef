public import ObjectGraph
import Queues

//   start(operation) ──▶ topology.saveInBackground ──▶ disk, and main's list
//        completion ◀── on main: main's own objects, by the permanent IDs of the operation's

/// A facade over any topology of contexts. Operations run in the background and complete on main.
/// All other calls belong on the main queue.
public final class ObjectStore: Sendable {
  /// The objects and the message that an operation passes to its completion.
  public struct Outcome {
    let objects: [ManagedObject]
    let message: String

    public init(_ objects: [ManagedObject] = [], message: String = "") {
      self.objects = objects
      self.message = message
    }
  }

  /// The end of an operation.
  public struct Completion {
    /// Whether the operation's changes were saved.
    public let isSuccess: Bool
    /// Main's objects for those that the operation returned, without deleted ones.
    public let objects: [ManagedObject]
    /// The operation's message or error.
    public let message: String
  }

  private let topology: any ContextTopology
  /// The save of the last operation.
  private let last = Lock<Task<Void, Never>?>(nil)

  /// - Parameter topology: a loaded topology. The caller closes it.
  public init(over topology: any ContextTopology) {
    self.topology = topology
  }

  private var main: ManagedObjectContext { topology.main }

  /// Starts an operation in a background context and returns at once. Its changes are saved, or
  /// discarded if it throws. Operations run one after another, in the order of the calls.
  ///
  /// - Parameters:
  ///   - operation: runs on the context's queue.
  ///   - completion: runs on the main queue after the save, when main can see it.
  public func start(
    _ operation: @escaping @Sendable (ManagedObjectContext) throws -> Outcome,
    completion: @escaping @Sendable (Completion) -> Void
  ) {
    let topology = topology
    let finish = { @Sendable (result: Result<HandedOver, any Error>) in
      topology.main.perform { completion(Completion(result, in: topology)) }
    }
    last.withLock { last in
      last = Task { [last] in
        await last?.value
        do {
          finish(.success(try await topology.saveAndHandOver(operation)))
        } catch {
          finish(.failure(error))
        }
      }
    }
  }
}

// MARK: - On the main queue

extension ObjectStore {
  /// The matching objects of an entity as main sees them.
  public func search(
    _ entity: Entity, where predicate: FetchPredicate? = nil, sortedBy terms: [SortTerm] = []
  ) throws -> [ManagedObject] {
    try main.fetch(FetchRequest(entity, where: predicate, sortedBy: terms))
  }

  /// A new object, which the next `save` saves.
  public func insert(_ entity: Entity) -> ManagedObject { main.insert(entity) }

  /// Deletes an object with the next `save`.
  public func delete(_ object: ManagedObject) { main.delete(object) }

  /// Saves main's changes. After an error they remain in the context.
  public func save() throws { try topology.saveOnMain() }
}

private typealias HandedOver = (ids: [ManagedObjectID], message: String)

extension ContextTopology {
  fileprivate func saveAndHandOver(
    _ operation: @escaping @Sendable (ManagedObjectContext) throws -> ObjectStore.Outcome
  ) async throws -> HandedOver {
    let handedOver = Lock<HandedOver>(([], ""))
    try await saveInBackground(by: 0) { context in
      let outcome = try operation(context)
      let objects = outcome.objects.filter { !$0.isDeleted }
      try context.obtainPermanentIDs(for: objects)
      let ids = objects.map(\.objectID)
      handedOver.withLock { $0 = (ids, outcome.message) }
    }
    return handedOver.withLock { $0 }
  }
}

extension ObjectStore.Completion {
  fileprivate init(_ result: Result<HandedOver, any Error>, in topology: any ContextTopology) {
    do {
      let handedOver = try result.get()
      objects = try handedOver.ids.flatMap { id in
        // A later batch may have deleted it.
        do { return try topology.objectsOnMain([id]) } catch is ObjectNotFound { return [] }
      }
      message = handedOver.message
      isSuccess = true
    } catch {
      objects = []
      message = "\(error)"
      isSuccess = false
    }
  }
}
