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
// The coordinators share no lock, so main reads while the worker saves, even in the serial store.
// They share no row cache, so the merge reads every changed row from SQLite on main, and each fault
// of an inserted object costs a statement. In Core Data they share no IDs, so saved objects are
// passed as URIs.
//
// SQLite has one writer: a save on main sleeps while the worker's transaction is open.

final class TwoCoordinators: ContextTopology {
  let stack: ContextStack
  private let second: SQLiteCoordinator
  private let workers = WorkerQueues()

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
    // github.com/magicalpanda/MagicalRecord, DualContextDualCoordinatorMagicalRecordStack.m
    knownAs: [
      "two NSPersistentStoreCoordinators on one file",
      "MagicalRecord 3: DualContextDualCoordinatorMagicalRecordStack",
    ],
    make: { try TwoCoordinators($0) })

  init(_ environment: TopologyEnvironment) throws {
    stack = try ContextStack(mainOnCoordinator: environment)
    second = try SQLiteCoordinator(environment.storeConfiguration, model: environment.model)
  }

  func openReaders() async throws {
    try stack.coordinator.openReaders()
    try second.openReaders()
  }

  func saveInBackground(by writer: Int, _ work: @escaping BackgroundWork) async throws {
    let (stack, second) = (stack, second)
    let worker = stack.worker(on: workers[writer], savingInto: .coordinator(second)) {
      $0.observeDidSave { save in
        let uris = { (ids: [ManagedObjectID]) in ids.compactMap(second.uriRepresentation(of:)) }
        let (inserted, updated, deleted) = (
          uris(save.inserted), uris(save.updated), uris(save.deleted)
        )
        stack.onMain { main in
          try main.mergeFiringFaults(
            ChangedObjectIDs(
              insertedURIs: inserted, updatedURIs: updated, deletedURIs: deleted,
              in: main.coordinator),
            unregistered: stack.hasBatches)
        }
      }
    }
    try await worker.performAndSave(work)
  }

  /// Uses the worker's coordinator, whose lock main never waits for.
  func use(_ history: HistoryRequest) async throws { try await second.use(history) }

  func objectsOnMain(_ ids: [ManagedObjectID]) throws -> [ManagedObject] {
    try ids.compactMap(second.uriRepresentation(of:))
      .compactMap(main.coordinator.objectID(forURI:)).map { try main.existingObject(with: $0) }
  }

  /// Closes both coordinators even if one fails.
  func close() async throws {
    let first = FirstError()
    first.run { try second.close() }
    first.run { try stack.close() }
    try first.check()
  }

  var lastCommit: Instant? {
    [stack.coordinator.lastCommit, second.lastCommit].compactMap { $0 }.max()
  }
}
