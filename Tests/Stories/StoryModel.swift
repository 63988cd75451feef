import Foundation
import ObjectGraph

// The model has every kind of relationship and both delete rules that change other objects. Only
// file stories set the unique code of each entity:
//
//   Group ─items⇉ Item ⇇tags⇉ Tag ─parent→ Tag
//     └─leader→─┘              (items: cascade; all others: nullify)

enum Kind: String, CaseIterable, Sendable {
  case group = "Group"
  case item = "Item"
  case tag = "Tag"

  var properties: [Property] { [.a, .b] + links }

  var links: [Property] {
    switch self {
    case .group: [.leader]
    case .item: [.group, .leads]
    case .tag: [.parent]
    }
  }

  var relations: [Relation] {
    switch self {
    case .group: [.items]
    case .item: [.tags]
    case .tag: [.tagged, .children]
    }
  }
}

extension Kind {
  fileprivate var codeType: AttributeType {
    switch self {
    case .group: .uuid
    case .item: .decimal
    case .tag: .uri
    }
  }

  func code(_ number: Int) -> Value {
    switch self {
    case .group: .uuid(UUID(0, UInt64(number)))
    case .item: .decimal(Decimal(number) / 10)
    case .tag: .uri("code:\(number)")
    }
  }
}

enum Property: String, Sendable {
  case a, b, leader, group, leads, parent

  var destination: Kind? {
    switch self {
    case .a, .b: nil
    case .leader: .item
    case .group, .leads: .group
    case .parent: .tag
    }
  }

  var inverse: End? {
    switch self {
    case .a, .b: nil
    case .leader: .one(.leads)
    case .leads: .one(.leader)
    case .group: .many(.items)
    case .parent: .many(.children)
    }
  }
}

enum Relation: String, Sendable {
  case items, tags, tagged, children

  var destination: Kind {
    switch self {
    case .items, .tagged: .item
    case .tags, .children: .tag
    }
  }

  var inverse: End {
    switch self {
    case .items: .one(.group)
    case .children: .one(.parent)
    case .tags: .many(.tagged)
    case .tagged: .many(.tags)
    }
  }

  var cascades: Bool { self == .items }
}

enum End {
  case one(Property)
  case many(Relation)
}

enum StoryModel {
  static let model: Model = make {
    try Model(
      [
        entity(
          .group,
          [
            .toOne("leader", "Item", inverse: "leads"),
            .toMany("items", "Item", inverse: "group", deleteRule: .cascade),
          ]),
        entity(
          .item,
          [
            .toOne("group", "Group", inverse: "items"),
            .toOne("leads", "Group", inverse: "leader"), .toMany("tags", "Tag", inverse: "tagged"),
          ]),
        entity(
          .tag,
          [
            .toMany("tagged", "Item", inverse: "tags"),
            .toOne("parent", "Tag", inverse: "children"),
            .toMany("children", "Tag", inverse: "parent"),
          ]),
      ])
  }

  private static let places: [Kind: Places] = make {
    try Dictionary(uniqueKeysWithValues: Kind.allCases.map { ($0, try Places($0)) })
  }

  static func kind(of id: ManagedObjectID) -> Kind {
    Kind(rawValue: model.entities[Int(id.entityIndex)].name) ?? .item
  }

  static func places(_ kind: Kind) -> Places {
    guard let places = places[kind] else { preconditionFailure("no entity of \(kind)") }
    return places
  }

  private static func entity(
    _ kind: Kind, _ relationships: [RelationshipDescription]
  ) throws -> Entity {
    try Entity(
      name: kind.rawValue,
      attributes: [
        AttributeDescription("key", .int64),
        AttributeDescription("a", .int64, isOptional: true),
        AttributeDescription("b", .int64, isOptional: true),
        AttributeDescription("code", kind.codeType, isOptional: true),
      ], relationships: relationships, uniquenessConstraints: [["code"]])
  }

  private static func make<R>(_ body: () throws -> R) -> R {
    do { return try body() } catch { preconditionFailure("\(error)") }
  }
}

struct Places: Sendable {
  let entity: Entity
  let key: AttributeKey<Int64>
  let a: AttributeKey<Int64?>
  let b: AttributeKey<Int64?>
  let code: Int
  private let columns: [Property: Int]
  private let toMany: [Relation: ToManyKey]

  init(_ kind: Kind) throws {
    guard let entity = StoryModel.model.entities.first(where: { $0.name == kind.rawValue }) else {
      preconditionFailure("no entity of \(kind)")
    }
    self.entity = entity
    key = try AttributeKey("key", of: entity)
    a = try AttributeKey("a", of: entity)
    b = try AttributeKey("b", of: entity)
    code = entity.index(of: "code") ?? -1
    columns = Dictionary(
      uniqueKeysWithValues: kind.properties.map { ($0, entity.index(of: $0.rawValue) ?? -1) })
    toMany = Dictionary(
      uniqueKeysWithValues: try kind.relations.map { ($0, try ToManyKey($0.rawValue, of: entity)) })
  }

  func column(_ property: Property) -> Int { columns[property] ?? -1 }

  func key(_ relation: Relation) -> ToManyKey {
    guard let key = toMany[relation] else { preconditionFailure("no relationship \(relation)") }
    return key
  }

  func attribute(_ property: Property) -> AttributeKey<Int64?> { property == .a ? a : b }
}
