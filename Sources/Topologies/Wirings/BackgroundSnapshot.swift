package import ObjectGraph
import Queues

// background-snapshot: an observer on a private context keeps the list.
//
//   worker ──save──▶ coordinator ──▶ SQLite
//                        ┆ notifies of every sibling's save
//                        ▼
//   observer ───────▶ coordinator      merges, keeps the list, maps its rows to values
//      ┆ snapshot and difference
//      ▼
//   main             reads the snapshot
//
// The observer maps all rows of the list, like Bitwarden. Stream Chat maps only the changed rows
// again.
//
// In `background-snapshot-waiting` each of main's reads is a `performAndWait` on the observer,
// which may be merging. A row may disappear before main learns of it.
//
// Main's own context serves lookups and edits. Our choice: it merges nothing, because it retains no
// object after them.

package final class BackgroundSnapshot: ContextTopology {
  package let stack: ContextStack
  package let observer: ManagedObjectContext
  private let snapshots: [SnapshotList]
  private let workers = WorkerQueues()

  static let descriptor = TopologyDescriptor(
    name: "background-snapshot",
    wiring: "worker → coordinator ← observer    snapshot ⇢ main",
    summary:
      "An observer on a private context merges, keeps the list and maps its rows to values. Main"
      + " reads its last snapshot.",
    mainCosts: "Taking each snapshot and releasing the old one. Lookups and edits are main's own.",
    chooseWhen:
      "Screens that show values and need no managed objects. Each save maps the whole list again,"
      + " off main.",
    // github.com/bitwarden/ios/pull/2165 moved fetches and mapping off main.
    // github.com/GetStream/stream-chat-swift/pull/2237 moved mapping, pull/4218 keeps mapped items.
    knownAs: [
      "a background NSFetchedResultsController mapped to structs",
      "FetchedResultsPublisher (Bitwarden)",
      "BackgroundDatabaseObserver with cached reads (Stream Chat)",
    ],
    dependsOnTiming: true,
    make: { try BackgroundSnapshot($0, mainWaits: false) })

  static let waitingDescriptor = TopologyDescriptor(
    name: "background-snapshot-waiting",
    wiring: "worker → coordinator ← observer ◀performAndWait─ main",
    summary:
      "As background-snapshot, but each of main's reads is a performAndWait on the observer.",
    mainCosts: "Waits: each row that main reads waits while the observer merges or maps.",
    chooseWhen: "Never. Hand main the finished snapshot.",
    // github.com/GetStream/stream-chat-swift/pull/4218: "blocks the main thread when the context is
    // busy"
    knownAs: ["BackgroundDatabaseObserver before cached reads (Stream Chat)"],
    kind: .antiPattern,
    make: { try BackgroundSnapshot($0, mainWaits: true) })

  init(_ environment: TopologyEnvironment, mainWaits: Bool) throws {
    stack = try ContextStack(mainOnCoordinator: environment)
    observer = ManagedObjectContext(
      name: "observer", queue: PrivateQueue(label: "observer", isWarm: true),
      parent: stack.main.parent)
    snapshots = environment.lists.map { [observer] in
      SnapshotList($0, on: observer, for: environment.mainQueue, mainWaits: mainWaits)
    }
  }

  package func load() async throws {
    try await observer.perform { [observer, snapshots] in
      observer.automaticallyMergesChangesFromParent = true
      for list in snapshots { try list.performFetch() }
    }
    try await main.perform {}
  }

  package func saveInBackground(by writer: Int, _ work: @escaping BackgroundWork) async throws {
    try await stack.worker(on: workers[writer], savingInto: stack.main.parent).performAndSave(work)
  }

  /// Maps what it finds to values, like the list.
  package func search(_ query: ListQuery) async throws -> any ListOnMain & Sendable {
    let cells = try await observer.perform { [observer] in
      try observer.fetch(query.foundAtOnce.realised).map { $0.cell(query) }
    }
    return FoundValues(cells: cells, columns: query.entity.columns.count)
  }

  package func settle() async throws {
    try await observer.perform {}
    try await stack.settle()
  }

  package var list: any ListOnMain { snapshots.first ?? NoList() }

  package var lists: [any ListOnMain] { snapshots }
}

private struct Snapshot {
  var cells: [ContiguousArray<Value>] = []
  var sections: [ListSection] = []
}

// @unchecked: `controller` and `mapped` are confined to the observer's queue, `snapshot` to main.
final class SnapshotList: ListOnMain, @unchecked Sendable {
  private let observer: ManagedObjectContext
  private let controller: FetchedResultsController
  private let main: any SerialQueue
  /// Whether main has no snapshot but reads by `performAndWait`.
  private let mainWaits: Bool
  private let query: ListQuery
  private let didChange: @Sendable (ListEvent) -> Void
  private var mapped = Snapshot()
  private var snapshot = Snapshot()

  init(
    _ list: ListDescription, on observer: ManagedObjectContext, for main: any SerialQueue,
    mainWaits: Bool
  ) {
    self.observer = observer
    self.main = main
    self.mainWaits = mainWaits
    query = list.query
    didChange = list.didChange
    controller = FetchedResultsController(
      query.request.realised, in: observer, sections: query.sections)
    controller.onChange = { [unowned self] in handOver($0) }
  }

  /// Call it on the observer's queue.
  func performFetch() throws {
    try controller.performFetch()
    handOver(nil)
  }

  /// - Parameter changes: nil for the first list.
  private func handOver(_ changes: ListChanges?) {
    let taken = Snapshot(
      cells: controller.fetchedObjects.map { $0.cell(query) },
      sections: query.sections == nil ? [] : controller.sections)
    if mainWaits { mapped = taken }
    main.async { [self] in
      Activity.slice(.list) {
        if !mainWaits { snapshot = taken }
        guard let changes else { return }
        Activity.count(.listChanges, changes.count)
        didChange(.changes(changes))
      }
    }
  }

  private func read<R>(_ body: (Snapshot) -> R) -> R {
    mainWaits ? observer.performAndWait { body(mapped) } : body(snapshot)
  }

  var count: Int { read(\.cells.count) }

  func row(at index: Int) -> ContiguousArray<Value> {
    query.related.isEmpty
      ? cell(at: index) : ContiguousArray(cell(at: index).prefix(query.entity.columns.count))
  }

  /// If `mainWaits`, the list may become shorter between two reads. A missing row reads as empty.
  func cell(at index: Int) -> ContiguousArray<Value> {
    read { $0.cells.indices.contains(index) ? $0.cells[index] : [] }
  }

  var sections: [ListSection] { read(\.sections) }
}
