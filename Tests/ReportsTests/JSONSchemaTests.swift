import Foundation
import JSONSchemas
import Judging
import Measurement
import Testing

@testable import Reports
@testable import topobench_lab

@Suite struct JSONSchemaTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    let schema: String
    let what: String
    let text: @Sendable () throws -> String
    var testDescription: String { "\(schema), \(what)" }
  }

  private static let samples: [Sample] = [
    Sample(
      schema: Answer.jsonSchema, what: "four topologies",
      text: { try Answer.json(SampleSummaries.four()) }),
    Sample(
      schema: Answer.jsonSchema, what: "nothing", text: { try Answer.json(Summary(cells: [])) }),
    Sample(
      schema: Answer.jsonSchema, what: "a sweep",
      text: { try Answer.json(SweepAnswerTests.summary) }),
    Sample(
      schema: ComparisonReport.jsonSchema, what: "something of everything",
      text: { try ComparisonReport.json(SampleComparisons.sample()) }),
    Sample(
      schema: ComparisonReport.jsonSchema, what: "the same",
      text: { try ComparisonReport.json(SampleComparisons.same()) }),
    Sample(
      schema: ComparisonReport.severalSchema, what: "two candidates",
      text: {
        var text = ""
        try ComparisonReport.json([SampleComparisons.sample(), SampleComparisons.same()]) {
          text += $0
        }
        return text
      }),
    Sample(schema: GateReport.jsonSchema, what: "a pass", text: { try GateReport.sample().json() }),
    Sample(
      schema: GateReport.jsonSchema, what: "a policy of everything",
      text: {
        try GateReport.sample {
          ($0.policy, $0.slower, $0.statements, $0.crashes) = (.sample, 1.3, 2, true)
        }.json()
      }),
    Sample(
      schema: GateReport.jsonSchema, what: "a count that is not exact",
      text: {
        try GateReport.sample {
          $0.policy.inexactCounts = [InexactCount(metric: .mainStatements, reason: "frames")]
        }.json()
      }),
    Sample(
      schema: GateReport.jsonSchema, what: "too few trials",
      text: {
        try GateReport.sample { ($0.trials, $0.host) = (3, "elsewhere") }.json()
      }),
    Sample(
      schema: DuetAnswer.jsonSchema, what: "a regression",
      text: { try DuetAnswer.json(DuetAnswerTests.report().report) }),
    Sample(
      schema: DuetAnswer.jsonSchema, what: "an interrupt, and a crash",
      text: { try DuetAnswer.json(DuetAnswerTests.report(status: .crashed, isWhole: false).report) }
    ),
    Sample(
      schema: DoctorAnswer.jsonSchema, what: "with noise",
      text: {
        try DoctorAnswer.json(
          DoctorReport(
            DoctorAnswerTests.checks, of: ["topobench": "1", "git_sha": "abc"],
            noise: DoctorAnswerTests.noise, outlook: DoctorAnswerTests.outlook))
      }),
    Sample(
      schema: DoctorAnswer.jsonSchema, what: "with too few pairs",
      text: {
        try DoctorAnswer.json(
          DoctorReport(
            DoctorAnswerTests.checks, noise: nil, outlook: nil, noiseSeconds: 5, badCells: 1))
      }),
    Sample(
      schema: DoctorAnswer.jsonSchema, what: "without",
      text: {
        try DoctorAnswer.json(
          DoctorReport([MachineCheck("governor", nil)], noise: nil, outlook: nil))
      }),
    Sample(
      schema: Listing.jsonSchema, what: "topologies",
      text: { try Listing(topologies: HostileText.topologies("a")).json() }),
    Sample(
      schema: Listing.jsonSchema, what: "scenarios",
      text: {
        try Listing(scenarios: [.init(name: "a", asks: "How long?", isUsable: true)]).json()
      }),
    Sample(
      schema: Listing.jsonSchema, what: "metrics",
      text: { try Listing(metrics: Metrics.all).json() }),
    Sample(
      schema: SensitivityAnswer.jsonSchema, what: "turns",
      text: { try SensitivityAnswer.json(SensitivityAnswerTests.answer) }),
    Sample(
      schema: FindingsPage.jsonSchema, what: "a report and its advice",
      text: { try FindingsPage.json(FindingsPageTests.findings()) }),
    Sample(
      schema: FindingsPage.jsonSchema, what: "no report",
      text: { try FindingsPage.json(Findings([], advice: CommonAdvice.all)) }),
  ]

  @Test(arguments: samples)
  func `printed JSON matches its schema`(sample: Sample) throws {
    let schema = try JSONSchema.documented(sample.schema)
    #expect(schema.name == sample.schema)
    #expect(try schema.errors(in: sample.text(), strict: true) == [])
  }

  @Test func `each documented schema belongs to a format`() throws {
    // `save-log-1` has no name: apps write it.
    let names = try JSONSchema.all().compactMap(\.name)
    #expect(Set(names) == Set(Self.samples.map(\.schema)) && names.count == 9)
  }

  private static func again<Value: Codable>(_ text: String, as type: Value.Type) throws -> String {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(JSONDocument<Value>.self, from: Data(text.utf8)).text()
  }

  @Test(arguments: samples)
  func `what was decoded is encoded as it was`(sample: Sample) throws {
    let text = try sample.text()
    let again: String =
      switch sample.schema {
      case Answer.jsonSchema: try Self.again(text, as: Summary.self)
      case ComparisonReport.jsonSchema: try Self.again(text, as: Comparison.self)
      case ComparisonReport.severalSchema:
        try Self.again(text, as: ComparisonReport.Several.self)
      case GateReport.jsonSchema: try Self.again(text, as: GateResult.self)
      case DuetAnswer.jsonSchema: try Self.again(text, as: DuetReport.self)
      case DoctorAnswer.jsonSchema: try Self.again(text, as: DoctorReport.self)
      case Listing.jsonSchema: try Self.again(text, as: Listing.self)
      case SensitivityAnswer.jsonSchema: try Self.again(text, as: Sensitivity.self)
      default: try Self.again(text, as: Findings.self)
      }
    #expect(again == text)
  }

  @Test func `a number that JSON cannot hold throws`() throws {
    let limit = Limit(topology: nil, metric: .total, relation: .atMost, bound: .infinity)
    #expect(throws: EncodingError.self) {
      try JSONDocument(schema: "limit/1", conclusion: "", notes: [], value: limit).text()
    }
  }

  /// A change of a sound gate, and its error.
  private static let mistakes: [(from: String, to: String, error: String)] = [
    ("topobench-gate/2", "topobench-gate/1", "$.schema: is not topobench-gate/2"),
    (
      #""exit_status" : 0"#, #""exit_status" : 1"#, "$.exit_status: 1 is none of [0, 2, 3, 4, 5, 6]"
    ),
    (#""exit_status" : 0"#, #""exit_status" : true"#, "$.exit_status: 1 is none of"),
    (#""conclusion""#, #""conclusions""#, "$: lacks 'conclusion'"),
    (#""pairing" : "unpaired""#, #""pairing" : 7"#, "$.pairing: 7 is none of"),
    (#""adjusted_p" : "#, #""adjusted_p" : 1"#, "is above 1.0"),
    (#""trials" : 8"#, #""trials" : -8"#, "-8.0 is below 0.0"),
    (#""trials" : 8"#, #""trials" : 8.5"#, "is no integer"),
    (#""trials" : 8"#, #""trials" : "8""#, "is no integer"),
    (#""kind" : "time""#, #""kind" : "times""#, ".kind: times is none of"),
  ]

  @Test(arguments: mistakes.indices)
  func `the validator rejects a wrong document`(place: Int) throws {
    let mistake = Self.mistakes[place]
    let text = try GateReport.sample().json().replacing(mistake.from, with: mistake.to)
    let errors = try JSONSchema.documented(GateReport.jsonSchema).errors(in: text)
    #expect(errors.contains { $0.contains(mistake.error) }, "\(errors)")
  }

  @Test func `readers ignore new members, and schemas describe them`() throws {
    let schema = try JSONSchema.documented(GateReport.jsonSchema)
    let text = try GateReport.sample().json().replacing(
      #""is_exact" : "#, with: #""new" : 1, "is_exact" : "#)
    #expect(try schema.errors(in: text) == [])
    #expect(
      try schema.errors(in: text, strict: true).contains(
        "$.figures[0].judgement.new: is not described"))
  }

  @Test(arguments: [
    #"{"$schema": "https://json-schema.org/draft/2020-12/schema", "format": "a"}"#,
    #"{"$schema": "https://json-schema.org/draft/2020-12/schema", "#
      + ##""items": {"$ref": "#/$defs/x"}}"##,
    #"{"$schema": "http://json-schema.org/draft-07/schema#"}"#,
  ])
  func `a schema that the validator does not understand is refused`(text: String) throws {
    #expect(throws: JSONSchema.Failure.self) { try JSONSchema(text) }
  }
}
