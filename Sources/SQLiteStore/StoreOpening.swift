import Foundation
import GRDB
import ObjectGraph

/// Opens connections to a store's file, all configured alike.
struct StoreOpening {
  let configuration: StoreConfiguration
  let checkpointer: Checkpointer

  init(_ configuration: StoreConfiguration) {
    self.configuration = configuration
    self.checkpointer = Checkpointer(threshold: configuration.checkpointThreshold)
  }

  /// A connection that writes, and makes the file where there is none.
  func writer() throws -> DatabaseQueue {
    do {
      let queue = try DatabaseQueue(
        path: configuration.path, configuration: connectionConfiguration(readonly: false))
      try queue.inDatabase { database in
        try database.execute(sql: "PRAGMA journal_mode = WAL")
        try database.execute(sql: "PRAGMA synchronous = \(configuration.synchronous.rawValue)")
        try database.execute(sql: "PRAGMA wal_autocheckpoint = 0")
        if let handle = database.sqliteConnection { checkpointer.install(on: handle) }
      }
      return queue
    } catch let error as DatabaseError where error.resultCode == .SQLITE_NOTADB {
      throw StoreError.notADatabase(path: configuration.path)
    }
  }

  /// A connection that reads. The file and its WAL must be there: open a writer first.
  func reader() throws -> DatabaseQueue {
    try DatabaseQueue(
      path: configuration.path, configuration: connectionConfiguration(readonly: true))
  }

  private func connectionConfiguration(readonly: Bool) -> Configuration {
    let busy = BusyHandler(timeout: configuration.busyTimeout)
    var result = Configuration()
    result.readonly = readonly
    // The journal is set by hand: GRDB's way of doing it writes to the file each time.
    result.journalMode = .default
    result.foreignKeysEnabled = false
    // Requests step BEGIN and COMMIT themselves, and prepare statements in between.
    result.allowsUnsafeTransactions = true
    result.busyMode = .callback { busy.shouldRetry(after: $0) }
    result.label = readonly ? "store reader" : "store writer"
    return result
  }
}

/// What a store says of itself.
struct StoreMetadata: Equatable {
  var uuid: String
  var modelDescription: String

  static let version = 1

  /// The metadata of the store in this database; of a new store of the model if it is empty.
  ///
  /// - Throws: `StoreError` if it is something else, or of another model.
  static func openingStore(
    in database: Database, at path: String, for schema: Schema
  ) throws -> StoreMetadata {
    if try database.tableExists("Z_METADATA") {
      return try read(from: database, at: path, for: schema)
    }
    // Another process may be making the same store: look again with the write lock.
    var metadata: StoreMetadata?
    try database.inTransaction(.immediate) {
      if try database.tableExists("Z_METADATA") {
        metadata = try read(from: database, at: path, for: schema)
      } else {
        metadata = try create(in: database, at: path, for: schema)
      }
      return .commit
    }
    guard let metadata else { throw StoreError.notAStore(path: path) }
    return metadata
  }

  private static func read(
    from database: Database, at path: String, for schema: Schema
  ) throws -> StoreMetadata {
    let row = try Row.fetchOne(
      database, sql: "SELECT Z_UUID, Z_MODEL FROM Z_METADATA WHERE Z_VERSION = ?",
      arguments: [version])
    guard let row else { throw StoreError.notAStore(path: path) }
    let metadata = StoreMetadata(uuid: row["Z_UUID"], modelDescription: row["Z_MODEL"])
    guard metadata.modelDescription == schema.modelDescription else {
      throw StoreError.otherModel(
        path: path, stored: metadata.modelDescription, expected: schema.modelDescription)
    }
    return metadata
  }

  private static func create(
    in database: Database, at path: String, for schema: Schema
  ) throws -> StoreMetadata {
    let isEmpty = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0
    guard isEmpty else { throw StoreError.notAStore(path: path) }
    try schema.create(in: database)
    let metadata = StoreMetadata(
      uuid: UUID().uuidString, modelDescription: schema.modelDescription)
    try database.execute(
      sql: "INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_MODEL) VALUES (?, ?, ?)",
      arguments: [version, metadata.uuid, metadata.modelDescription])
    return metadata
  }
}
