import Foundation
import ObjectGraph
import Queues
import SQLiteStore

// two-coordinators: two stacks on one file.
//
//   worker ──save──▶ coordinator 2 ──▶ ┐
//      ┆ URIs of what was saved        │ SQLite: one file, one writer at a time
//      ▼                               │
//    main ─────────▶ coordinator 1 ──▶ ┘          merge past the stale row cache, on the main queue
//
// The coordinators share no lock. So main reads while the worker saves, even in the serial store.
// They share no row cache either: main's cache holds old rows of what the worker wrote. So the
// merge reads every changed row from SQLite, on the main queue, and each fault of an inserted
// object costs a statement.
//
// IDs of one coordinator are unknown to the other. Saved objects are passed on as URIs, as to
// another process. SQLite has one writer: a save on main may find the worker's transaction open,
// and sleeps until that has ended.

/// The way around the coordinator's lock before connection pools.
final class TwoCoordinators: ContextTopology {
  let stack: ContextStack
  private let second: SQLiteCoordinator
  private let workers = WorkerQueues()
  private let merges = FirstError()

  static let descriptor = TopologyDescriptor(
    name: "two-coordinators",
    wiring: "worker → coordinator 2 → one file ← coordinator 1 ← main    URIs ⇢ main",
    summary:
      "Worker and main have a coordinator each on one file. Main merges past its stale row cache.",
    mainCosts:
      "The merge, with SQL for every changed and inserted row, because main's row cache lacks them."
      + " A save on main sleeps while the worker's transaction holds SQLite's lock.",
    chooseWhen:
      "The serial store, if main's reads must not wait for saves. Or another process writes the file"
      + " anyway.",
    make: { try TwoCoordinators($0) })

  init(_ environment: TopologyEnvironment) throws {
    stack = try ContextStack(mainOnCoordinator: environment)
    second = try SQLiteCoordinator(
      StoreConfiguration(url: environment.store, mode: environment.storeMode),
      model: environment.model)
  }

  func saveInBackground(
    by writer: Int, _ work: @escaping @Sendable (ManagedObjectContext) throws -> Void
  ) async throws {
    let (stack, second, merges) = (stack, second, merges)
    let worker = stack.worker(on: workers[writer], savingInto: .coordinator(second))
    worker.observeDidSave { save in
      let saved = SavedURIs(save, of: second)
      stack.main.perform { merges.run { try stack.main.merge(saved) } }
    }
    try await worker.perform {
      try work(worker)
      try worker.save()
    }
  }

  /// Translates the IDs: the worker's coordinator has other IDs than main's.
  func objectsOnMain(_ ids: [ManagedObjectID]) throws -> [ManagedObject] {
    let (main, second) = (main, second)
    return try ids.compactMap(second.uriRepresentation(of:))
      .compactMap(main.coordinator.objectID(forURI:)).map { try main.existingObject(with: $0) }
  }

  func settle() async throws {
    try await main.perform {}
    try merges.check()
  }

  func close() async throws {
    try second.close()
    try stack.coordinator.close()
  }

  var lastCommit: Instant? {
    [stack.coordinator.lastCommit, second.lastCommit].compactMap { $0 }.max()
  }
}

/// A context's save as URIs, which every coordinator of the file understands.
private struct SavedURIs: Sendable {
  let inserted: [URL]
  let updated: [URL]
  let deleted: [URL]

  init(_ save: DidSave, of coordinator: any PersistentStoreCoordinator) {
    inserted = save.inserted.compactMap(coordinator.uriRepresentation(of:))
    updated = save.updated.compactMap(coordinator.uriRepresentation(of:))
    deleted = save.deleted.compactMap(coordinator.uriRepresentation(of:))
  }
}

extension ManagedObjectContext {
  fileprivate func merge(_ saved: SavedURIs) throws {
    try mergeFiringFaults(
      ChangedObjectIDs(
        insertedURIs: saved.inserted, updatedURIs: saved.updated, deletedURIs: saved.deleted,
        in: coordinator))
  }
}
