package import Judging

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
