public import ObjectGraph
public import Queues
import SQLiteStore

/// The work of a batch, on the queue of a background context. It does not save.
public typealias BackgroundWork = @Sendable (ManagedObjectContext) throws -> Void

/// A topology of contexts.
///
/// Example: `Snippets/own-topology.swift`.
public protocol ContextTopology: Topology {
  var stack: ContextStack { get }

  /// Runs work in a background context and saves it. Returns when this topology considers the
  /// changes saved; main may learn of them later.
  ///
  /// - Parameter writer: the worker's number, from 0. Different workers may work at the same time.
  /// - Throws: errors of the work or of a save. Nothing is saved then.
  func saveInBackground(by writer: Int, _ work: @escaping BackgroundWork) async throws

  /// Main's own, realised objects for the objects that a worker saved. Call it on the main queue.
  ///
  /// - Parameter ids: permanent IDs of the worker's coordinator.
  /// - Throws: `ObjectNotFound` for a deleted object.
  func objectsOnMain(_ ids: [ManagedObjectID]) throws -> [ManagedObject]

  /// Saves the main context. Call it on the main queue.
  func saveOnMain() throws
}

extension ContextTopology {
  public var main: ManagedObjectContext { stack.main }

  public func load() async throws {
    try await main.perform { [stack] in try stack.list.performFetch() }
  }

  public func openReaders() async throws { try stack.coordinator.openReaders() }

  public func apply(_ batch: ChangeBatch) async throws {
    try await apply(batch, by: 0)
  }

  public func apply(_ batch: ChangeBatch, by writer: Int) async throws {
    try await saveInBackground(by: writer) { [changes = stack.changes] in
      try changes.apply(batch, in: $0)
    }
  }

  public func objectsOnMain(_ ids: [ManagedObjectID]) throws -> [ManagedObject] {
    try ids.map { try main.existingObject(with: $0) }
  }

  public func saveOnMain() throws { try main.save() }

  public func settle() async throws { try await stack.settle() }

  public func use(_ history: HistoryRequest) async throws {
    try await stack.coordinator.use(history)
  }

  public func close() async throws { try stack.close() }

  public var lastCommit: Instant? { stack.coordinator.lastCommit }

  public var list: any ListOnMain { stack.list }

  public var lists: [any ListOnMain] { stack.list.all }

  public func fetchOnMain(_ keys: [Value]) throws -> Int {
    try objectsOnMain(withKeys: keys).count
  }

  func objectsOnMain(withKeys keys: [Value]) throws -> [ManagedObject] {
    let isFound = FetchPredicate.isIn(stack.environment.keyIndex, ValueSet(keys))
    return try main.fetch(FetchRequest(stack.environment.entity, where: isFound).realised)
  }

  public func staleObjectsOnMain() throws -> Int? { try main.countStaleObjects() }

  public func editOnMain(_ changes: [Change]) throws {
    try stack.changes.apply(changes, in: main)
    try saveOnMain()
  }
}

extension SQLiteCoordinator {
  /// Runs on its own queue.
  ///
  /// - Parameter token: a purge keeps this transaction and later ones; nil to keep only the last.
  func use(_ history: HistoryRequest, keepingFrom token: HistoryToken? = nil) async throws {
    try await PrivateQueue(label: "history").run {
      switch history {
      case .read: _ = try self.history()
      case .purge: try self.deleteHistory(before: try token ?? self.currentHistoryToken())
      }
    }
  }
}
