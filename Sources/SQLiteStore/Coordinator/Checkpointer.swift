import GRDB
import GRDBSQLite
import Queues
import Synchronization

/// The checkpoint policy: after a commit that leaves the WAL at or above the threshold, what can be
/// copied into the database without waiting for anyone is copied, on the committing thread.
///
/// This is SQLite's own automatic checkpoint, made visible: the time is reported to the thread's
/// recorder.
final class Checkpointer: Sendable {
  private let threshold: Int
  private let checkpoints = Atomic<Int>(0)
  private let didCommit: (@Sendable () -> Void)?

  /// - Parameter didCommit: told after each commit, and after its checkpoint, on the committing thread.
  init(threshold: Int, didCommit: (@Sendable () -> Void)? = nil) {
    self.threshold = threshold
    self.didCommit = didCommit
  }

  /// How many checkpoints have run.
  var count: Int { checkpoints.load(ordering: .relaxed) }

  /// Takes over from the connection's automatic checkpoints.
  ///
  /// The connection does not retain this object, which must live as long as that does.
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

  /// A checkpoint that cannot run now (another connection is at one) is left to the next commit.
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
