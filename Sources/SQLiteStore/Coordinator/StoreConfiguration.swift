public import Foundation

/// Which lock a coordinator holds while it serves a request. Nothing else differs between the two:
/// not the journal, not the connections, not the SQL.
public enum StoreMode: String, CaseIterable, Sendable {
  /// One lock for the whole request, SQL included: a fetch waits for another context's save (Core
  /// Data before 2016).
  case serial
  /// A lock held briefly for the row cache and for handing out connections: WAL lets readers and one
  /// writer go on beside each other (Core Data since 2016).
  case pool
}

/// When SQLite asks the disk to have written (`PRAGMA synchronous`).
public enum Synchronous: String, CaseIterable, Sendable {
  case off = "OFF"
  /// At checkpoints only: a power cut can take the last commits, never the file's consistency.
  case normal = "NORMAL"
  /// At every commit.
  case full = "FULL"
}

/// How a store is opened. The journal is always WAL.
public struct StoreConfiguration: Sendable {
  public var url: URL
  public var mode: StoreMode
  public var synchronous = Synchronous.normal
  /// How many connections read; at least 1. One more writes. All are opened at once, so that no
  /// request pays for opening one.
  public var readerCount = 4
  /// The length of the WAL, in pages, from which a commit is followed by a passive checkpoint on the
  /// committing thread; SQLite's own default is the same.
  public var checkpointThreshold = 1000
  /// How long a request waits in total for a lock that a connection of *another* coordinator or
  /// process holds, before it fails with SQLite's `SQLITE_BUSY`.
  public var busyTimeout = Duration.seconds(10)

  /// Whether the store remembers every save and batch request: what other coordinators and
  /// processes merge from. Cannot be turned off again while there is history to be read.
  public var keepsHistory = false
  /// Whether a store of an older model is changed to fit, where the change follows from the two models:
  /// in place, in one transaction, before anything is read. Nobody else may have it open then.
  public var migratesAutomatically = false
  /// What time it is, for the history.
  package var now: @Sendable () -> Date = { Date() }

  public init(url: URL, mode: StoreMode) {
    self.url = url
    self.mode = mode
  }

  var path: String { url.path(percentEncoded: false) }
}
