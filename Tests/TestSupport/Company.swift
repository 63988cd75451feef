package import ObjectGraph

/// Every kind of relationship and delete rule: departments cascade, badges have one owner, and
/// contracts deny deletion.
package enum Company {
  package static let person = entity(
    name: "Person", isAbstract: true,
    attributes: [
      AttributeDescription("name", .string),
      AttributeDescription("mood", .string, isTransient: true, defaultValue: .string("fine")),
    ],
    relationships: [.toMany("friends", "Person", inverse: "friends")])

  package static let employee = entity(
    name: "Employee", parent: person,
    attributes: [
      AttributeDescription(
        "salary", .int64, defaultValue: .int64(1000),
        validation: AttributeValidation(minimum: .int64(1), maximum: .int64(1_000_000))),
      AttributeDescription(
        "code", .string, isOptional: true,
        validation: AttributeValidation(minimumLength: 2, maximumLength: 5, pattern: "[A-Z]+[0-9]*")
      ),
    ],
    relationships: [
      .toOne("department", "Department", inverse: "employees"),
      .toOne("boss", "Employee", inverse: "reports"),
      .toMany("reports", "Employee", inverse: "boss", deleteRule: .nullify),
      .toMany("projects", "Project", inverse: "members"),
      .toOne("badge", "Badge", inverse: "owner", deleteRule: .cascade),
      .toMany("contracts", "Contract", inverse: "employee", deleteRule: .deny),
    ],
    uniquenessConstraints: [["code"]])

  package static let manager = entity(
    name: "Manager", parent: employee,
    attributes: [AttributeDescription("policy", .double, isOptional: true)])

  package static let department = entity(
    name: "Department", attributes: [AttributeDescription("title", .string)],
    relationships: [
      .toMany(
        "employees", "Employee", inverse: "department", deleteRule: .cascade, maximumCount: 3),
      .toMany("rooms", "Room", inverse: "department", deleteRule: .noAction),
    ])

  package static let project = entity(
    name: "Project", attributes: [AttributeDescription("title", .string)],
    relationships: [.toMany("members", "Employee", inverse: "projects")])

  package static let badge = entity(
    name: "Badge", attributes: [AttributeDescription("number", .int64)],
    relationships: [.toOne("owner", "Employee", inverse: "badge")])

  package static let contract = entity(
    name: "Contract", attributes: [AttributeDescription("title", .string)],
    relationships: [.toOne("employee", "Employee", inverse: "contracts")])

  package static let room = entity(
    name: "Room", attributes: [AttributeDescription("title", .string)],
    relationships: [.toOne("department", "Department", inverse: "rooms")])

  package static let model = required {
    try Model([person, employee, manager, department, project, badge, contract, room])
  }

  package static let name = required { try AttributeKey<String>("name", of: person) }
  package static let mood = required { try AttributeKey<String>("mood", of: person) }
  package static let friends = required { try ToManyKey("friends", of: person) }
  package static let salary = required { try AttributeKey<Int64>("salary", of: employee) }
  package static let code = required { try AttributeKey<String?>("code", of: employee) }
  package static let dept = required { try ToOneKey("department", of: employee) }
  package static let boss = required { try ToOneKey("boss", of: employee) }
  package static let reports = required { try ToManyKey("reports", of: employee) }
  package static let projects = required { try ToManyKey("projects", of: employee) }
  package static let badgeOf = required { try ToOneKey("badge", of: employee) }
  package static let contracts = required { try ToManyKey("contracts", of: employee) }
  package static let title = required { try AttributeKey<String>("title", of: department) }
  package static let employees = required { try ToManyKey("employees", of: department) }
  package static let rooms = required { try ToManyKey("rooms", of: department) }
  package static let members = required { try ToManyKey("members", of: project) }
  package static let owner = required { try ToOneKey("owner", of: badge) }
  package static let number = required { try AttributeKey<Int64>("number", of: badge) }
  package static let party = required { try ToOneKey("employee", of: contract) }
  package static let place = required { try ToOneKey("department", of: room) }

  private static func entity(
    name: String, parent: Entity? = nil, isAbstract: Bool = false,
    attributes: [AttributeDescription], relationships: [RelationshipDescription] = [],
    uniquenessConstraints: [[String]] = []
  ) -> Entity {
    required {
      try Entity(
        name: name, parent: parent, isAbstract: isAbstract, attributes: attributes,
        relationships: relationships, uniquenessConstraints: uniquenessConstraints)
    }
  }
}

/// Stops the tests on an error: one of their models is wrong.
func required<R>(_ make: () throws -> R) -> R {
  do { return try make() } catch { preconditionFailure("\(error)") }
}

extension ManagedObjectContext {
  package func hire(_ name: String, as entity: Entity = Company.employee) -> ManagedObject {
    let object = insert(entity)
    object[Company.name] = name
    return object
  }

  /// A department, project, contract or room.
  package func found(_ title: String, _ entity: Entity = Company.department) -> ManagedObject {
    let object = insert(entity)
    object[entity.index(of: "title") ?? 0] = .string(title)
    return object
  }

  /// Realised.
  package func person(_ name: String) throws -> ManagedObject? {
    try fetch(FetchRequest(Company.person, where: Company.name == name)).first
  }

  package func all(_ entity: Entity) throws -> [ManagedObject] { try fetch(FetchRequest(entity)) }
}
