package import ObjectGraph
import Queues
package import SQLiteStore

/// A coordinator whose reads fail while it is told so: a disk that does not answer.
package final class FailingStore: PersistentStoreCoordinator {
  /// What can fail.
  package enum Read: Sendable { case rows, members }

  package struct Failure: Error, Equatable {
    package let read: Read

    package init(read: Read) { self.read = read }
  }

  private let base: SQLiteCoordinator
  private let failing = Lock<Set<Read>>([])

  package init(_ base: SQLiteCoordinator) {
    self.base = base
  }

  /// From now on these fail, and no others.
  package func fail(_ reads: Set<Read>) { failing.withLock { $0 = reads } }

  /// A root context on a private queue of its own.
  package func context(_ name: String = "context") -> ManagedObjectContext {
    ManagedObjectContext(name: name, queue: PrivateQueue(label: name), parent: .coordinator(self))
  }

  private func reading<R>(_ read: Read, _ body: () throws -> R) throws -> R {
    if failing.withLock({ $0.contains(read) }) { throw Failure(read: read) }
    return try body()
  }
}

extension FailingStore {
  package var model: Model { base.model }
  package var storeNumber: Int32 { base.storeNumber }
  package var storeIdentifier: String { base.storeIdentifier }
  package var saveListeners: SaveListeners { base.saveListeners }

  package func fetch(_ request: FetchRequest) throws -> [FetchedRow] {
    try reading(.rows) { try base.fetch(request) }
  }

  package func count(_ request: FetchRequest) throws -> Int {
    try reading(.rows) { try base.count(request) }
  }

  package func fetchIDs(_ request: FetchRequest) throws -> [ManagedObjectID] {
    try reading(.rows) { try base.fetchIDs(request) }
  }

  package func fetchDictionaries(_ request: DictionaryRequest) throws -> [ContiguousArray<Value>] {
    try reading(.rows) { try base.fetchDictionaries(request) }
  }

  package func snapshots(of ids: [ManagedObjectID]) throws -> [RowSnapshot?] {
    try reading(.rows) { try base.snapshots(of: ids) }
  }

  package func snapshot(of id: ManagedObjectID) throws -> RowSnapshot? {
    try reading(.rows) { try base.snapshot(of: id) }
  }

  package func related(
    to id: ManagedObjectID, at relationship: Int
  ) throws -> [ManagedObjectID] {
    try reading(.members) { try base.related(to: id, at: relationship) }
  }

  package func related(
    to ids: [ManagedObjectID], at relationship: Int
  ) throws -> [ManagedObjectID: [ManagedObjectID]] {
    try reading(.members) { try base.related(to: ids, at: relationship) }
  }

  package func generation() throws -> any PersistentStoreCoordinator { try base.generation() }
  package func forgetRows(of ids: [ManagedObjectID]) { base.forgetRows(of: ids) }

  package func save(_ request: SaveRequest) throws -> [ManagedObjectID] { try base.save(request) }
  package func commit(_ request: SaveRequest) throws -> SaveReceipt { try base.commit(request) }
  package func execute(_ request: BatchRequest) throws -> BatchResult { try base.execute(request) }

  package func obtainPermanentIDs(
    for temporaryIDs: [ManagedObjectID]
  ) throws -> [ManagedObjectID] {
    try base.obtainPermanentIDs(for: temporaryIDs)
  }

  package func register(_ ids: [ManagedObjectID]) { base.register(ids) }
  package func unregister(_ ids: [ManagedObjectID]) { base.unregister(ids) }
}
