import Judging
import Measurement
import Support

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
