import Judging
import Measurement

extension ExportFormat {
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
