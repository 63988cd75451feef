import Foundation

/// The JSON of a command: its value's members, the document's schema, and sentences for people.
///
/// Documentation/Schemas describes every member. Within a version members may be added; none is
/// renamed or removed.
package struct JSONDocument<Value: Codable> {
  /// `topobench-gate/2`
  package let schema: String
  package let conclusion: String
  package let notes: [String]
  package var value: Value

  package init(schema: String, conclusion: String, notes: [String], value: Value) {
    self.schema = schema
    self.conclusion = conclusion
    self.notes = notes
    self.value = value
  }
}

extension JSONDocument: Codable {
  private enum CodingKeys: String, CodingKey { case schema, conclusion, notes }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    schema = try container.decode(String.self, forKey: .schema)
    conclusion = try container.decode(String.self, forKey: .conclusion)
    notes = try container.decode([String].self, forKey: .notes)
    value = try Value(from: decoder)
  }

  package func encode(to encoder: any Encoder) throws {
    try value.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(schema, forKey: .schema)
    try container.encode(conclusion, forKey: .conclusion)
    try container.encode(notes, forKey: .notes)
  }

  /// - Throws: `EncodingError` for a number that is not finite.
  package func text() throws -> String { try JSONText.indented(self) + "\n" }

  /// Writes the text in pieces, with the elements of one array encoded one at a time.
  ///
  /// - Parameter name: the member whose array is empty in this value.
  func write(
    _ elements: [some Encodable], as name: String, to output: (String) throws -> Void
  ) throws {
    let text = try text()
    // JSON strings contain no line feed, and inner members are indented further.
    guard !elements.isEmpty, let start = text.range(of: "\n  \"\(name)\" : ["),
      let end = text.range(of: "\n  ]", range: start.upperBound..<text.endIndex)
    else { return try output(text) }
    try output(String(text[..<start.upperBound]))
    for (index, element) in elements.enumerated() {
      // By bytes: in a long report, finding the bounds of characters took a fifth of the time.
      let lines = try JSONText.indented(element).utf8.split(
        separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      try output(
        (index > 0 ? "," : "")
          + lines.map { $0.isEmpty ? "\n" : "\n    \(Substring($0))" }.joined())
    }
    try output(String(text[end.lowerBound...]))
  }
}
