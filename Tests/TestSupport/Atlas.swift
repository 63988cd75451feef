package import Foundation
package import ObjectGraph
package import SQLiteStore

/// Attributes of every type, every kind of relationship, and a subentity:
///
///     Country ─cities⇉ City ⇇tags⇉ Tag ─parent→ Tag
///        └─allies⇉ Country   └ Harbour
///        └─capital→ City
package enum Atlas {
  package static let country: Entity = make(
    "Country",
    attributes: [
      AttributeDescription("name", .string, isIndexed: true),
      AttributeDescription("area", .double, isOptional: true),
      AttributeDescription("code", .int64, isOptional: true),
    ],
    [
      .toOne("capital", "City", inverse: "capitalOf"),
      .toMany("cities", "City", inverse: "country"),
      .toMany("allies", "Country", inverse: "allies"),
    ])

  package static let city: Entity = make(
    "City",
    attributes: [
      AttributeDescription("name", .string, isIndexed: true),
      AttributeDescription("size", .int64, isOptional: true),
      AttributeDescription("height", .double, isOptional: true),
      AttributeDescription("motto", .string, isOptional: true),
      AttributeDescription("isPort", .bool, isOptional: true),
      AttributeDescription("founded", .date, isOptional: true),
      AttributeDescription("flag", .data, isOptional: true),
      AttributeDescription("fee", .decimal, isOptional: true),
      AttributeDescription("token", .uuid, isOptional: true),
      AttributeDescription("site", .uri, isOptional: true),
      AttributeDescription("mood", .string, isOptional: true, isTransient: true),
    ],
    [
      .toOne("country", "Country", inverse: "cities"),
      .toOne("capitalOf", "Country", inverse: "capital"),
      .toMany("tags", "Tag", inverse: "cities"),
    ])

  package static let harbour: Entity = make(
    "Harbour", parent: city, attributes: [AttributeDescription("depth", .int64, isOptional: true)])

  package static let tag: Entity = make(
    "Tag",
    attributes: [
      AttributeDescription("name", .string), AttributeDescription("weight", .int64),
    ],
    [
      .toMany("cities", "City", inverse: "tags"),
      .toOne("parent", "Tag", inverse: "children"),
      .toMany("children", "Tag", inverse: "parent"),
    ])

  package static let model = required { try Model([country, city, harbour, tag]) }

  package enum Country {
    package static let name = key("name", country, String.self)
    package static let area = key("area", country, Double?.self)
    package static let code = key("code", country, Int64?.self)
    package static let capital = toOne("capital", country)
    package static let cities = toMany("cities", country)
    package static let allies = toMany("allies", country)
  }

  package enum City {
    package static let name = key("name", city, String.self)
    package static let size = key("size", city, Int64?.self)
    package static let height = key("height", city, Double?.self)
    package static let motto = key("motto", city, String?.self)
    package static let isPort = key("isPort", city, Bool?.self)
    package static let founded = key("founded", city, Date?.self)
    package static let flag = key("flag", city, Data?.self)
    package static let fee = key("fee", city, Decimal?.self)
    package static let token = key("token", city, UUID?.self)
    package static let site = key("site", city, URL?.self)
    package static let mood = key("mood", city, String?.self)
    package static let country = toOne("country", city)
    package static let capitalOf = toOne("capitalOf", city)
    package static let tags = toMany("tags", city)
  }

  package enum Tag {
    package static let name = key("name", tag, String.self)
    package static let weight = key("weight", tag, Int64.self)
    package static let cities = toMany("cities", tag)
    package static let parent = toOne("parent", tag)
    package static let children = toMany("children", tag)
  }

  package static let depth = key("depth", harbour, Int64?.self)

  private static func make(
    _ name: String, parent: Entity? = nil, attributes: [AttributeDescription],
    _ relationships: [RelationshipDescription] = []
  ) -> Entity {
    required {
      try Entity(name: name, parent: parent, attributes: attributes, relationships: relationships)
    }
  }

  private static func key<V>(_ name: String, _ entity: Entity, _ type: V.Type) -> AttributeKey<V> {
    required { try AttributeKey(name, of: entity) }
  }

  private static func toOne(_ name: String, _ entity: Entity) -> ToOneKey {
    required { try ToOneKey(name, of: entity) }
  }

  private static func toMany(_ name: String, _ entity: Entity) -> ToManyKey {
    required { try ToManyKey(name, of: entity) }
  }
}

/// The folder is removed with it.
package final class AtlasStore: Sendable {
  private let store: TestStore

  package var folder: URL { store.folder }
  package var coordinator: SQLiteCoordinator { store.coordinator }

  package init(_ mode: StoreMode = .pool) throws {
    store = try TestStore(mode, model: Atlas.model)
  }

  /// On its own private queue.
  package func context(_ name: String = "context") -> ManagedObjectContext { store.context(name) }
}

extension ManagedObjectContext {
  package func insertCity(
    _ name: String, size: Int64? = nil, in country: ManagedObject? = nil,
    tags: [ManagedObject] = [], entity: Entity = Atlas.city
  ) -> ManagedObject {
    let city = insert(entity)
    city[Atlas.City.name] = name
    city[Atlas.City.size] = size
    city[Atlas.City.country] = country
    for tag in tags { city.add(tag, to: Atlas.City.tags) }
    return city
  }

  package func insertCountry(_ name: String, area: Double? = nil) -> ManagedObject {
    let country = insert(Atlas.country)
    country[Atlas.Country.name] = name
    country[Atlas.Country.area] = area
    return country
  }

  package func insertTag(_ name: String, weight: Int64 = 0) -> ManagedObject {
    let tag = insert(Atlas.tag)
    tag[Atlas.Tag.name] = name
    tag[Atlas.Tag.weight] = weight
    return tag
  }
}
