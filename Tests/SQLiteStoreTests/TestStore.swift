import Baseline
import Foundation
import GRDB
import ObjectGraph
import Queues
import SQLiteStore

/// Foundation has a type of the same name.
typealias Sort = ObjectGraph.SortTerm

/// One entity with a required and an optional attribute of every type.
struct Fixture: Sendable {
  let model: Model
  let entity: Entity

  static let key = 0
  static let name = 1
  static let size = 2
  static let price = 8
  static let token = 9
  static let site = 10

  init() throws {
    entity = try Entity(
      name: "City",
      attributes: [
        AttributeDescription("key", .int64, isIndexed: true),
        AttributeDescription("name", .string, isIndexed: true),
        AttributeDescription("size", .double, isOptional: true),
        AttributeDescription("isCapital", .bool, isOptional: true),
        AttributeDescription("founded", .date, isOptional: true),
        AttributeDescription("flag", .data, isOptional: true),
        AttributeDescription("motto", .string, isOptional: true),
        AttributeDescription("rank", .int64, isOptional: true),
        AttributeDescription("price", .decimal, isOptional: true),
        AttributeDescription("token", .uuid, isOptional: true),
        AttributeDescription("site", .uri, isOptional: true),
      ])
    model = try Model([entity])
  }

  func row(_ key: Int64, name: String? = nil) -> ContiguousArray<Value> {
    [
      .int64(key), .string(name ?? "city \(key)"), .double(Double(key) / 4), .bool(key % 2 == 0),
      .date(Date(timeIntervalSinceReferenceDate: Double(key) * 1.5)),
      .data(Data([UInt8(key & 255)])),
      key % 3 == 0 ? .null : .string("semper\u{0}\(key)"), .int64(-key),
      .decimal(Decimal(key) / 10), .uuid(UUID(0, UInt64(bitPattern: key))),
      .uri("https://example.com/\(key)"),
    ]
  }
}

/// Removed with the value.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appending(path: "store tests \(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  func file(_ name: String) -> URL { url.appending(path: name) }
}

extension URL {
  func sql<T>(_ body: (Database) throws -> T) throws -> T {
    try DatabaseQueue(path: path(percentEncoded: false)).read(body)
  }

  func queryPlan(_ sql: String) throws -> String {
    try self.sql { database in
      // The parameters stay null.
      let statement = try database.makeStatement(sql: "EXPLAIN QUERY PLAN " + sql)
      statement.setUncheckedArguments([])
      return try Row.fetchAll(statement).map { $0["detail"] }.joined(separator: "\n")
    }
  }
}

extension SQLiteCoordinator {
  func context(_ name: String = "context", author: String? = nil) -> ManagedObjectContext {
    let context = ManagedObjectContext(
      name: name, queue: PrivateQueue(label: name), parent: .coordinator(self))
    context.transactionAuthor = author
    return context
  }
}

struct TestStore: Sendable {
  let fixture: Fixture
  let folder: TemporaryFolder
  let configuration: StoreConfiguration
  let coordinator: SQLiteCoordinator

  var entity: Entity { fixture.entity }
  var url: URL { configuration.url }

  init(
    _ mode: StoreMode, rows: Int64 = 0,
    configure: (inout StoreConfiguration) -> Void = { _ in }
  ) throws {
    fixture = try Fixture()
    folder = try TemporaryFolder()
    var configuration = StoreConfiguration(url: folder.file("a store.sqlite"), mode: mode)
    configure(&configuration)
    self.configuration = configuration
    if rows > 0 {
      try StoreFile.createTemplate(
        at: configuration.url, model: fixture.model,
        rows: [(fixture.entity, (1...rows).map { [fixture] in fixture.row($0) })])
    }
    coordinator = try SQLiteCoordinator(configuration, model: fixture.model)
  }

  func secondCoordinator() throws -> SQLiteCoordinator {
    try SQLiteCoordinator(configuration, model: fixture.model)
  }

  func temporaryID() -> ManagedObjectID {
    .temporary(store: coordinator.storeNumber, entityIndex: 0)
  }

  func id(_ key: Int64) -> ManagedObjectID {
    ManagedObjectID(store: coordinator.storeNumber, entityIndex: 0, primaryKey: key)
  }

  func fetch(
    where predicate: FetchPredicate? = nil, sortedBy order: [Sort] = [],
    limit: Int? = nil
  ) throws -> [FetchedRow] {
    try coordinator.fetch(
      FetchRequest(entity, where: predicate, sortedBy: order, limit: limit))
  }

  /// By key.
  func plainRows() throws -> [PlainReader.Row] {
    try PlainReader(url).rows(of: entity)
  }

  func queryPlan(_ sql: String) throws -> String { try url.queryPlan(sql) }

  func insertion(_ rows: ContiguousArray<Value>...) -> SaveRequest { insertion(of: rows) }

  func insertion(of rows: [ContiguousArray<Value>]) -> SaveRequest {
    var request = SaveRequest()
    request.inserts = rows.map { SaveRequest.Insert(id: temporaryID(), values: $0) }
    return request
  }

  func renaming(
    _ key: Int64, to name: String, version: Int64 = 1
  ) -> SaveRequest {
    var request = SaveRequest()
    request.updates = [
      SaveRequest.Update(
        id: id(key), values: fixture.row(key, name: name),
        changed: AttributeMask(index: Fixture.name), version: version)
    ]
    return request
  }

  func deletion(_ key: Int64, version: Int64 = 1) -> SaveRequest {
    var request = SaveRequest()
    request.deletes = [SaveRequest.Delete(id: id(key), version: version)]
    return request
  }
}
