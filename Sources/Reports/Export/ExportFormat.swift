package import Judging
import Measurement
import Support

/// A format that tools for benchmarks over commits read.
package struct ExportFormat: Sendable {
  package let name: String
  /// Whether a file holds many runs of one scenario, a row each; otherwise it holds one run.
  package let holdsHistory: Bool
  package let render: @Sendable ([RunMedians]) throws -> String

  package static let all: [ExportFormat] = [.otava, .githubBenchmark, .bencher]

  /// For Apache Otava's CSV importer, which reads a file as one test. It refuses empty fields, so a
  /// figure that a run lacks has no column.
  static let otava = ExportFormat(name: "otava", holdsHistory: true) { runs in
    let keys = runs.sharedKeys
    let header = ["time", "commit", "run", "host", "scenario"] + keys.map(\.name)
    let rows = runs.map { run in
      [run.startedAt, run.commit, run.run, run.host, run.scenario]
        + keys.map { run.estimates[$0].map { number($0.median) } ?? "" }
    }
    return ([header] + rows).map(CSVWriter.row).joined()
  }

  private static func number(_ value: Double) -> String {
    DecimalText.text(value, digits: 6) ?? "\(value)"
  }

  /// For github-action-benchmark with `tool: customSmallerIsBetter`. It only shows `range` and
  /// `extra`. Neither value nor range is rounded, so that the range contains the value.
  static let githubBenchmark = ExportFormat(name: "github-benchmark", holdsHistory: false) { runs in
    let entries = runs.flatMap { run in
      run.estimates.sorted { $0.key < $1.key }.map { key, estimate in
        Entry(
          name: "\(run.scenario) \(key.name)", unit: key.measure.unit, value: estimate.median,
          range: estimate.interval.map {
            "\(Figures.plain($0.lower)) to \(Figures.plain($0.upper))"
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

  /// Bencher Metric Format: benchmarks, then measures, then `value` with the interval's bounds.
  static let bencher = ExportFormat(name: "bencher", holdsHistory: false) { runs in
    var benchmarks: [String: [String: Value]] = [:]
    for run in runs {
      for (key, estimate) in run.estimates {
        benchmarks["\(run.scenario) \(key.series)", default: [:]][key.measure.name] = Value(
          value: estimate.median, lowerValue: estimate.interval?.lower,
          upperValue: estimate.interval?.upper)
      }
    }
    return try JSONText.indented(benchmarks) + "\n"
  }

  private struct Value: Encodable {
    let value: Double
    let lowerValue: Double?
    let upperValue: Double?
  }
}
