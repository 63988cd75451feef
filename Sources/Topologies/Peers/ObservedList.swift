import GRDB
import ObjectGraph
import Queues
import SQLiteStore

// A value observation fetches the whole list after each commit that changed one of its rows. In a
// pool it reads beside the writer, and skips commits that a later fetch covers:
//
//   writer     COMMIT 1    COMMIT 2    COMMIT 3
//   changes       1           2           3
//   fetch           ├─ 1 ──────────────┤  ├─ 3 ──┤       numbered when its transaction begins:
//   main                               ▼         ▼       it contains at least this many changes
//
// GRDB does not report which commits a value contains. So each fetch notes the number of changes
// when its connection began to read.

// @unchecked: `rows` and `isShown` are confined to the main queue, `cancellable` to the task that
// starts and ends the observation.
final class ObservedList: ListOnMain, @unchecked Sendable {
  private struct Fetched {
    var rows: [RowRecord] = []
    var sections: [ListSection] = []
    /// A lower bound of the number of changes in the list.
    var changes = 0
  }

  private let configuration: StoreConfiguration
  private let query: RowQuery
  private let sectionKey: SectionKey?
  private let main: any SerialQueue
  private let didChange: @Sendable (ListEvent) -> Void
  let progress = ObservationProgress()
  private let prices = Prices.current
  private var shown = Fetched()
  /// Whether the first list has arrived. Its arrival is no change.
  private var isShown = false
  private var cancellable: AnyDatabaseCancellable?

  init(_ environment: TopologyEnvironment, _ list: ListDescription, in schema: Schema) {
    configuration = environment.storeConfiguration
    query = RowQuery(list.query, in: schema)
    sectionKey = list.query.sections
    main = environment.mainQueue
    didChange = list.didChange
  }

  /// Returns when main has the current rows.
  func start(in database: any DatabaseReader) async throws {
    let (progress, configuration) = (progress, configuration)
    let observation = ValueObservation.trackingConstantRegion { [self] database in
      try fetch(database)
    }.handleEvents(
      willTrackRegion: { _ in progress.began() }, databaseDidChange: { progress.changed() })
    cancellable = observation.start(
      in: database, scheduling: MainScheduler(queue: main),
      onError: { progress.failed(configuration.reported($0, .reading)) },
      onChange: { [weak self] in self?.take($0) })
    try await progress.allArrived()
    main.async { [self] in isShown = true }
  }

  func cancel() {
    cancellable?.cancel()
    cancellable = nil
  }

  private func fetch(_ database: Database) throws -> Fetched {
    guard let prices else { return try fetchUnpriced(database) }
    return try prices.charging { try fetchUnpriced(database) }
  }

  private func fetchUnpriced(_ database: Database) throws -> Fetched {
    let changes = progress.changesWhenBegan(database.sqliteConnection)
    let rows = try query.records(database)
    let column = sectionKey?.column ?? 0
    return Fetched(
      rows: rows, sections: ListSection.all(rows.lazy.map { $0.values[column] }, by: sectionKey),
      changes: changes)
  }

  /// Replaces the list on main. The old list is deallocated here.
  private func take(_ fetched: Fetched) {
    shown = fetched
    if isShown { didChange(.reload) }
    progress.arrived(fetched.changes)
  }

  var count: Int { shown.rows.count }

  func row(at index: Int) -> ContiguousArray<Value> { query.row(of: shown.rows[index]) }

  func cell(at index: Int) -> ContiguousArray<Value> { shown.rows[index].values }

  var sections: [ListSection] { shown.sections }
}

private struct MainScheduler: ValueObservationScheduler {
  let queue: any SerialQueue

  func immediateInitialValue() -> Bool { false }

  func schedule(_ action: @escaping @Sendable () -> Void) {
    queue.async { Activity.slice(.list, action) }
  }
}
