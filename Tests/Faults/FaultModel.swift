import Foundation
import GRDB
import ObjectGraph
import Queues
import SQLiteStore

/// Groups of items with tags. The older version has neither tags nor ranks, and keys may repeat.
enum FaultModel {
  static let group = required {
    try Entity(
      name: "Group", attributes: [AttributeDescription("title", .string)],
      relationships: [.toMany("items", "Item", inverse: "group")])
  }
  static let item = required {
    try Entity(
      name: "Item",
      attributes: [
        AttributeDescription("key", .int64), AttributeDescription("name", .string),
        AttributeDescription("rank", .int64, defaultValue: .int64(7)),
      ],
      relationships: [
        .toOne("group", "Group", inverse: "items"), .toMany("tags", "Tag", inverse: "items"),
      ],
      uniquenessConstraints: [["key"]])
  }
  static let tag = required {
    try Entity(
      name: "Tag", attributes: [AttributeDescription("title", .string)],
      relationships: [.toMany("items", "Item", inverse: "tags")])
  }
  static let model = required { try Model([group, item, tag]) }

  static let key = required { try AttributeKey<Int64>("key", of: item) }
  static let name = required { try AttributeKey<String>("name", of: item) }
  static let rank = required { try AttributeKey<Int64>("rank", of: item) }
  static let title = required { try AttributeKey<String>("title", of: group) }
  static let tagTitle = required { try AttributeKey<String>("title", of: tag) }
  static let groupOfItem = required { try ToOneKey("group", of: item) }
  static let items = required { try ToManyKey("items", of: group) }
  static let tags = required { try ToManyKey("tags", of: item) }

  static let oldItem = required {
    try Entity(
      name: "Item",
      attributes: [AttributeDescription("key", .int64), AttributeDescription("name", .string)],
      relationships: [.toOne("group", "Group", inverse: "items")])
  }
  static let oldModel = required { try Model([group, oldItem]) }

  private static func required<R>(_ make: () throws -> R) -> R {
    do { return try make() } catch { preconditionFailure("\(error)") }
  }
}

/// Stores of two groups of three items each, to begin stories with.
struct FirstStores {
  private let old: Data
  private let new: Data

  init(in folder: URL) throws {
    let url = folder.appending(path: "first.sqlite")
    old = try Self.store(url, FaultModel.oldModel) { coordinator in
      let context = coordinator.context("first")
      try context.performAndWait {
        for number in 1...2 { try Self.insertGroup(number, in: context) }
        try context.save()
      }
    }
    new = try Self.store(url, FaultModel.model) { _ in }
    try StoreFile.remove(at: url)
  }

  /// Opens a store, and returns the file that is left.
  private static func store(
    _ url: URL, _ model: Model, _ body: (SQLiteCoordinator) throws -> Void
  ) throws -> Data {
    let coordinator = try SQLiteCoordinator(.faults(url, .serial), model: model)
    try body(coordinator)
    try coordinator.close()
    return try Data(contentsOf: url)
  }

  private static func insertGroup(_ number: Int, in context: ManagedObjectContext) throws {
    let group = context.insert(FaultModel.group)
    group[FaultModel.title] = "group \(number)"
    let inverse = try ToOneKey("group", of: FaultModel.oldItem)
    for key in 1...3 {
      let item = context.insert(
        FaultModel.oldItem,
        values: [.int64(Int64(10 * number + key)), .string("item \(key)"), .null])
      item[inverse] = group
    }
  }

  func copy(old isOld: Bool, to url: URL) throws {
    try StoreFile.remove(at: url)
    try (isOld ? old : new).write(to: url)
  }
}

extension StoreConfiguration {
  static func faults(_ url: URL, _ mode: StoreMode) -> StoreConfiguration {
    var configuration = StoreConfiguration(url: url, mode: mode)
    configuration.keepsHistory = true
    configuration.migratesAutomatically = true
    configuration.synchronous = .full
    configuration.busyTimeout = .milliseconds(3)
    configuration.checkpointThreshold = 20
    return configuration
  }
}

/// What plain SQL reads from a closed store.
struct StoredRows: Equatable, CustomStringConvertible {
  private(set) var lines: [String] = []
  private(set) var problems: [String] = []

  init(_ url: URL) throws {
    let queue = try DatabaseQueue(path: url.path(percentEncoded: false))
    defer { try? queue.close() }
    try queue.inDatabase { database in
      problems = try String.fetchAll(database, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
      problems += try Self.wrongHistory.flatMap { try String.fetchAll(database, sql: $0) }
      lines = try Self.queries.flatMap { try String.fetchAll(database, sql: $0) }
    }
  }

  var description: String { (lines + problems).joined(separator: "\n") }

  private static let queries = [
    "SELECT 'group ' || ZTITLE FROM ZGROUP ORDER BY 1",
    "SELECT 'tag ' || ZTITLE FROM ZTAG ORDER BY 1",
    """
    SELECT printf('item %d: %s, rank %d, %s', ZKEY, ZNAME, ZRANK, coalesce(ZTITLE, 'no group'))
    FROM ZITEM i LEFT JOIN ZGROUP g ON g.Z_PK = i.ZGROUP ORDER BY ZKEY
    """,
    """
    SELECT printf('item %d has %s', ZKEY, ZTITLE) FROM Z_2TAGS
    LEFT JOIN ZITEM i ON i.Z_PK = Z_2ITEMS LEFT JOIN ZTAG t ON t.Z_PK = Z_3TAGS ORDER BY 1
    """,
    // How often the rival writes depends on the errors.
    """
    SELECT printf('transaction by %s: %d changes', ZCONTEXTNAME,
    (SELECT count(*) FROM ACHANGE WHERE ZTRANSACTIONID = t.Z_PK))
    FROM ATRANSACTION t WHERE ZCONTEXTNAME <> 'rival' ORDER BY t.Z_PK
    """,
  ]

  private static let wrongHistory = [
    "SELECT 'history: a gap' WHERE (SELECT max(Z_PK) - min(Z_PK) + 1 <> count(*) FROM ATRANSACTION)",
    "SELECT 'history: a change of no transaction' FROM ACHANGE WHERE ZTRANSACTIONID NOT IN "
      + "(SELECT Z_PK FROM ATRANSACTION)",
  ]
}

extension SQLiteCoordinator {
  func context(_ name: String) -> ManagedObjectContext {
    ManagedObjectContext(
      name: name, queue: PrivateQueue(label: name), parent: .coordinator(self))
  }
}
