import ObjectGraph

/// The City of the 5000-cities scenario, with generated rows.
enum City {
  static let attributes: [AttributeDescription] = [
    AttributeDescription("geoname_id", .int64, isIndexed: true),
    AttributeDescription("name", .string),
    AttributeDescription("country_code", .string),
    AttributeDescription("admin1_code", .string, isOptional: true),
    AttributeDescription("latitude", .double),
    AttributeDescription("longitude", .double),
    AttributeDescription("population", .int64),
    AttributeDescription("timezone", .string),
  ]

  /// Indexes of the two properties that are read.
  static let name = 1
  static let population = 6

  static func model() throws -> (Model, Entity) {
    let entity = try Entity(name: "City", attributes: attributes)
    return (try Model([entity]), entity)
  }

  /// Names have 6 to 17 bytes. Like real ones, some fit into a small Swift string, others do not.
  static func row(_ number: Int) -> ContiguousArray<Value> {
    let endings = ["ville", " del Mar", "grad-on-Sea", "burg"]
    return [
      .int64(Int64(number)), .string("C\(number % 9973)\(endings[number % 4])"),
      .string(["IR", "DE", "IN", "BR"][number % 4]), number % 3 == 0 ? .null : .string("13"),
      .double(Double(number % 18000) / 100 - 90), .double(Double(number % 36000) / 100 - 180),
      .int64(population(number)),
      .string(["Asia/Tehran", "Europe/Berlin", "Asia/Kolkata", "America/Sao_Paulo"][number % 4]),
    ]
  }

  static func population(_ number: Int) -> Int64 { Int64(number % 100_000) + 500 }
}
