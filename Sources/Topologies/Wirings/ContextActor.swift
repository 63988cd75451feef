import ObjectGraph
import Queues

// context-actor: an actor whose executor is the queue of its context.
//
//   import ──await change──▶ actor ──save──▶ coordinator ──▶ SQLite
//          ──await change──▶   ┆ did-save
//          ──await save────▶   ▼
//                            main ─────────▶ coordinator     merge, on the main queue
//
// CoreDataEvolution gives a model actor such an executor: github.com/fatbobman/CoreDataEvolution.
// The import calls a method of the actor for each change, as its users do. Each call hops to the
// queue, finds its objects by itself, and lets other jobs of the actor come in between. Background
// counts and searches are such jobs here.

final class ContextActor: ContextTopology {
  let stack: ContextStack
  private let workers = WorkerQueues()
  private let reader: ImportActor

  static let descriptor = TopologyDescriptor(
    name: "context-actor",
    wiring: "import ─await each change▶ actor → coordinator ← main    did-save ⇢ main",
    summary:
      "As notification-merge, but an actor on its context's queue makes each change in a call of its"
      + " own. Other jobs may come between two calls.",
    mainCosts:
      "As notification-merge. Its imports last longer, so the user makes more edits during one.",
    chooseWhen:
      "Swift concurrency with contexts. Give the actor whole batches: each call costs a hop and a"
      + " lookup.",
    knownAs: ["CoreDataEvolution: @NSModelActor", "an actor with a context's queue as executor"],
    make: { try ContextActor($0) })

  init(_ environment: TopologyEnvironment) throws {
    stack = try ContextStack(mainOnCoordinator: environment)
    // Its queue is the first worker's, so that questions come between the calls of an import. Its
    // context sees only what is saved.
    let context = ManagedObjectContext(
      name: "reader", queue: workers[0], parent: stack.main.parent)
    reader = ImportActor(context, on: workers[0], changes: stack.changes)
  }

  func apply(_ batch: ChangeBatch, by writer: Int) async throws {
    let importer = importer(by: writer)
    let changes = try await importer.changes(of: batch)
    do {
      for change in changes { try await importer.make(change) }
      try await importer.save()
    } catch {
      await importer.discard()
      throw error
    }
  }

  func saveInBackground(by writer: Int, _ work: @escaping BackgroundWork) async throws {
    try await importer(by: writer).save(work)
  }

  func count(_ query: ListQuery) async throws -> Int {
    try await reader.read { try $0.count(query.counted) }
  }

  func search(_ query: ListQuery) async throws -> any ListOnMain & Sendable {
    let ids = try await reader.read { try $0.fetch(query.foundAtOnce).map(\.objectID) }
    return FoundIDs(ids: ids, main: main, query: query)
  }

  private func importer(by writer: Int) -> ImportActor {
    let queue = workers[writer]
    let context = stack.worker(on: queue, savingInto: stack.main.parent) {
      $0.observeDidSave { [stack] save in
        stack.onMain { try $0.mergeFiringFaults(save, unregistered: stack.hasBatches) }
      }
    }
    return ImportActor(context, on: queue, changes: stack.changes)
  }
}

/// Works in a context, on the context's queue.
private actor ImportActor {
  private let context: ManagedObjectContext
  private let applier: ChangeApplier
  private let executor: QueueExecutor

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ context: ManagedObjectContext, on queue: any SerialQueue, changes applier: ChangeApplier) {
    self.context = context
    self.applier = applier
    executor = QueueExecutor(queue)
  }

  /// Decodes the batch's records.
  func changes(of batch: ChangeBatch) throws -> [Change] { try applier.changes(of: batch) }

  func make(_ change: Change) throws {
    try working { try applier.apply([change], in: $0) }
  }

  func save() throws { try working { try $0.save() } }

  func save(_ work: BackgroundWork) throws {
    try working { context in
      try context.rollingBack {
        try work(context)
        try context.save()
      }
    }
  }

  func read<R>(_ body: @Sendable (ManagedObjectContext) throws -> R) throws -> R {
    try working(body)
  }

  func discard() { working { $0.rollback() } }

  private func working<R>(_ body: (ManagedObjectContext) throws -> R) rethrows -> R {
    try QueueExecutor.carryingChange {
      try context.performAndWait { try body(context) }
    }
  }
}
