import GRDB
import GRDBSQLite
import Queues
import Synchronization

/// After a commit that leaves the WAL at the threshold or above, runs a passive checkpoint on the
/// committing thread. SQLite's automatic checkpoint does the same, but its time is not reported.
final class Checkpointer: Sendable {
  private let threshold: Int
  private let checkpoints = Atomic<Int>(0)
  private let didCommit: (@Sendable () -> Void)?

  init(threshold: Int, didCommit: (@Sendable () -> Void)? = nil) {
    self.threshold = threshold
    self.didCommit = didCommit
  }

  var count: Int { checkpoints.load(ordering: .relaxed) }

  /// This object must outlive the connection.
  func install(on connection: OpaquePointer) {
    sqlite3_wal_hook(
      connection,
      { checkpointer, connection, database, pages in
        guard let checkpointer else { return SQLITE_OK }
        Unmanaged<Checkpointer>.fromOpaque(checkpointer).takeUnretainedValue()
          .committed(connection, database, pages: Int(pages))
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// If another connection is running a checkpoint, the next commit tries again.
  private func committed(
    _ connection: OpaquePointer?, _ database: UnsafePointer<CChar>?, pages: Int
  ) {
    defer { didCommit?() }
    Activity.recorder?.timeline?.note(.committed, value: pages)
    guard pages >= threshold else { return }
    let clock = SystemClock()
    let start = clock.now()
    let code = sqlite3_wal_checkpoint_v2(
      connection, database, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    guard code == SQLITE_OK else { return }
    checkpoints.add(1, ordering: .relaxed)
    Activity.recorder?.checkpointed(from: start, to: clock.now())
  }
}
