public import ObjectGraph
public import Queues
import SQLiteStore

/// A topology of contexts: it adds its wiring, its way to save in the background and to settle.
public protocol ContextTopology: Topology {
  var stack: ContextStack { get }

  /// Runs work in a context for the background, on a queue that is not main unless the topology says
  /// otherwise, and saves it on its way to disk. Returns when this topology calls it saved; main may
  /// hear of it later.
  ///
  /// - Parameters:
  ///   - writer: whose work it is, from 0: that of different ones may be done at the same time.
  ///   - work: on the context's queue; does not save.
  /// - Throws: what the work or a save throws; nothing of it is saved then.
  func saveInBackground(
    by writer: Int, _ work: @escaping @Sendable (ManagedObjectContext) throws -> Void
  ) async throws

  /// Main's objects of what a worker saved, realised. On the main queue.
  ///
  /// - Parameter ids: permanent, of the worker's coordinator.
  /// - Throws: `ObjectNotFound` if one is not there any more; what the store throws.
  func objectsOnMain(_ ids: [ManagedObjectID]) throws -> [ManagedObject]

  /// Saves what was changed in the main context, as far as this topology does that on main. On the
  /// main queue.
  func saveOnMain() throws
}

extension ContextTopology {
  public var main: ManagedObjectContext { stack.main }

  public func load() async throws {
    let list = stack.list
    try await main.perform { try list.performFetch() }
  }

  public func apply(_ batch: [Change]) async throws {
    try await apply(batch, by: 0)
  }

  public func apply(_ batch: [Change], by writer: Int) async throws {
    let changes = stack.changes
    try await saveInBackground(by: writer) { try changes.apply(batch, in: $0) }
  }

  public func objectsOnMain(_ ids: [ManagedObjectID]) throws -> [ManagedObject] {
    try ids.map { try main.existingObject(with: $0) }
  }

  public func saveOnMain() throws { try main.save() }

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
    try saveOnMain()
  }
}
