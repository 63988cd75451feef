public import ObjectGraph
public import Queues

/// The seam: all that the harness knows of a way to keep a list in a database while it changes.
///
/// Something that is no context at all can stand behind it as well. The asynchronous calls must not
/// block the thread they are called on: they hand over to queues of their own. They come from one task
/// at a time, but for `apply(_:by:)` of different writers. The synchronous ones are called on the main
/// queue.
public protocol Topology: AnyObject, Sendable {
  /// Opens the store and fetches the list for the first time.
  func load() async throws

  /// Applies a batch of changes in the background, and returns when this topology calls it saved.
  func apply(_ batch: [Change]) async throws

  /// The same by one of several workers, which may be at work at the same time.
  ///
  /// - Parameter writer: which one, from 0. Calls for the same one come one after the other.
  func apply(_ batch: [Change], by writer: Int) async throws

  /// Returns when every change that was applied is durable and has reached the list on main.
  func settle() async throws

  /// Lets go of everything that holds the store open.
  func close() async throws

  /// When the last commit to SQLite ended.
  var lastCommit: Instant? { get }

  /// The list on screen. On the main queue only.
  var list: any ListOnMain { get }

  /// What an app does when the user looks something up: finds the rows of these keys and reads them.
  /// On the main queue. Returns how many were found.
  func fetchOnMain(_ keys: [Value]) throws -> Int

  /// What an app does when the user edits: changes made and saved on the main queue. What follows
  /// from it elsewhere is waited for by `settle`.
  func editOnMain(_ changes: [Change]) throws

  /// A frame shows these rows of the list, of so many that the list has. On the main queue, in the
  /// frame, before its rows are read; nothing may change there.
  func visibleRowsDidChange(_ rows: Range<Int>)

  /// What this topology counted of its own work since it was loaded, by name. On the main queue.
  var notes: [String: Double] { get }
}

extension Topology {
  /// As if there were one writer: right for whatever lets one batch in at a time anyway.
  public func apply(_ batch: [Change], by writer: Int) async throws {
    try await apply(batch)
  }

  /// Nothing: most topologies treat all rows alike.
  public func visibleRowsDidChange(_ rows: Range<Int>) {}

  /// Nothing.
  public var notes: [String: Double] { [:] }
}

/// The rows of the list on screen, in its order. On the main queue only.
public protocol ListOnMain {
  var count: Int { get }
  /// The values of a row, read as a cell reads them; fires its fault if it is one.
  func row(at index: Int) -> ContiguousArray<Value>
}

/// What a list tells its screen.
public enum ListEvent: Sendable {
  case changes(ListChanges)
  /// Everything may be different.
  case reload
}

/// Which of main's objects are realised when the window opens, beside those that a frame shows.
public enum Realised: String, Sendable, CaseIterable {
  /// None: frames do not read rows.
  case none
  /// Those that a frame shows.
  case visible
  case all
}
