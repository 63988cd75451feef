import GRDB
import GRDBSQLite

/// What SQLite is, and how it is set, for the environment file of a report.
package enum StoreEnvironment {
  /// The library's version, such as `3.40.1`.
  package static var sqliteVersion: String { String(cString: sqlite3_libversion()) }

  /// The options that the library was compiled with, without their `SQLITE_`.
  package static var compileOptions: [String] {
    var options: [String] = []
    while let option = sqlite3_compileoption_get(CInt(options.count)) {
      options.append(String(cString: option))
    }
    return options
  }

  /// The settings of a writing connection that is opened as this configuration says, by name.
  /// Makes an empty file where there is none.
  package static func pragmas(of configuration: StoreConfiguration) throws -> [String: String] {
    let queue = try StoreOpening(configuration).writer()
    defer { try? queue.close() }
    let names = [
      "journal_mode", "synchronous", "page_size", "cache_size", "mmap_size", "temp_store",
      "wal_autocheckpoint", "locking_mode", "encoding", "auto_vacuum", "foreign_keys",
      "fullfsync", "checkpoint_fullfsync",
    ]
    return try queue.inDatabase { database in
      var values: [String: String] = [:]
      for name in names {
        values[name] = try String.fetchOne(database, sql: "PRAGMA \(name)")
      }
      return values
    }
  }
}
