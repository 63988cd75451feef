import GRDB
import GRDBSQLite

/// SQLite's version and settings, for the environment file of a report.
package enum StoreEnvironment {
  /// Such as `3.40.1`.
  package static var sqliteVersion: String { String(cString: sqlite3_libversion()) }

  /// Without the prefix `SQLITE_`.
  package static var compileOptions: [String] {
    var options: [String] = []
    while let option = sqlite3_compileoption_get(CInt(options.count)) {
      options.append(String(cString: option))
    }
    return options
  }

  /// Source: https://sqlite.org/pragma.html#pragma_synchronous.
  package static func guarantee(of pragmas: [String: String]) -> String {
    let journal = pragmas["journal_mode"]
    let place = journal == "wal" ? "the WAL" : "the database file (journal \(journal ?? "unknown"))"
    let syncs =
      switch pragmas["synchronous"] {
      case "0": "OFF never syncs"
      case "1": journal == "wal" ? "NORMAL syncs at checkpoints only" : "NORMAL syncs most commits"
      case "2": "FULL syncs each commit"
      case "3": "EXTRA syncs each commit and its folder"
      default: "unknown"
      }
    return "committed to \(place); synchronous=\(syncs)"
  }

  /// The pragmas of a writing connection. Creates an empty file if there is none.
  package static func pragmas(of configuration: StoreConfiguration) throws -> [String: String] {
    let queue = try StoreOpening(configuration).writer()
    defer { try? queue.close() }
    let names = [
      "journal_mode", "synchronous", "page_size", "cache_size", "mmap_size", "temp_store",
      "wal_autocheckpoint", "locking_mode", "encoding", "auto_vacuum", "foreign_keys",
      "fullfsync", "checkpoint_fullfsync",
    ]
    return try queue.inDatabase { database in
      try names.reduce(into: [:]) { $0[$1] = try String.fetchOne(database, sql: "PRAGMA \($1)") }
    }
  }
}
