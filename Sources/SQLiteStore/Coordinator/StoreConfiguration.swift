public import Foundation

/// The lock that a coordinator holds while it serves a request. Both modes share all else.
public enum StoreMode: String, CaseIterable, Sendable {
  /// One lock for the whole request, SQL included: a fetch waits for another context's save. Core
  /// Data did this before 2016.
  case serial
  /// A short lock for the row cache and for lending connections. WAL lets readers and one writer
  /// work at the same time. Core Data has done this since 2016.
  case pool
}

/// When SQLite syncs the disk (`PRAGMA synchronous`).
public enum Synchronous: String, CaseIterable, Sendable {
  case off = "OFF"
  /// At checkpoints only. A power cut can lose the last commits, but never corrupts the file.
  case normal = "NORMAL"
  /// At every commit.
  case full = "FULL"
}

/// How a store is opened. The journal is always WAL.
public struct StoreConfiguration: Sendable {
  public var url: URL
  public var mode: StoreMode
  public var synchronous = Synchronous.normal
  /// The number of reading connections, at least 1, besides one writing connection. All are opened
  /// with the store.
  public var readerCount = 4
  /// The WAL length in pages from which a commit runs a passive checkpoint on the committing
  /// thread. This is SQLite's default.
  public var checkpointThreshold = 1000
  /// How long a request waits in total for a lock of *another* coordinator or process, before it
  /// fails with `SQLITE_BUSY`.
  public var busyTimeout = Duration.seconds(10)

  /// Whether the store records every save and batch request, for other coordinators and processes
  /// to merge. It cannot be turned off while the history has entries.
  public var keepsHistory = false
  /// Whether a store of an older model is migrated, if the two models determine how: in place, in
  /// one transaction. Nobody else may have the store open.
  public var migratesAutomatically = false
  /// The current time, for the history.
  package var now: @Sendable () -> Date = { Date() }

  public init(url: URL, mode: StoreMode) {
    self.url = url
    self.mode = mode
  }

  var path: String { url.path(percentEncoded: false) }
}
