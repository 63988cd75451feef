public import ObjectGraph
public import Queues

/// A way to keep a list in a database while its rows change. The harness knows no more of it than
/// this.
///
/// A topology need not have contexts. Asynchronous calls must not block the calling thread; they
/// hand over to queues of their own. Only `apply(_:by:)` of different writers may run at the same
/// time. The synchronous calls come on the main queue.
public protocol Topology: AnyObject, Sendable {
  /// Opens the store and fetches the lists for the first time.
  func load() async throws

  /// Applies a batch of changes in the background. Returns when this topology considers it saved.
  func apply(_ batch: [Change]) async throws

  /// Applies a batch as one of several workers, which may run at the same time.
  ///
  /// - Parameter writer: the worker's number, from 0. Batches of one worker come one after the
  ///   other.
  func apply(_ batch: [Change], by writer: Int) async throws

  /// Returns when every applied change is durable and has reached every list on main, and main has
  /// run what was submitted to it before.
  func settle() async throws

  /// Reads or purges the store's whole history, beside the stream of changes. A topology that
  /// cannot refuses `WorkKind.history`.
  func use(_ history: HistoryRequest) async throws

  /// Releases everything that holds the store open.
  func close() async throws

  /// The end of the last commit to SQLite.
  var lastCommit: Instant? { get }

  /// The list on screen, which is the first of `lists`; empty if there is none. Use it on the main
  /// queue only.
  var list: any ListOnMain { get }

  /// The environment's lists, in its order. A topology that shows one list need not implement it;
  /// scenarios with another number of lists are then errors. Use them on the main queue only.
  var lists: [any ListOnMain] { get }

  /// Finds and reads the rows with these keys, as when the user looks something up. Runs on the
  /// main queue. Returns the number of rows found.
  func fetchOnMain(_ keys: [Value]) throws -> Int

  /// Makes and saves changes on the main queue, as when the user edits. `settle` waits for their
  /// consequences elsewhere.
  func editOnMain(_ changes: [Change]) throws

  /// A frame shows these rows of the list, before it reads them. Runs on the main queue, in the
  /// frame. Nothing may change there.
  func visibleRowsDidChange(_ rows: Range<Int>)

  /// The number of main's objects that show other values than the store, once everything has
  /// settled. Runs on the main queue and reads their rows. Nil for a topology without objects.
  func staleObjectsOnMain() throws -> Int?

  /// Counts of the topology's own work since it was loaded, by name. Read on the main queue.
  var notes: [String: Double] { get }
}

extension Topology {
  /// Ignores the writer. Right for a topology that serves one batch at a time.
  public func apply(_ batch: [Change], by writer: Int) async throws {
    try await apply(batch)
  }

  /// Does nothing.
  public func use(_ history: HistoryRequest) async throws {}

  public var lists: [any ListOnMain] { [list] }

  /// Does nothing.
  public func visibleRowsDidChange(_ rows: Range<Int>) {}

  public func staleObjectsOnMain() throws -> Int? { nil }

  public var notes: [String: Double] { [:] }
}

/// A request for the store's whole history.
public enum HistoryRequest: Sendable {
  case read, purge
}

/// The rows of a list, in order. Used on the main queue only.
public protocol ListOnMain {
  var count: Int { get }
  /// The values of a row, read as a table cell reads them. Fires the row's fault.
  func row(at index: Int) -> ContiguousArray<Value>
}

/// A change of the list, for its screen.
public enum ListEvent: Sendable {
  case changes(ListChanges)
  /// Any row may have changed.
  case reload
}

/// Which of main's objects are realised when the window opens.
public enum Realised: String, Sendable, CaseIterable {
  /// None. Frames do not read rows.
  case none
  /// The rows that a frame shows.
  case visible
  case all
}
