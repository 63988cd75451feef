import Foundation
import GRDB
import ObjectGraph
import Queues

/// The store's UUID and model, which a database is opened by.
struct StoreMetadata {
  let database: Database
  let path: String
  let schema: Schema

  private static let version = 2

  /// Creates the store if the database is empty.
  ///
  /// - Returns: the store's UUID.
  /// - Throws: `StoreError` if the file is no store, or its model cannot be migrated to this one.
  func open(migrating: Bool = false) throws -> String {
    if try database.hasTable("Z_METADATA") {
      let found = try read()
      guard try !isOfModel(found.model, elseThrow: !migrating) else { return found.uuid }
    }
    // Looks again under the write lock: another process may be creating or migrating the store.
    var uuid: String?
    try database.inTransaction(.immediate) {
      uuid = try makeOrMigrate(migrating)
      return .commit
    }
    guard let uuid else { throw StoreError.notAStore(path: path) }
    return uuid
  }

  private func read() throws -> (uuid: String, model: StoredModel) {
    guard let row = try metadata() else { throw StoreError.notAStore(path: path) }
    guard let uuid = String.fromDatabaseValue(row["Z_UUID"]), !uuid.isEmpty,
      let json = String.fromDatabaseValue(row["Z_MODEL"]),
      let model = try? StoredModel(json: json), model.isConsistent
    else { throw Damage(description: "Z_METADATA does not describe a store") }
    return (uuid, model)
  }

  /// Nil in a file of Core Data, whose table has other columns.
  private func metadata() throws -> Row? {
    do {
      return try Row.fetchOne(
        database, sql: "SELECT Z_UUID, Z_MODEL FROM Z_METADATA WHERE Z_VERSION = ?",
        arguments: [Self.version])
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      return nil
    }
  }

  private func isOfModel(_ stored: StoredModel, elseThrow: Bool) throws -> Bool {
    let expected = StoredModel(schema)
    if stored.isCompatible(with: expected) { return true }
    guard elseThrow, !stored.isReordered(expected) else { return false }
    throw StoreError.otherModel(
      path: path, stored: stored.description, expected: expected.description)
  }

  private func makeOrMigrate(_ migrating: Bool) throws -> String {
    guard try database.hasTable("Z_METADATA") else { return try make() }
    let found = try read()
    if try isOfModel(found.model, elseThrow: !migrating) { return found.uuid }
    let migration = try Migration(from: found.model, to: schema, in: database, path: path)
    do { try migration.run() } catch let error as DatabaseError where error.isUniqueness {
      throw StoreError.cannotInfer(path: path, problems: try migration.repeatedValues())
    }
    try database.execute(
      sql: "UPDATE Z_METADATA SET Z_MODEL = ?", arguments: [StoredModel(schema).json()])
    return found.uuid
  }

  private func make() throws -> String {
    let isEmpty = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0
    guard isEmpty else { throw StoreError.notAStore(path: path) }
    try schema.create(in: database)
    let uuid = UUID().uuidString
    try database.execute(
      sql: "INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_MODEL) VALUES (?, ?, ?)",
      arguments: [Self.version, uuid, StoredModel(schema).json()])
    return uuid
  }
}

/// The store numbers in object IDs, unique within this process.
///
/// Coordinators of one file share a number, so that their IDs are equal. A copied file keeps its
/// UUID, so the resolved path is part of the key.
enum StoreNumber {
  private static let numbers = Lock<[[String]: Int32]>([:])

  static func number(path: String, uuid: String) -> Int32 {
    let resolved = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
    return numbers.withLock { numbers in
      if let number = numbers[[resolved, uuid]] { return number }
      numbers[[resolved, uuid]] = Int32(numbers.count + 1)
      return Int32(numbers.count)
    }
  }
}
