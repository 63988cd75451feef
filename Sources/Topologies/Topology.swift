public import ObjectGraph
public import Queues

/// A way to keep a list in a database while its rows change, with or without contexts.
///
/// Asynchronous calls must not block the calling thread. Only `apply(_:by:)` of different writers
/// may run at the same time. Synchronous calls come on the main queue.
public protocol Topology: AnyObject, Sendable {
  /// Fetches the lists for the first time. The topology's initialiser opened the store.
  func load() async throws

  /// Opens the connections that the store otherwise opens when a read needs them. Called after the
  /// first frame, before changes are measured.
  func openReaders() async throws

  /// Applies changes in the background. Returns when this topology considers them saved.
  func apply(_ batch: ChangeBatch) async throws

  /// Applies a batch as one of several workers.
  ///
  /// - Parameter writer: the worker's number, from 0. A worker's batches are applied one after
  ///   another.
  func apply(_ batch: ChangeBatch, by writer: Int) async throws

  /// Returns when all changes are durable and in main's lists, and main has run all earlier blocks.
  func settle() async throws

  /// Reads or purges the history while changes are applied. A topology without a history names
  /// `WorkKind.history` among its refusals.
  func use(_ history: HistoryRequest) async throws

  /// Releases everything that holds the store open.
  func close() async throws

  /// The end of the last commit to SQLite.
  var lastCommit: Instant? { get }

  /// The list on screen: the first of `lists`, or an empty list.
  var list: any ListOnMain { get }

  /// The environment's lists, in its order. Without an implementation, only scenarios with one list
  /// are possible.
  var lists: [any ListOnMain] { get }

  /// Finds and reads the rows with these keys, like a user's lookup. Returns the number of rows.
  func fetchOnMain(_ keys: [Value]) throws -> Int

  /// Makes and saves changes, like a user's edit. `settle` waits until they are durable and in
  /// main's lists.
  func editOnMain(_ changes: [Change]) throws

  /// Counts all rows that match, like a badge. Ignores the query's limit, order and batch size.
  func countOnMain(_ query: ListQuery) throws -> Int

  /// Finds the rows that match, in order and within the limit, like a search field. The list has
  /// neither batches nor sections, and is read at once.
  func searchOnMain(_ query: ListQuery) throws -> any ListOnMain

  /// Counts like `countOnMain`, in the background. Any thread may call it.
  func count(_ query: ListQuery) async throws -> Int

  /// Finds rows like `searchOnMain`, in the background. Any thread may call it. The list is read
  /// on main only, soon after; its rows may have changed or gone.
  func search(_ query: ListQuery) async throws -> any ListOnMain & Sendable

  /// Called in each frame, before the frame reads these rows of the list. It must not change the
  /// list.
  func visibleRowsDidChange(_ rows: Range<Int>)

  /// The number of main's objects whose values differ from the store, after everything has settled.
  /// Reads their rows. Nil for a topology without objects.
  func staleObjectsOnMain() throws -> Int?

  /// Counts of the topology's own work since it was loaded, by name.
  var notes: [String: Double] { get }
}

extension Topology {
  /// Does nothing.
  public func openReaders() async throws {}

  /// Ignores the writer: for a topology that serves one batch at a time.
  public func apply(_ batch: ChangeBatch, by writer: Int) async throws {
    try await apply(batch)
  }

  /// Does nothing.
  public func use(_ history: HistoryRequest) async throws {}

  public var lists: [any ListOnMain] { [list] }

  /// Throws. A scenario whose user asks nothing does not call it.
  public func countOnMain(_ query: ListQuery) throws -> Int {
    throw NotAnswered(function: "countOnMain(_:)")
  }

  /// Throws. A scenario whose user asks nothing does not call it.
  public func searchOnMain(_ query: ListQuery) throws -> any ListOnMain {
    throw NotAnswered(function: "searchOnMain(_:)")
  }

  /// Throws. A scenario whose user asks nothing does not call it.
  public func count(_ query: ListQuery) async throws -> Int {
    throw NotAnswered(function: "count(_:)")
  }

  /// Throws. A scenario whose user asks nothing does not call it.
  public func search(_ query: ListQuery) async throws -> any ListOnMain & Sendable {
    throw NotAnswered(function: "search(_:)")
  }

  /// Does nothing.
  public func visibleRowsDidChange(_ rows: Range<Int>) {}

  public func staleObjectsOnMain() throws -> Int? { nil }

  public var notes: [String: Double] { [:] }
}

/// A request for the whole history.
public enum HistoryRequest: Sendable {
  case read, purge
}

/// The rows of a list, in order. For the main queue only.
public protocol ListOnMain {
  var count: Int { get }
  /// The values of a row. Fires the row's fault.
  func row(at index: Int) -> ContiguousArray<Value>
  /// The values that a table cell reads: the row's, then those of the query's `related`.
  func cell(at index: Int) -> ContiguousArray<Value>
  /// All sections, as a table asks for them after a change. Empty for a list without sections.
  var sections: [ListSection] { get }
}

extension ListOnMain {
  public func cell(at index: Int) -> ContiguousArray<Value> { row(at: index) }

  public var sections: [ListSection] { [] }
}

/// A change of a list.
public enum ListEvent: Sendable {
  case changes(ListChanges)
  /// Any row may have changed.
  case reload
}

/// Which of main's objects are realised at the start of measuring.
public enum Realised: String, Sendable, CaseIterable {
  /// None. Frames do not read rows.
  case none
  /// The rows that a frame shows.
  case visible
  case all
}
