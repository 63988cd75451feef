import CSlowDisk
import GRDBSQLite
import Queues

// On a server's disk, a write on the main queue takes less time than on a phone's flash. A shim
// beneath SQLite adds a phone's cost, in the thread that calls SQLite:
//
//   added cost              source
//   sync:           3.3 ms  median of a random 4 KiB write on a Google Pixel with fio; 0.5 ms on
//                           a Moto Z (T. Glek, "Laggy phones and misleading benchmarks",
//                           taras.glek.net, 2016)
//   4 KiB written:  31 µs   130 MB/s, about the sequential writes of eMMC 5.1: a full page cache
//                           accepts bytes only as fast as the flash writes them
//
// Reads cost nothing extra: the rows of a list are in the page cache.

package enum Storage: String, CaseIterable, Sendable {
  case local, phone

  /// Added to each sync.
  package var syncCost: Duration { self == .phone ? .microseconds(3300) : .zero }

  /// Added to each KiB written.
  package var writeCostPerKiB: Duration { self == .phone ? .nanoseconds(7877) : .zero }

  /// Stores that this process opens during `body` lie on this disk until they are closed.
  ///
  /// - Throws: the error of `body`, or `StorageError`.
  package func whileInUse<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async throws -> Result {
    guard self != .local else { return try await body() }
    let profile = cslowdisk_profile(
      sync: syncCost.wholeNanoseconds, write_per_kib: writeCostPerKiB.wholeNanoseconds)
    let code = cslowdisk_start(profile)
    guard code == SQLITE_OK else { throw StorageError(code: code) }
    defer { cslowdisk_stop() }
    return try await body()
  }

  /// For syncs without SQLite.
  package static func waitForSync() { cslowdisk_wait_for_sync() }

  /// What went through slow disks in this process.
  package static var use: (syncs: Int, bytesWritten: Int) {
    (Int(cslowdisk_syncs()), Int(cslowdisk_bytes_written()))
  }
}

struct StorageError: Error, CustomStringConvertible {
  let code: CInt

  var description: String { "SQLite refused the slow disk: result code \(code)" }
}
