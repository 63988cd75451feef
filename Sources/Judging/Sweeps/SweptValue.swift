import Foundation

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

  /// Numbers by size, then words, which mean no limit, in alphabetical order.
  package static func < (left: SweptValue, right: SweptValue) -> Bool {
    switch (left.number, right.number) {
    case (let left?, let right?): left < right
    case (_?, nil): true
    case (nil, _?): false
    case (nil, nil): left.text < right.text
    }
  }
}

/// Fields that were set or swept.
package struct SweptParameters: Hashable, Comparable {
  package private(set) var values: [String: SweptValue] = [:]

  /// A text that is no JSON object has no fields.
  package init(_ json: String) {
    let decoder = JSONDecoder()
    let members = try? decoder.decode([String: Member].self, from: Data(json.utf8))
    for (name, member) in members ?? [:] { values[name] = SweptValue(member.text) }
  }

  /// `changes.per_save 50, generate.rows 500`; a text that is no JSON object stays as it is.
  package static func text(_ json: String) -> String {
    let values = SweptParameters(json).values
    return values.isEmpty && json != "{}" ? json : text(values)
  }

  package static func text(_ values: [String: SweptValue]) -> String {
    values.sorted { $0.key < $1.key }.map { "\($0) \($1.text)" }.joined(separator: ", ")
  }

  func without(_ field: String) -> SweptParameters {
    var copy = self
    copy.values[field] = nil
    return copy
  }

  /// Compares the first field, in alphabetical order, that differs. A missing value comes first.
  package static func < (left: SweptParameters, right: SweptParameters) -> Bool {
    let names = Set(left.values.keys).union(right.values.keys).sorted()
    guard let name = names.first(where: { left.values[$0] != right.values[$0] }) else {
      return false
    }
    guard let before = left.values[name], let after = right.values[name] else {
      return left.values[name] == nil
    }
    return before < after
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
      } else if let members = try? container.decode([String: Member].self) {
        let texts = members.sorted { $0.key < $1.key }.map { "\($0): \($1.text)" }
        text = "{\(texts.joined(separator: ", "))}"
      } else {
        text = (try? container.decode(String.self)) ?? "…"
      }
    }
  }
}

extension Array {
  /// Groups in the order of first appearance, each in the order of its parameters' values. Trials
  /// are shuffled, so the first appearance of a value means nothing.
  func inOrderOfValues(
    _ place: (Element) -> (scenario: String, store: String, parameters: String)
  ) -> [Element] {
    grouped { [place($0).scenario, place($0).store] }.flatMap { _, elements in
      elements.map { (SweptParameters(place($0).parameters), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }
}
