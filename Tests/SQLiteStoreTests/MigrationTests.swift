import Foundation
import GRDB
import ObjectGraph
import Testing

@testable import SQLiteStore

struct MigratingStore {
  let folder: TemporaryFolder
  var configuration: StoreConfiguration

  init(configure: (inout StoreConfiguration) -> Void = { _ in }) throws {
    folder = try TemporaryFolder()
    configuration = StoreConfiguration(url: folder.file("store.sqlite"), mode: .pool)
    configuration.migratesAutomatically = true
    configure(&configuration)
  }

  func open<R>(_ entities: [Entity], _ body: (SQLiteCoordinator) throws -> R) throws -> R {
    let coordinator = try SQLiteCoordinator(configuration, model: Model(entities))
    let result = try body(coordinator)
    try coordinator.close()
    return result
  }

  /// Each row is given by some of its columns.
  @discardableResult
  func fill(
    _ entities: [Entity], _ rows: [(String, [String: Value])], links: [(Int, String, Int)] = []
  ) throws -> [ManagedObjectID] {
    try open(entities) { coordinator in
      let ids = rows.map { name, _ in
        ManagedObjectID.temporary(
          store: coordinator.storeNumber,
          entityIndex: Int32(coordinator.model.entities.firstIndex { $0.name == name } ?? -1))
      }
      var request = SaveRequest()
      request.inserts = zip(ids, rows).map { id, row in
        let entity = coordinator.model.entities[Int(id.entityIndex)]
        return .init(
          id: id,
          values: ContiguousArray(
            entity.columns.map { column in
              // Rows of this list are named by index.
              if column.relationship != nil, case .int64(let index)? = row.1[column.name] {
                return .object(ids[Int(index)])
              }
              return row.1[column.name] ?? column.attribute?.defaultValue ?? .null
            }))
      }
      request.linked = links.map { source, name, destination in
        let entity = coordinator.model.entities[Int(ids[source].entityIndex)]
        return .init(
          source: ids[source], relationship: entity.toManyIndex(of: name) ?? -1,
          destination: ids[destination])
      }
      return try coordinator.save(request)
    }
  }

  /// All rows as `Entity/key name=value …`, with related keys in braces.
  func rows(_ entities: [Entity]) throws -> [String] {
    try open(entities) { coordinator in
      let fresh = try schema(of: coordinator)
      #expect(try schema(at: configuration.url) == fresh)
      return try coordinator.model.entities.flatMap { entity in
        var request = FetchRequest(entity)
        request.includesSubentities = false
        return try coordinator.fetch(request).map { try text($0, entity, coordinator) }
      }
    }
  }

  private func text(
    _ row: FetchedRow, _ entity: Entity, _ coordinator: SQLiteCoordinator
  ) throws -> String {
    let values = zip(entity.columns, row.snapshot.values).map {
      "\($0.name)=\(short($1, coordinator))"
    }
    let sets = try entity.toManyRelationships.enumerated().map { index, relationship in
      let ids = try coordinator.related(to: row.id, at: index)
      return
        "\(relationship.name)={\(ids.map { short(.object($0), coordinator) }.joined(separator: ","))}"
    }
    return (["\(entity.name)/\(row.id.primaryKey)"] + values + sets).joined(separator: " ")
  }

  private func short(_ value: Value, _ coordinator: SQLiteCoordinator) -> String {
    switch value {
    case .null: "-"
    case .int64(let value): "\(value)"
    case .double(let value): "\(value)"
    case .bool(let value): "\(value)"
    case .string(let value): value
    case .date(let value): "\(value.timeIntervalSinceReferenceDate)"
    case .data(let value): "\(value.count) bytes"
    case .decimal, .uuid, .uri: value.description
    case .object(let id):
      "\(coordinator.model.entities[Int(id.entityIndex)].name)/\(id.primaryKey)"
    }
  }

  private func schema(of coordinator: SQLiteCoordinator) throws -> Set<String> {
    let url = folder.file("fresh.sqlite")
    try StoreFile.createTemplate(at: url, model: coordinator.model, rows: [])
    return try schema(at: url)
  }

  private func schema(at url: URL) throws -> Set<String> {
    try url.sql {
      try String.fetchSet(
        $0,
        sql: "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'A%'"
          + " AND name NOT LIKE 'sqlite_%'")
    }
  }
}

func entity(
  _ name: String, _ attributes: [AttributeDescription] = [],
  _ relationships: [RelationshipDescription] = [], parent: Entity? = nil,
  unique: [[String]] = [], was: String? = nil, isAbstract: Bool = false
) throws -> Entity {
  try Entity(
    name: name, parent: parent, isAbstract: isAbstract, attributes: attributes,
    relationships: relationships, uniquenessConstraints: unique, renamingIdentifier: was)
}

@Suite struct MigrationTests {
  private let name = AttributeDescription("name", .string)

  // Semantics 127
  @Test func `a store of another model is refused unless migration is enabled`() throws {
    var store = try MigratingStore()
    try store.fill([entity("City", [name])], [("City", ["name": .string("Ulm")])])
    store.configuration.migratesAutomatically = false
    let newer = try entity("City", [name, AttributeDescription("size", .int64, isOptional: true)])
    let error = #expect(throws: StoreError.self) { try store.rows([newer]) }
    #expect(error?.code == 134_100)
    store.configuration.migratesAutomatically = true
    #expect(try store.rows([newer]) == ["City/1 name=Ulm size=-"])
    store.configuration.migratesAutomatically = false
    #expect(try store.rows([newer]) == ["City/1 name=Ulm size=-"])
  }

  // Semantics 126
  @Test func `attributes are added with their default, removed and renamed`() throws {
    let store = try MigratingStore()
    let older = try entity(
      "City",
      [
        name, AttributeDescription("area", .double, isOptional: true),
        AttributeDescription("motto", .string, isIndexed: true),
        AttributeDescription("rank", .int64, isOptional: true),
      ])
    try store.fill(
      [older],
      [
        ("City", ["name": .string("Ulm"), "area": .double(1.5), "motto": .string("m")]),
        ("City", ["name": .string("Bonn"), "motto": .string("n"), "rank": .int64(2)]),
      ])
    let newer = try entity(
      "City",
      [
        AttributeDescription("title", .string, isIndexed: true, renamingIdentifier: "name"),
        AttributeDescription("area", .double, defaultValue: .double(7)),
        AttributeDescription("rank", .int64, isOptional: true, isTransient: true),
        AttributeDescription("isBig", .bool, defaultValue: .bool(true)),
        AttributeDescription("note", .string, isOptional: true),
      ])
    #expect(
      try store.rows([newer]) == [
        "City/1 title=Ulm area=1.5 rank=- isBig=true note=-",
        "City/2 title=Bonn area=7.0 rank=- isBig=true note=-",
      ])
    let ids = try store.fill([newer], [("City", ["title": .string("Kiel"), "area": .double(0)])])
    #expect(ids.map(\.primaryKey) == [3])
  }

  // Semantics 126
  @Test func `a migration keeps rows' keys and versions and the store's UUID`() throws {
    let store = try MigratingStore()
    let older = try entity("City", [name])
    let ids = try store.fill([older], [("City", ["name": .string("a")])])
    let uuid = try store.open([older]) { coordinator in
      var request = SaveRequest()
      request.updates = [.init(id: ids[0], values: [.string("b")], changed: [], version: 1)]
      _ = try coordinator.save(request)
      return coordinator.storeIdentifier
    }
    let newer = try entity("Town", [name], was: "City")
    try store.open([entity("Aa", [name]), newer]) { coordinator in
      #expect(coordinator.storeIdentifier == uuid)
      let row = try #require(try coordinator.fetch(FetchRequest(newer)).first)
      #expect(row.snapshot == RowSnapshot(values: [.string("a")], version: 2))
      #expect(row.id.primaryKey == 1 && row.id.entityIndex == 1)
      let reserved = try coordinator.obtainPermanentIDs(
        for: [.temporary(store: coordinator.storeNumber, entityIndex: 1)])
      #expect(reserved.map(\.primaryKey) == [2])
    }
  }

  // Semantics 126
  @Test func `entities are added, removed and moved in a hierarchy`() throws {
    let store = try MigratingStore()
    let person = try entity("Person", [name])
    let older = [
      try entity("Gone", [name]), person,
      try entity("Worker", [AttributeDescription("pay", .int64)], parent: person),
      try entity("Guest", [AttributeDescription("pay", .string)], parent: person),
    ]
    try store.fill(
      older,
      [
        ("Person", ["name": .string("p")]), ("Gone", ["name": .string("g")]),
        ("Worker", ["name": .string("w"), "pay": .int64(3)]),
        ("Guest", ["name": .string("x"), "pay": .string("much")]),
      ])
    // A new top entity, an attribute moved up, an entity moved out and renamed, and one in between.
    let pay = AttributeDescription("pay", .int64, defaultValue: .int64(0))
    let being = try entity("Being", [name, pay], isAbstract: true)
    let human = try entity("Human", [], parent: being, was: "Person")
    let staff = try entity("Staff", [], parent: human)
    let newer = [
      try entity("Visitor", [name, AttributeDescription("pay", .string)], was: "Guest"), staff,
      try entity("Worker", [], parent: staff), human, being,
    ]
    #expect(
      try store.rows(newer) == [
        "Visitor/3 name=x pay=much", "Worker/2 name=w pay=3", "Human/1 name=p pay=0",
      ])
    let ids = try store.fill(
      newer,
      [("Visitor", ["name": .string("v"), "pay": .string("")]), ("Staff", ["name": .string("s")])])
    #expect(ids.map(\.primaryKey) == [4, 4])
  }

  @Test func `an unchanged table is not rewritten`() throws {
    let store = try MigratingStore()
    let large = try entity(
      "Large", [name, AttributeDescription("size", .int64, isOptional: true, isIndexed: true)])
    let small = try entity("Small", [name])
    try store.fill(
      [large, small], (1...500).map { ("Large", ["name": .string("\($0)"), "size": .int64($0)]) })
    let newer = [
      try entity(
        "Large",
        [
          AttributeDescription("name", .string, isIndexed: true),
          AttributeDescription("size", .int64, isOptional: true),
        ]),
      try entity("Small", [name, AttributeDescription("note", .string, isOptional: true)]),
    ]
    func page() throws -> Int? {
      try store.configuration.url.sql {
        try Int.fetchOne($0, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'ZLARGE'")
      }
    }
    let before = try page()
    #expect(try store.rows(newer).count == 500)
    #expect(try page() == before)
  }

  @Test func `a migration deletes the history`() throws {
    let store = try MigratingStore { $0.keepsHistory = true }
    let older = try entity("City", [name])
    try store.fill([older], [("City", ["name": .string("a")])])
    let token = try store.open([older]) { try $0.currentHistoryToken() }
    let newer = try entity("City", [name, AttributeDescription("x", .int64, isOptional: true)])
    try store.open([newer]) { (coordinator) throws in
      #expect(try coordinator.history() == [])
      #expect(try coordinator.history(after: token) == [])
      let start = HistoryToken(store: token.store, number: 0)
      #expect(throws: HistoryError.expiredToken(start)) { try coordinator.history(after: start) }
    }
  }
}
