import CSlowDisk
import GRDBSQLite
import Queues

// The disk beneath a store. A server's disk makes writing on the main queue look cheaper than a
// phone's flash does. So a shim beneath SQLite can make this disk as slow as a phone's:
//
//   added cost              source
//   sync:           3.3 ms  median of a random 4 KiB write on a Google Pixel with fio; 0.5 ms on
//                           a Moto Z (T. Glek, "Laggy phones and misleading benchmarks",
//                           taras.glek.net, 2016)
//   4 KiB written:  31 µs   130 MB/s, about the sequential writes of eMMC 5.1: a page cache under
//                           pressure takes bytes no faster than the flash drains it
//
// The thread that calls SQLite spends the added time. Reads cost nothing extra: the rows that a
// list shows are in the page cache.

/// The disk beneath every store that this process opens.
package enum Storage: String, CaseIterable, Sendable {
  /// This machine's disk.
  case local
  /// As slow as a phone's flash.
  case phone

  /// The time that one sync takes on top of this machine's disk.
  package var syncCost: Duration {
    switch self {
    case .local: .zero
    case .phone: .microseconds(3300)
    }
  }

  /// The time that writing one KiB takes on top of this machine's disk.
  package var writeCostPerKiB: Duration {
    switch self {
    case .local: .zero
    case .phone: .nanoseconds(7877)
    }
  }

  /// Runs `body`. Every store that this process opens meanwhile lies on this disk until it is
  /// closed.
  ///
  /// - Throws: the error of `body`, or a SQLite error if the slow disk cannot be installed.
  package func whileInUse<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async throws -> Result {
    guard self != .local else { return try await body() }
    let profile = cslowdisk_profile(
      sync: syncCost.wholeNanoseconds, write_per_kib: writeCostPerKiB.wholeNanoseconds)
    let code = cslowdisk_start(profile)
    guard code == SQLITE_OK else { throw StorageError(code: Int(code)) }
    defer { cslowdisk_stop() }
    return try await body()
  }

  /// Waits as long as a sync takes on top of this machine's disk, for syncs without SQLite.
  package static func waitForSync() { cslowdisk_wait_for_sync() }

  /// The syncs and bytes that SQLite wrote through slow disks in this process.
  package static var use: (syncs: Int, bytesWritten: Int) {
    (Int(cslowdisk_syncs()), Int(cslowdisk_bytes_written()))
  }

}

/// SQLite refused the slow disk.
package struct StorageError: Error, CustomStringConvertible {
  let code: Int

  package var description: String { "SQLite refused the slow disk: result code \(code)" }
}
