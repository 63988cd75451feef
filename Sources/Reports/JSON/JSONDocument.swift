import Foundation
package import Judging

/// The JSON of a command: its value's members, the document's schema, and sentences for people.
package struct JSONDocument<Value: Codable> {
  /// `topobench-gate/2`
  package let schema: String
  package let conclusion: String
  package let notes: [String]
  package let value: Value
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
  func text() throws -> String { try JSONText.indented(self) + "\n" }

  /// Writes the text in pieces, with the elements of one array encoded one at a time.
  ///
  /// - Parameter name: the member whose array is empty in this value.
  func write(
    _ elements: [some Encodable], as name: String, to output: (String) throws -> Void
  ) throws {
    let text = try text()
    // Texts hold no line feed, and inner members have a wider margin.
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

// Documentation/Schemas describes every member. Within a version members may be added; none is
// renamed or removed.

extension Answer {
  package static let jsonSchema = "topobench-answer/2"

  package static func json(_ summary: Summary) throws -> String {
    let conclusions = summary.sections.map {
      "\(Sentences.title($0)): \(Sentences.answer($0))"
    }
    let crossovers = summary.sweeps.map { "\(Sentences.title($0)): \(Sentences.crossovers($0))" }
    return try JSONDocument(
      schema: jsonSchema, conclusion: (conclusions + crossovers).joined(separator: "\n"),
      notes: [Sentences.limits(summary.sections)], value: summary
    ).text()
  }
}

extension ComparisonReport {
  package static let jsonSchema = "topobench-comparison/2"

  /// Encodes one section at a time.
  static func json(_ comparison: Comparison, to output: (String) throws -> Void) throws {
    var rest = comparison
    rest.sections = []
    let document = JSONDocument(
      schema: jsonSchema, conclusion: ComparisonSentences.conclusion(comparison),
      notes: ComparisonSentences.notes(comparison), value: rest)
    try document.write(comparison.sections, as: "sections", to: output)
  }
}

extension GateReport {
  static let jsonSchema = "topobench-gate/2"

  func json() throws -> String {
    let reasons = lines.filter(\.isListed).map { "\($0.mark.rawValue): \($0.sentence)" }
    return try JSONDocument(
      schema: Self.jsonSchema, conclusion: conclusion, notes: reasons + notes, value: result
    ).text()
  }
}

extension DuetAnswer {
  package static let jsonSchema = "topobench-duet/3"

  package static func json(_ report: DuetReport) throws -> String {
    try JSONDocument(
      schema: jsonSchema, conclusion: DuetSentences.conclusion(report),
      notes: DuetSentences.notes(report), value: report
    ).text()
  }
}

extension DoctorAnswer {
  package static let jsonSchema = "topobench-doctor/2"

  package static func json(_ report: DoctorReport) throws -> String {
    try JSONDocument(
      schema: jsonSchema, conclusion: conclusion(report), notes: noise(report), value: report
    ).text()
  }
}

extension SensitivityAnswer {
  package static let jsonSchema = "topobench-sensitivity/1"

  package static func json(_ answer: Sensitivity) throws -> String {
    try JSONDocument(
      schema: jsonSchema, conclusion: sentences(answer).joined(separator: "\n"),
      notes: notes(answer), value: answer
    ).text()
  }
}

extension FindingsPage {
  package static let jsonSchema = "topobench-findings/1"

  static func json(_ findings: Findings) throws -> String {
    try JSONDocument(
      schema: jsonSchema, conclusion: conclusion(findings), notes: [limits(findings)],
      value: findings
    ).text()
  }
}
