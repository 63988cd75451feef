package import Judging
import Measurement
import Support

package enum ComparisonReport {
  package typealias Format = OutputFormat<DataFormat>

  package enum DataFormat: String, Sendable, CaseIterable {
    case csv, json
  }

  package enum Listing: Sendable {
    /// Changed and undecided rows. The others are counted.
    case changes
    case everything
  }

  /// Writes large data in pieces, which need less memory than one text.
  package static func write(
    _ comparison: Comparison, as format: Format, style: TextStyle, listing: Listing = .changes,
    to output: (String) throws -> Void
  ) throws {
    switch format {
    case .document(let format): try output(format.render(document(comparison, listing), style))
    case .data(.csv): try csv(comparison, to: output)
    case .data(.json): try json(comparison, to: output)
    }
  }

  /// Printable on a terminal.
  package static func notes(_ comparison: Comparison) -> [String] {
    let style = TextStyle(width: nil, isUTF8: true, hasColor: false)
    return ComparisonSentences.notes(comparison).map(style.printable)
  }

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

// MARK: - Document

extension ComparisonReport {
  static func document(_ comparison: Comparison, _ listing: Listing = .changes) -> Document {
    let (listed, quiet) = parted(comparison.sections, listing)
    let same = ComparisonSentences.quiet(quiet).map { [Document.Block.paragraph($0)] } ?? []
    return Document(
      blocks: [.lines(ComparisonSentences.reports(comparison))]
        + listed.map { section($0, listing, comparison.pairing) } + same
        + [
          .paragraph(ComparisonSentences.conclusion(comparison), .answer),
          .list(ComparisonSentences.notes(comparison)),
        ])
  }

  private static let mostQuiet = 3

  private static func parted(
    _ sections: [Comparison.Section], _ listing: Listing
  ) -> (listed: [Comparison.Section], quiet: [Comparison.Section]) {
    func isQuiet(_ section: Comparison.Section) -> Bool {
      section.topologies.allSatisfy { $0.figures.allSatisfy(\.isSame) }
    }
    let quiet = sections.filter(isQuiet)
    guard listing == .changes, quiet.count > mostQuiet else { return (sections, []) }
    return (sections.filter { !isQuiet($0) }, quiet)
  }

  private static func section(
    _ section: Comparison.Section, _ listing: Listing, _ pairing: Pairing
  ) -> Document.Block {
    let table = table(section, listing, pairing)
    let others = listing == .everything ? [] : ComparisonSentences.unlisted(section)
    return .section(
      ComparisonSentences.title(section),
      (table.rows.isEmpty ? [] : [.table(table)]) + (others.isEmpty ? [] : [.lines(others)]))
  }

  static func table(
    _ section: Comparison.Section, _ listing: Listing, _ pairing: Pairing
  ) -> Table {
    let lines = section.topologies.flatMap { topology in
      topology.figures.filter { listing == .everything || $0.isListed }.map {
        ComparisonLine(topology: topology.name, figure: $0, texts: ComparisonFigures($0))
      }
    }
    let grades: [[Direction]] = [[.worse], [.better, .differs], [.inconclusive], [.same]]
    var table = Table(
      lines, columns(pairing), group: { ComparisonSentences.brief($0.topology) },
      isEmphasised: \.figure.verdict.isChange,
      importance: { Table.Importance($0.figure.verdict, of: grades) })
    table.groupHeading = "topology"
    return table
  }

  private static func columns(_ pairing: Pairing) -> [ValueColumn<ComparisonLine>] {
    [
      .leading("metric", .code) { $0.figure.metric.name },
      ValueColumn("baseline", "", .figure) { $0.texts.baseline },
      ValueColumn("candidate", "", .figure) { $0.texts.candidate },
      ValueColumn("change", "", .figure) { $0.texts.change },
      ValueColumn("verdict", "", .label, stays: true) { $0.figure.verdict.rawValue },
      ValueColumn(pairing.estimateHeading, "95 % interval", .figure) { $0.texts.estimate },
      ValueColumn("baseline", "95 % interval", .figure) { $0.texts.baselineInterval },
      ValueColumn("candidate", "95 % interval", .figure, stays: true) {
        $0.texts.candidateInterval
      },
    ]
  }
}

/// A figure and its texts, made once for all columns.
private struct ComparisonLine {
  let topology: String
  let figure: Comparison.Figure
  let texts: ComparisonFigures
}

extension Comparison.Figure {
  fileprivate var isListed: Bool { !isSame && !isUndecidable }

  /// Whether too few trials leave the row out: the row of blocked time represents all undecided
  /// metrics. A count that differs is always listed.
  var isUndecidable: Bool {
    guard hasTooFewTrials, metric != .mainBlocked else { return false }
    return !metric.isIndependentOfScheduling || baseline.median == candidate.median
  }
}

extension Pairing {
  var estimateHeading: String {
    switch self {
    case .paired: "within pairs"
    case .unpaired: "over all trials"
    }
  }
}

extension ComparisonReport {
  /// A row for each compared figure; numbers are not rounded.
  static func csv(_ comparison: Comparison, to output: (String) throws -> Void) rethrows {
    try output(CSVWriter.row(csvColumns))
    for section in comparison.sections {
      let rows = section.topologies.flatMap { topology in
        topology.figures.map { fields(section, topology, $0) + [comparison.pairing.rawValue] }
      }
      try output(rows.map(CSVWriter.row).joined())
    }
  }

  static let csvSchema = "topobench-comparison/3"

  /// New columns are added at the end. `change` compares the medians; `estimate` has an interval.
  static let csvColumns = [
    "schema", "scenario", "scenario_digest", "parameters", "store", "topology", "metric", "unit",
    "baseline_trials", "baseline_median", "baseline_lower", "baseline_upper", "candidate_trials",
    "candidate_median", "candidate_lower", "candidate_upper", "change_scale", "change",
    "estimate", "estimate_lower", "estimate_upper", "adjusted_p", "verdict", "pairing",
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
      (change?.scale ?? .difference).rawValue, number(judgement.medianChange),
      number(change?.estimate), number(change?.lower), number(change?.upper),
      number(judgement.adjustedPTwoSided),
    ]
  }

  private static func number(_ value: Double?) -> String {
    value.map { "\($0)" } ?? ""
  }
}
