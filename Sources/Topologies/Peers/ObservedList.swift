import GRDB
import ObjectGraph
import Queues
import SQLiteStore

// A value observation fetches the whole list after each commit that changed a row of it, and hands it to
// main. In a pool it reads beside the writer, and leaves out what a later fetch brings anyway:
//
//   writer     COMMIT 1    COMMIT 2    COMMIT 3
//   changes       1           2           3
//   fetch           ├─ 1 ──────────────┤  ├─ 3 ──┤       numbered as it begins its transaction:
//   main                               ▼         ▼       it holds at least so many changes
//
// GRDB does not say which commit a value is of. So each fetch notes how many changes there were when
// its connection began to read; once main has a list of the last change, it has all.

/// The list on screen, kept by a `ValueObservation`.
// @unchecked: `rows` and `isShown` are confined to the main queue, `cancellable` to the one task that
// starts and ends the observation.
final class ObservedList: ListOnMain, @unchecked Sendable {
  /// A list, and how many changes it holds at least.
  private struct Fetched: Sendable {
    let rows: [RowRecord]
    let changes: Int
  }

  private let table: PlainTable
  private let order: [any SQLOrderingTerm & Sendable]
  private let main: any SerialQueue
  private let didChange: @Sendable (ListEvent) -> Void
  let deliveries = ObservationProgress()
  private var rows: [RowRecord] = []
  /// Whether the screen has it: what the observation begins with is no change.
  private var isShown = false
  private var cancellable: AnyDatabaseCancellable?

  init(_ environment: TopologyEnvironment, _ table: PlainTable) {
    self.table = table
    order = environment.sortDescriptors.map { descriptor in
      let column = Column(table.columns[descriptor.attribute].name)
      return descriptor.isAscending ? column.asc : column.desc
    }
    main = environment.mainQueue
    didChange = environment.listDidChange
  }

  /// Returns when main has the rows that are there.
  func start(in database: any DatabaseReader) async throws {
    let deliveries = deliveries
    let observation = ValueObservation.trackingConstantRegion { [self] database in
      try fetch(database)
    }.handleEvents(
      willTrackRegion: { _ in deliveries.began() }, databaseDidChange: { deliveries.changed() })
    cancellable = observation.start(
      in: database, scheduling: MainScheduler(queue: main),
      onError: { deliveries.failed($0) }, onChange: { [weak self] in self?.take($0) })
    try await deliveries.allArrived()
    main.async { [self] in isShown = true }
  }

  func cancel() {
    cancellable?.cancel()
    cancellable = nil
  }

  private func fetch(_ database: Database) throws -> Fetched {
    let changes = deliveries.changesWhenBegan(database.sqliteConnection)
    let rows = try RowRecord.of(table) {
      try RowRecord.rows().order(order).fetchAll(database)
    }
    return Fetched(rows: rows, changes: changes)
  }

  /// On main: the new list takes the old one's place, which ends here.
  private func take(_ fetched: Fetched) {
    rows = fetched.rows
    if isShown { didChange(.reload) }
    deliveries.arrived(fetched.changes)
  }

  var count: Int { rows.count }
  func row(at index: Int) -> ContiguousArray<Value> { rows[index].values }
}

/// Where GRDB's observations tell what is new: the simulated main queue.
private struct MainScheduler: ValueObservationScheduler {
  let queue: any SerialQueue

  func immediateInitialValue() -> Bool { false }

  func schedule(_ action: @escaping @Sendable () -> Void) {
    queue.async { Activity.slice(.list, action) }
  }
}
