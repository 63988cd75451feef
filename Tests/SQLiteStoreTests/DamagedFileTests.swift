import Foundation
import GRDB
import ObjectGraph
import SQLiteStore
import Support
import TestSupport
import Testing

@Suite("A damaged file leads to a thrown error of the store")
struct DamagedFileTests {
  private static let tables = [
    "Z_METADATA": ["Z_VERSION", "Z_UUID", "Z_MODEL"],
    "Z_PRIMARYKEY": ["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"],
    "ZPERSON": ["Z_PK", "Z_ENT", "Z_OPT", "ZEMPLOYER", "ZBOSS", "Z2_BOSS", "ZNAME"],
    "Z_7MEMBERS": [], "ATRANSACTION": ["Z_PK", "ZTIMESTAMP", "ZAUTHOR"],
    "ACHANGE": ["ZTRANSACTIONID", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZCOLUMNS"],
  ]
  private static let values = [
    "NULL", "0", "-1", "\(Int64.min)", "\(Int64.max)", "'text'", "''", "x'FF00'", "1.5",
  ]

  @Test(arguments: tables.keys.sorted())
  func `any value in a column works or throws`(table: String) throws {
    let sound = try SoundStore()
    for column in Self.tables[table] ?? [] {
      for value in Self.values {
        let url = try sound.copy()
        // SQLite may refuse a change.
        try? DatabaseQueue(path: url.path(percentEncoded: false)).write {
          try $0.execute(sql: "UPDATE OR REPLACE \(table) SET \(column) = \(value)")
        }
        #expect(sound.use(url) == nil, "\(table).\(column) = \(value)")
      }
    }
  }

  @Test func `files with random damage work or throw`() throws {
    let runs = RandomRuns.share(of: 100)
    let seed = UInt64.random(in: 0..<1_000_000)
    // A trap ends the process.
    print("random damage: seed \(seed), \(runs) files")
    let sound = try SoundStore()
    let bytes = try Data(contentsOf: sound.url)
    for run in 0..<runs {
      var random = SplitMix64(seed: seed, stream: UInt64(run))
      var damaged = bytes
      for _ in 0...random.next(below: 20) {
        damaged[random.next(below: damaged.count)] = UInt8(random.next(below: 256))
      }
      let url = try sound.copy()
      try damaged.write(to: url)
      #expect(sound.use(url) == nil, "seed \(seed), file \(run)")
    }
  }
}

/// Rows of every entity, relationships and a history, to be copied and damaged.
private struct SoundStore {
  private let store: FamilyStore
  var url: URL { store.configuration.url }

  init() throws {
    store = try FamilyStore { $0.keepsHistory = true }
    let family = store.family
    let company = try store.saved(family.company, ["name": .string("c")])
    let project = try store.saved(family.project, ["name": .string("p")])
    let boss = try store.saved(
      family.boss, ["name": .string("b"), "email": .string("b@c"), "number": .int64(1)])
    let employee = try store.saved(
      family.employee,
      [
        "name": .string("e"), "employer": .object(company), "boss": .object(boss),
        "number": .int64(2),
      ])
    try store.save(linked: [
      store.link(employee, "projects", project), store.link(boss, "friends", employee),
    ])
    try store.coordinator.close()
  }

  func copy() throws -> URL {
    let copy = store.folder.file("damaged.sqlite")
    try StoreFile.copy(url, to: copy)
    return copy
  }

  /// Returns an error that a caller cannot name, if any.
  func use(_ url: URL) -> String? {
    do {
      var configuration = StoreConfiguration(url: url, mode: .serial)
      configuration.keepsHistory = true
      configuration.readerCount = 1
      let coordinator = try SQLiteCoordinator(configuration, model: store.family.model)
      defer { try? coordinator.close() }
      for attempt in attempts(coordinator) {
        do { try attempt() } catch is StoreError {
        } catch is SaveError {
        } catch is HistoryError {
        }
      }
      return nil
    } catch is StoreError {
      return nil
    } catch {
      return "\(type(of: error)): \(error)"
    }
  }

  private func attempts(_ coordinator: SQLiteCoordinator) -> [() throws -> Void] {
    let entities = store.family.model.entities
    let context = coordinator.context("damaged")
    let fetches = entities.flatMap { entity -> [() throws -> Void] in
      [
        { try read(entity, coordinator) },
        { try context.performAndWait { try change(entity, context) } },
      ]
    }
    return fetches + [
      { _ = try coordinator.history() }, { _ = try coordinator.currentHistoryToken() },
      { _ = try coordinator.execute(.delete(FetchRequest(store.family.person))) },
    ]
  }

  private func read(_ entity: Entity, _ coordinator: SQLiteCoordinator) throws {
    let request = FetchRequest(entity)
    _ = try coordinator.count(request)
    for id in try coordinator.fetchIDs(request) {
      let entity = store.family.model.entities[Int(id.entityIndex)]
      for relationship in entity.toManyRelationships.indices {
        _ = try coordinator.related(to: id, at: relationship)
        _ = try coordinator.related(to: [id], at: relationship)
      }
    }
    _ = try coordinator.fetch(request)
  }

  private func change(_ entity: Entity, _ context: ManagedObjectContext) throws {
    defer { context.rollback() }
    var request = FetchRequest(entity)
    request.returnsObjectsAsFaults = false
    if let name = entity.index(of: "name") {
      for object in try context.fetch(request) { object[name] = .string("changed") }
      context.insert(entity)[name] = .string("new")
    }
    try context.save()
  }
}
