package import Judging
import Measurement
import Support

extension ComparisonReport {
  /// A row for each figure that was compared; numbers are not rounded.
  package static func csv(_ comparison: Comparison) -> String {
    let rows = comparison.sections.flatMap { section in
      section.topologies.flatMap { topology in
        topology.figures.map { fields(section, topology, $0) + [comparison.pairing.rawValue] }
      }
    }
    return ([csvColumns] + rows).map(CSVWriter.row).joined()
  }

  /// New columns are added at the end.
  static let csvColumns = [
    "schema", "scenario", "scenario_digest", "parameters", "store", "topology", "metric", "unit",
    "baseline_trials", "baseline_median", "baseline_lower", "baseline_upper", "candidate_trials",
    "candidate_median", "candidate_lower", "candidate_upper", "change_scale", "change",
    "change_lower", "change_upper", "adjusted_p", "verdict", "pairing",
  ]

  private static func fields(
    _ section: Comparison.Section, _ topology: Comparison.Topology, _ row: Comparison.Figure
  ) -> [String] {
    let change = ComparisonChange(row)
    let place = [
      "topobench-comparison/1", section.scenario, section.scenarioDigest, section.parameters,
      section.store,
      topology.name, row.metric.name, row.metric.unit,
    ]
    let figures = [row.baseline, row.candidate].flatMap { estimate in
      [
        String(estimate.trials), number(estimate.median), number(estimate.interval?.lower),
        number(estimate.interval?.upper),
      ]
    }
    return place + figures + [
      change.scale, number(change.estimate), number(change.lower), number(change.upper),
      number(row.adjustedP), row.verdict.rawValue,
    ]
  }

  private static func number(_ value: Double?) -> String {
    value.map { "\($0)" } ?? ""
  }
}
