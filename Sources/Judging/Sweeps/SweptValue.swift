import Foundation

/// A value of a swept field, as in the column `parameters`.
package struct SweptValue: Hashable, Codable, Sendable, Comparable {
  /// `500`, `all`
  package let text: String

  package init(_ text: String) { self.text = text }

  package init(from decoder: any Decoder) throws {
    text = try decoder.singleValueContainer().decode(String.self)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }

  /// Nil for a word.
  package var number: Double? { Double(text) }

  /// Numbers first, by size, then words in alphabetical order. Words mean no limit.
  package static func < (left: SweptValue, right: SweptValue) -> Bool {
    switch (left.number, right.number) {
    case (let left?, let right?): left < right
    case (_?, nil): true
    case (nil, _?): false
    case (nil, nil): left.text < right.text
    }
  }
}

/// Fields that were set or swept, with their values.
struct SweptParameters: Hashable {
  private(set) var values: [String: SweptValue] = [:]

  /// - Parameter json: an object; any other text has no fields.
  init(_ json: String) {
    let decoder = JSONDecoder()
    let members = try? decoder.decode([String: Member].self, from: Data(json.utf8))
    for (name, member) in members ?? [:] { values[name] = SweptValue(member.text) }
  }

  func without(_ field: String) -> SweptParameters {
    var copy = self
    copy.values[field] = nil
    return copy
  }

  private struct Member: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let number = try? container.decode(Double.self) {
        text = Int(exactly: number).map(String.init) ?? "\(number)"
      } else if let flag = try? container.decode(Bool.self) {
        text = "\(flag)"
      } else if let items = try? container.decode([Member].self) {
        text = "[\(items.map(\.text).joined(separator: ", "))]"
      } else {
        text = (try? container.decode(String.self)) ?? "…"
      }
    }
  }
}
