import Foundation
import GRDB
import ObjectGraph
import Queues

struct StoreMetadata {
  let uuid: String
  let model: StoredModel

  static let version = 2

  /// Creates the store if the database is empty.
  ///
  /// - Throws: `StoreError` if the file is no store, or its model cannot be migrated to this one.
  static func openingStore(
    in database: Database, at path: String, for schema: Schema, migrates: Bool = false
  ) throws -> StoreMetadata {
    let opening = Opening(database: database, path: path, schema: schema)
    if try database.tableExists("Z_METADATA") {
      let found = try opening.read()
      guard try !opening.isOfModel(found, elseThrow: !migrates) else { return found }
    }
    // Looks again under the write lock: another process may be creating or migrating the store.
    var metadata: StoreMetadata?
    try database.inTransaction(.immediate) {
      metadata = try opening.makeOrMigrate()
      return .commit
    }
    guard let metadata else { throw StoreError.notAStore(path: path) }
    return metadata
  }
}

private struct Opening {
  let database: Database
  let path: String
  let schema: Schema

  func read() throws -> StoreMetadata {
    let row = try Row.fetchOne(
      database, sql: "SELECT Z_UUID, Z_MODEL FROM Z_METADATA WHERE Z_VERSION = ?",
      arguments: [StoreMetadata.version])
    guard let row else { throw StoreError.notAStore(path: path) }
    guard let uuid = String.fromDatabaseValue(row["Z_UUID"]), !uuid.isEmpty,
      let json = String.fromDatabaseValue(row["Z_MODEL"]),
      let model = try? StoredModel(json: json), model.isConsistent
    else { throw Damage(description: "Z_METADATA does not describe a store") }
    return StoreMetadata(uuid: uuid, model: model)
  }

  func isOfModel(_ metadata: StoreMetadata, elseThrow: Bool) throws -> Bool {
    let expected = StoredModel(schema)
    if metadata.model.isCompatible(with: expected) { return true }
    guard elseThrow else { return false }
    throw StoreError.otherModel(
      path: path, stored: metadata.model.description, expected: expected.description)
  }

  func makeOrMigrate() throws -> StoreMetadata {
    guard try database.tableExists("Z_METADATA") else { return try make() }
    let found = try read()
    if try isOfModel(found, elseThrow: false) { return found }
    do {
      try Migration(from: found.model, to: schema, in: database, path: path).run()
    } catch let error as DatabaseError where error.isUniqueness {
      throw StoreError.cannotInfer(
        path: path,
        problems: [
          "rows have values in common that must be unique now (\(error.message ?? "")); make them "
            + "differ with the older model first"
        ])
    }
    let metadata = StoreMetadata(uuid: found.uuid, model: StoredModel(schema))
    try database.execute(
      sql: "UPDATE Z_METADATA SET Z_MODEL = ?", arguments: [metadata.model.json()])
    return metadata
  }

  private func make() throws -> StoreMetadata {
    let isEmpty = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0
    guard isEmpty else { throw StoreError.notAStore(path: path) }
    try schema.create(in: database)
    let metadata = StoreMetadata(uuid: UUID().uuidString, model: StoredModel(schema))
    try database.execute(
      sql: "INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_MODEL) VALUES (?, ?, ?)",
      arguments: [StoreMetadata.version, metadata.uuid, metadata.model.json()])
    return metadata
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
