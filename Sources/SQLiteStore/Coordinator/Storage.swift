import CSlowDisk
import GRDBSQLite
import Queues

// Where a store's bytes go. A server's disk flatters whoever writes on the main queue; a phone's flash
// does not. So a shim beneath SQLite can make this disk take as long as a phone's:
//
//   what                   on top of this disk    from
//   a sync                 3.3 ms                 the median time of a random write of 4 KiB on a Google Pixel,
//                                                 on a Moto Z 0.5 ms (T. Glek, "Laggy phones and misleading
//                                                 benchmarks", taras.glek.net, 2016, with fio)
//   4 KiB written          31 µs                  130 MB/s, about what eMMC 5.1 writes in sequence: a page cache
//                                                 under pressure takes bytes no faster than the flash drains it
//
// Both are paid on the thread that makes SQLite's call, so that they fall into the slices and gaps of whoever
// made it. Reads cost nothing extra: what a list shows is in the page cache.

/// The disk beneath every store that this process opens.
package enum Storage: String, CaseIterable, Sendable {
  /// This machine's.
  case local
  /// As slow as a phone's flash.
  case phone

  /// How much longer one sync takes than on this machine's disk.
  package var syncCost: Duration {
    switch self {
    case .local: .zero
    case .phone: .microseconds(3300)
    }
  }

  /// The same for each KiB that is written.
  package var writeCostPerKiB: Duration {
    switch self {
    case .local: .zero
    case .phone: .nanoseconds(7877)
    }
  }

  /// Runs `body`; every store that is opened meanwhile, by whomever in this process, lies on this disk,
  /// and stays there until it is closed.
  ///
  /// - Throws: what `body` throws; a SQLite error if the disk cannot be put beneath SQLite.
  package func whileInUse<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async throws -> Result {
    guard self != .local else { return try await body() }
    let profile = cslowdisk_profile(
      sync: syncCost.wholeNanoseconds, write_per_kib: writeCostPerKiB.wholeNanoseconds)
    try Self.check(cslowdisk_start(profile))
    defer { cslowdisk_stop() }
    return try await body()
  }

  /// Waits as long as a sync takes on top of this machine's, if a slow disk is in use: for those who sync
  /// without SQLite.
  package static func waitForSync() {
    cslowdisk_wait_for_sync()
  }

  /// What SQLite has written and synced through slow disks, in this process.
  package static var use: (syncs: Int, bytesWritten: Int) {
    (Int(cslowdisk_syncs()), Int(cslowdisk_bytes_written()))
  }

  private static func check(_ code: CInt) throws {
    guard code == SQLITE_OK else { throw StorageError(code: Int(code)) }
  }
}

/// SQLite does not take the slow disk.
package struct StorageError: Error, CustomStringConvertible {
  let code: Int

  package var description: String { "SQLite refused the slow disk: result code \(code)" }
}
