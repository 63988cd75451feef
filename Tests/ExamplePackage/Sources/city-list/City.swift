import Foundation
import ObjectGraph

nonisolated enum City {
  static let entity = valid {
    try Entity(
      name: "City",
      attributes: [
        AttributeDescription("id", .int64, isIndexed: true),
        AttributeDescription("name", .string),
        AttributeDescription("population", .int64),
      ])
  }
  static let model = valid { try Model([entity]) }

  static let id = valid { try AttributeKey<Int64>("id", of: entity) }
  static let name = valid { try AttributeKey<String>("name", of: entity) }
  static let population = valid { try AttributeKey<Int64>("population", of: entity) }

  /// An invalid model is a mistake in this file.
  private static func valid<T>(_ make: () throws -> T) -> T {
    do { return try make() } catch { preconditionFailure("\(error)") }
  }
}

/// A line of a server's answer: `id,name,country,region,latitude,longitude,population,…`.
nonisolated struct CityRecord: Sendable {
  let id: Int64
  let name: String
  let population: Int64

  init?(line: Substring) {
    let fields = Self.fields(of: line)
    guard fields.count > 6, let id = Int64(fields[0]), let population = Int64(fields[6])
    else { return nil }
    self.id = id
    name = fields[1]
    self.population = population
  }

  /// Commas within quotation marks belong to the text.
  private static func fields(of line: Substring) -> [String] {
    var fields = [""]
    var isQuoted = false
    for character in line {
      switch character {
      case "\"": isQuoted.toggle()
      case "," where !isQuoted: fields.append("")
      default: fields[fields.count - 1].append(character)
      }
    }
    return fields
  }

  static func read(_ file: String) throws -> [CityRecord] {
    try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").dropFirst()
      .compactMap(CityRecord.init(line:))
  }
}
