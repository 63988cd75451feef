import Judging
import Measurement

extension ExportFormat {
  /// For github-action-benchmark with `tool: customSmallerIsBetter`. It only shows `range` and
  /// `extra`.
  static let githubBenchmark = ExportFormat(name: "github-benchmark", holdsHistory: false) { runs in
    let entries = runs.flatMap { run in
      run.estimates.sorted { $0.key < $1.key }.map { key, estimate in
        Entry(
          name: "\(run.scenario) \(key.name)", unit: key.measure.unit, value: estimate.median,
          range: estimate.interval.map {
            "\(Figures.short($0.lower)) to \(Figures.short($0.upper))"
          },
          extra: "run \(run.run)\ncommit \(run.commit)")
      }
    }
    return try JSONText.indented(entries) + "\n"
  }

  private struct Entry: Encodable {
    let name: String
    let unit: String
    let value: Double
    let range: String?
    let extra: String
  }
}
