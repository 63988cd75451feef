import Judging
import Measurement

/// A drawn value of a cell, on the axis of its column.
enum Mark: Sendable {
  enum Style: Sendable {
    case solid, hollow, bad

    /// Of a class in the style sheet. A page may have thousands of dots.
    var suffix: String { self == .solid ? "" : " \(self)" }
  }

  enum Shape: String, Sendable {
    case diamond = "M0 -5L5 0L0 5L-5 0z"
    case triangle = "M-5 -4H5L0 5z"
  }

  /// - Parameter down: percent of the row's height.
  case dot(Double, Style = .solid, down: Double = 50, title: String)
  case shape(Shape, Double, down: Double = 50, title: String)
  case median(Double)
  /// An interval.
  case span(Double, Double)
  case bar(Double, Double, Style = .solid, title: String)
  /// Main's gaps, coloured by their use.
  case strip(WindowSample)

  /// The uses of main's time that need a key.
  var uses: [MainUse] {
    if case .strip(let sample) = self { sample.gaps.map { MainUse(cause: $0.cause) } } else { [] }
  }

  /// A dot for each trial; of more than `most`, dots at evenly spaced ranks. Dots that would
  /// overlap lie above each other.
  static func trials(
    _ trials: [(trial: Int, value: Double)], of metric: Metric, _ style: Style = .solid,
    on axis: Axis, most: Int = .max
  ) -> [Mark] {
    let offsets = [50.0, 28, 72, 39, 61]
    var last = [Double](repeating: -100, count: offsets.count)
    let sorted = trials.sorted { $0.value < $1.value }
    let shown = (0..<min(most, sorted.count)).map { rank in
      sorted[most < sorted.count ? rank * (sorted.count - 1) / (most - 1) : rank]
    }
    return shown.map { trial, value in
      let percent = axis.percent(value)
      let free = last.indices.first { percent - last[$0] >= 2.4 }
      let lane = free ?? last.indices.min { last[$0] < last[$1] } ?? 0
      last[lane] = percent
      let title = "trial \(trial): \(Figures.number(value, metric)) ms"
      return .dot(value, style, down: offsets[lane], title: title)
    }
  }
}
