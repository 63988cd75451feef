package import Judging
import Measurement
import Support

package enum ComparisonReport {
  package typealias Format = OutputFormat<DataFormat>

  package enum DataFormat: String, Sendable, CaseIterable {
    case csv, json
  }

  package enum Listing: Sendable {
    /// Changed and undecided figures.
    case changes
    case everything
  }

  /// Writes large data in pieces, which need less memory than one text.
  ///
  /// - Parameter comparisons: of one baseline with each candidate.
  package static func write(
    _ comparisons: [Comparison], as format: Format, style: TextStyle, listing: Listing = .changes,
    to output: (String) throws -> Void
  ) throws {
    switch format {
    case .document(let format): try output(format.render(document(comparisons, listing), style))
    case .data(.csv): try csv(comparisons, to: output)
    case .data(.json): try json(comparisons, to: output)
    }
  }

  /// Printable on a terminal.
  package static func notes(_ comparisons: [Comparison]) -> [String] {
    let style = TextStyle()
    return prefixed(comparisons) { ComparisonSentences.notes($0) }.map(style.printable)
  }

  /// Texts that do not hold for all candidates begin with the candidate's name.
  private static func prefixed(
    _ comparisons: [Comparison], _ texts: (Comparison) -> [String]
  ) -> [String] {
    let all = comparisons.map(texts)
    let shared = all[0].filter { text in all.allSatisfy { $0.contains(text) } }
    let own = zip(ComparisonSentences.names(comparisons), all).flatMap { name, texts in
      texts.filter { !shared.contains($0) }.map { "\(name): \($0)" }
    }
    return shared + own
  }

  /// A paragraph, or a line for each of several candidates.
  private static func conclusions(_ comparisons: [Comparison]) -> [String] {
    if comparisons.count == 1 { return [Phrases.long(comparisons[0].conclusion)] }
    return zip(ComparisonSentences.names(comparisons), comparisons).map { name, comparison in
      "\(name): \(Phrases.short(comparison.conclusion))."
    }
  }
}

// MARK: - JSON

extension ComparisonReport {
  package static let jsonSchema = "topobench-comparison/2"
  /// Of several candidates.
  package static let severalSchema = "topobench-comparisons/1"

  /// Documents of `jsonSchema`, one for each candidate.
  struct Several: Codable {
    var comparisons: [JSONDocument<Comparison>]
  }

  static func json(_ comparisons: [Comparison], to output: (String) throws -> Void) throws {
    guard comparisons.count > 1 else { return try json(comparisons[0], to: output) }
    let document = JSONDocument(
      schema: severalSchema, conclusion: conclusions(comparisons).joined(separator: "\n"),
      notes: [],
      value: Several(comparisons: []))
    try document.write(comparisons.map(Self.document), as: "comparisons", to: output)
  }

  /// Encodes one section at a time.
  private static func json(
    _ comparison: Comparison, to output: (String) throws -> Void
  ) throws {
    var rest = document(comparison)
    rest.value.sections = []
    try rest.write(comparison.sections, as: "sections", to: output)
  }

  static func document(_ comparison: Comparison) -> JSONDocument<Comparison> {
    JSONDocument(
      schema: jsonSchema, conclusion: Phrases.long(comparison.conclusion),
      notes: ComparisonSentences.notes(comparison), value: comparison)
  }
}

// MARK: - Document

extension ComparisonReport {
  static func document(_ comparisons: [Comparison], _ listing: Listing = .changes) -> Document {
    let sections = comparisons.map { comparison in
      Dictionary(comparison.sections.map { ($0.key, $0) }) { first, _ in first }
    }
    let tables = comparisons.flatMap { $0.sections.map(\.key) }.unique.map { key in
      ComparisonTable(sections.map { $0[key] }, comparisons, listing)
    }
    return Document(
      blocks: [.lines(ComparisonSentences.reports(comparisons))]
        + tables.compactMap(section)
        + conclusions(comparisons).map { .paragraph($0, .answer) }
        + [.list(prefixed(comparisons) { ComparisonSentences.notes($0) })])
  }

  /// Nil if nothing is listed.
  private static func section(_ table: ComparisonTable) -> Document.Block? {
    let (rows, counts) = (table.table, table.counts)
    guard !rows.rows.isEmpty || !counts.isEmpty else { return nil }
    return .section(
      ComparisonSentences.title(table.sections.compactMap { $0 }),
      (rows.rows.isEmpty ? [] : [.table(rows)]) + (counts.isEmpty ? [] : [.lines(counts)]))
  }
}

// MARK: - CSV

extension ComparisonReport {
  /// A row for each compared figure; numbers are not rounded.
  static func csv(_ comparisons: [Comparison], to output: (String) throws -> Void) rethrows {
    try output(CSVWriter.row(csvColumns))
    for comparison in comparisons {
      let ends = [comparison.pairing.rawValue, comparison.candidate.files.joined(separator: " ")]
      for section in comparison.sections {
        let rows = section.topologies.flatMap { topology in
          topology.figures.map { fields(section, topology, $0) + ends }
        }
        try output(rows.map(CSVWriter.row).joined())
      }
    }
  }

  static let csvSchema = "topobench-comparison/3"

  /// New columns are added at the end. `change` compares the medians; `estimate` has an interval.
  static let csvColumns = [
    "schema", "scenario", "scenario_digest", "parameters", "store", "topology", "metric", "unit",
    "baseline_trials", "baseline_median", "baseline_lower", "baseline_upper", "candidate_trials",
    "candidate_median", "candidate_lower", "candidate_upper", "change_scale", "change",
    "estimate", "estimate_lower", "estimate_upper", "adjusted_p", "verdict", "pairing",
    "candidate",
  ]

  private static func fields(
    _ section: Comparison.Section, _ topology: Comparison.Topology, _ row: Comparison.Figure
  ) -> [String] {
    let place = [
      csvSchema, section.scenario, section.scenarioDigest, section.parameters,
      section.store, topology.name, row.metric.name, row.metric.unit,
    ]
    let figures = [row.baseline, row.candidate].flatMap { estimate in
      [
        String(estimate.trials), number(estimate.median), number(estimate.interval?.lower),
        number(estimate.interval?.upper),
      ]
    }
    return place + figures + change(row) + [row.verdict.rawValue]
  }

  private static func change(_ row: Comparison.Figure) -> [String] {
    guard case .time(let judgement) = row.judgement else {
      return ["count", number(row.candidate.median - row.baseline.median), "", "", "", ""]
    }
    let change = judgement.change
    return [
      (change?.scale ?? .difference).rawValue,
      number(change?.scale.change(from: row.baseline.median, to: row.candidate.median)),
      number(change?.estimate), number(change?.lower), number(change?.upper),
      number(judgement.adjustedPTwoSided),
    ]
  }

  private static func number(_ value: Double?) -> String {
    value.map { "\($0)" } ?? ""
  }
}
