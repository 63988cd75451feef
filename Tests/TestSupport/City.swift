package import ObjectGraph

package enum City {
  package static let entity = required {
    try Entity(
      name: "City",
      attributes: [
        AttributeDescription("key", .int64, isIndexed: true),
        AttributeDescription("name", .string),
        AttributeDescription("population", .int64),
        AttributeDescription("nickname", .string, isOptional: true),
        AttributeDescription("latitude", .double),
      ])
  }

  package static let model = required { try Model([entity]) }

  package static let key = attribute("key", Int64.self)
  package static let name = attribute("name", String.self)
  package static let population = attribute("population", Int64.self)
  package static let nickname = attribute("nickname", String?.self)
  package static let latitude = attribute("latitude", Double.self)

  private static func attribute<V>(_ name: String, _ type: V.Type) -> AttributeKey<V> {
    required { try AttributeKey(name, of: entity) }
  }

  package static func values(
    _ key: Int64, _ name: String, population: Int64 = 0
  ) -> ContiguousArray<Value> {
    [.int64(key), .string(name), .int64(population), .null, .double(0)]
  }
}
