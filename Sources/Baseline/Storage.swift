import CSlowDisk
import GRDBSQLite
import Queues

// A server's disk makes writing on the main queue look cheaper than a phone's flash does. A shim
// beneath SQLite adds a phone's cost, in the thread that calls SQLite:
//
//   added cost              source
//   sync:           3.3 ms  median of a random 4 KiB write on a Google Pixel with fio; 0.5 ms on
//                           a Moto Z (T. Glek, "Laggy phones and misleading benchmarks",
//                           taras.glek.net, 2016)
//   4 KiB written:  31 µs   130 MB/s, about the sequential writes of eMMC 5.1: a page cache under
//                           pressure takes bytes no faster than the flash drains it
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

  /// Through slow disks, in this process.
  package static var use: (syncs: Int, bytesWritten: Int) {
    (Int(cslowdisk_syncs()), Int(cslowdisk_bytes_written()))
  }
}

struct StorageError: Error, CustomStringConvertible {
  let code: CInt

  var description: String { "SQLite refused the slow disk: result code \(code)" }
}
