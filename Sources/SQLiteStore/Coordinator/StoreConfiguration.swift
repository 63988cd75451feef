public import Foundation

/// The lock that a coordinator holds while it serves a request.
public enum StoreMode: String, CaseIterable, Sendable {
  /// One lock for the whole request, SQL included: a fetch waits for another context's save. Core
  /// Data before 2016.
  case serial
  /// A short lock for the row cache and for lending connections. WAL lets readers and one writer
  /// work at the same time. Core Data since 2016.
  case pool
}

/// When SQLite syncs the disk (`PRAGMA synchronous`), and what may be lost in a power cut.
///
/// A killed process loses no commit in any of them. Except with `off`, a commit is found whole or
/// not at all, with its history, and a migration is finished or has not begun.
public enum Synchronous: String, CaseIterable, Sendable {
  /// Never. A power cut can damage the file.
  case off = "OFF"
  /// At checkpoints. A power cut may lose the commits since the last checkpoint or closing.
  case normal = "NORMAL"
  /// At every commit. A commit whose request has returned survives a power cut.
  case full = "FULL"
}

/// How a store is opened. The journal is always WAL.
///
/// Example: `Snippets/migration.swift`.
public struct StoreConfiguration: Sendable {
  public var url: URL
  public var mode: StoreMode
  public var synchronous = Synchronous.normal
  /// The most reading connections, at least 1, besides one writing connection. A read opens one if
  /// none is idle.
  public var readerCount = 4
  /// A commit that leaves this many pages in the WAL runs a passive checkpoint. SQLite's default.
  public var checkpointThreshold = 1000
  /// The longest wait for a lock of *another* coordinator or process. Then `SQLITE_BUSY` is thrown.
  public var busyTimeout = Duration.seconds(10)

  /// Records every save and batch request, for other coordinators and processes to merge. Cannot be
  /// turned off while the history has entries.
  public var keepsHistory = false
  /// Migrates a store of an older model, if the models determine how: in place, in one transaction.
  /// Nobody else may have the store open.
  public var migratesAutomatically = false
  package var now: @Sendable () -> Date = { Date() }

  public init(url: URL, mode: StoreMode) {
    self.url = url
    self.mode = mode
  }

  package var path: String { url.path(percentEncoded: false) }
}
