import Foundation
import GRDB
import ObjectGraph
import SQLiteStore

/// Every kind of relationship, three levels of inheritance, sibling entities with attributes of the
/// same name, a transient attribute, and uniqueness constraints.
struct Family: Sendable {
  let model: Model
  let person: Entity
  let employee: Entity
  let boss: Entity
  let contractor: Entity
  let company: Entity
  let project: Entity
  let desk: Entity

  init() throws {
    person = try Entity(
      name: "Person",
      attributes: [
        AttributeDescription("name", .string),
        AttributeDescription("email", .string, isOptional: true),
        AttributeDescription(
          "mood", .string, isOptional: true, isTransient: true, defaultValue: .string("fine")),
      ],
      relationships: [
        .toOne("employer", "Company", inverse: "staff"),
        .toMany("friends", "Person", inverse: "friends"),
        .toMany("children", "Person", inverse: "parents"),
        .toMany("parents", "Person", inverse: "children"),
      ],
      uniquenessConstraints: [["email"]])
    employee = try Entity(
      name: "Employee", parent: person,
      attributes: [
        AttributeDescription("title", .string, isOptional: true, isIndexed: true),
        AttributeDescription("number", .int64, isOptional: true),
      ],
      relationships: [
        .toOne("desk", "Desk", inverse: "owner"), .toOne("boss", "Boss", inverse: "reports"),
        .toMany("projects", "Project", inverse: "members"),
      ],
      uniquenessConstraints: [["number", "name"]])
    boss = try Entity(
      name: "Boss", parent: employee,
      relationships: [.toMany("reports", "Employee", inverse: "boss")])
    contractor = try Entity(
      name: "Contractor", parent: person,
      attributes: [AttributeDescription("title", .int64, isOptional: true)])
    company = try Entity(
      name: "Company", attributes: [AttributeDescription("name", .string)],
      relationships: [.toMany("staff", "Person", inverse: "employer")],
      uniquenessConstraints: [["name"]])
    project = try Entity(
      name: "Project", attributes: [AttributeDescription("name", .string)],
      relationships: [.toMany("members", "Employee", inverse: "projects")])
    desk = try Entity(
      name: "Desk", attributes: [AttributeDescription("room", .int64)],
      relationships: [.toOne("owner", "Employee", inverse: "desk")])
    model = try Model([person, employee, boss, contractor, company, project, desk])
  }
}

struct FamilyStore: Sendable {
  let family: Family
  let folder: TemporaryFolder
  let configuration: StoreConfiguration
  let coordinator: SQLiteCoordinator

  init(
    _ mode: StoreMode = .pool, configure: (inout StoreConfiguration) -> Void = { _ in }
  ) throws {
    family = try Family()
    folder = try TemporaryFolder()
    var configuration = StoreConfiguration(url: folder.file("family.sqlite"), mode: mode)
    configure(&configuration)
    self.configuration = configuration
    coordinator = try SQLiteCoordinator(configuration, model: family.model)
  }

  func queryPlan(_ sql: String) throws -> String { try configuration.url.queryPlan(sql) }

  func temporaryID(_ entity: Entity) -> ManagedObjectID {
    .temporary(
      store: coordinator.storeNumber, entityIndex: Int32(family.model.index(of: entity)))
  }

  /// Other columns have their defaults, or null.
  func row(_ entity: Entity, _ values: [String: Value]) -> ContiguousArray<Value> {
    ContiguousArray(
      entity.columns.map { values[$0.name] ?? $0.attribute?.defaultValue ?? .null })
  }

  func insert(
    _ entity: Entity, _ values: [String: Value], id: ManagedObjectID? = nil
  ) -> SaveRequest.Insert {
    .init(id: id ?? temporaryID(entity), values: row(entity, values))
  }

  /// Based on the row's current values.
  func update(
    _ id: ManagedObjectID, _ values: [String: Value], version: Int64? = nil
  ) throws -> SaveRequest.Update {
    let entity = family.model.entities[Int(id.entityIndex)]
    let found = try coordinator.snapshot(of: id)
    var row = found ?? RowSnapshot(values: self.row(entity, [:]), version: 1)
    var changed: AttributeMask = []
    for (name, value) in values {
      guard let index = entity.index(of: name) else { continue }
      row.values[index] = value
      changed.insert(AttributeMask(index: index))
    }
    return .init(
      id: id, values: row.values, changed: changed, version: version ?? row.version)
  }

  func saved(_ entity: Entity, _ values: [String: Value]) throws -> ManagedObjectID {
    try saved([insert(entity, values)])[0]
  }

  func saved(_ inserts: [SaveRequest.Insert]) throws -> [ManagedObjectID] {
    var request = SaveRequest()
    request.inserts = inserts
    return try coordinator.save(request)
  }

  func save(_ updates: SaveRequest.Update...) throws {
    var request = SaveRequest()
    request.updates = updates
    _ = try coordinator.save(request)
  }

  func save(linked: [SaveRequest.Link] = [], unlinked: [SaveRequest.Link] = []) throws {
    var request = SaveRequest()
    request.linked = linked
    request.unlinked = unlinked
    _ = try coordinator.save(request)
  }

  func delete(_ id: ManagedObjectID) throws {
    var request = SaveRequest()
    request.deletes = [.init(id: id, version: try coordinator.snapshot(of: id)?.version ?? 1)]
    _ = try coordinator.save(request)
  }

  func link(
    _ source: ManagedObjectID, _ name: String, _ destination: ManagedObjectID
  ) throws -> SaveRequest.Link {
    let entity = family.model.entities[Int(source.entityIndex)]
    return .init(
      source: source, relationship: entity.toManyIndex(of: name) ?? -1, destination: destination)
  }

  func related(_ id: ManagedObjectID, _ name: String) throws -> [ManagedObjectID] {
    let entity = family.model.entities[Int(id.entityIndex)]
    return try coordinator.related(to: id, at: entity.toManyIndex(of: name) ?? -1)
  }

  func value(_ id: ManagedObjectID, _ name: String) throws -> Value? {
    let entity = family.model.entities[Int(id.entityIndex)]
    guard let row = try coordinator.snapshot(of: id) else { return nil }
    return entity.index(of: name).map { row.values[$0] }
  }

  func sql<T>(_ body: (Database) throws -> T) throws -> T {
    try configuration.url.sql(body)
  }
}
