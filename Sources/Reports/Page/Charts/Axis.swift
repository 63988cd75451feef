import Foundation
import Judging

/// The axis of a column of marks. Positions are percent of its width.
struct Axis: Sendable, Equatable {
  /// A value that should not be passed, drawn as a line.
  struct Limit: Sendable, Equatable {
    let value: Double
    let words: String

    /// Of a wait, in ms. A frame is one of 60 Hz.
    static let waits = FreezeLimit.allCases.map {
      Limit(value: $0.milliseconds, words: $0.rawValue)
    }
  }

  var isLogarithmic = false
  let lower: Double
  let upper: Double
  let ticks: [Double]
  var limits: [Limit] = []

  /// Logarithmic if the positive values differ by more than 50 times.
  static func fitting(_ values: [Double]) -> Axis {
    let positive = values.filter { $0 > 0 }
    guard let least = positive.min(), let most = positive.max() else { return .linear(to: 0) }
    return most > 50 * least ? .logarithmic(from: least, to: most) : .linear(to: most)
  }

  /// Of waits in ms, with their limits. Nobody notices less than a tenth.
  static func waits(_ values: [Double]) -> Axis {
    var axis = fitting(values.map { max(0.1, $0) } + [Limit.waits[0].value])
    axis.limits = Limit.waits.filter { $0.value <= axis.upper }
    return axis
  }

  static func linear(to largest: Double, hasWholeTicks: Bool = false) -> Axis {
    let upper = drawable.contains(largest) ? largest : 1
    let step = hasWholeTicks ? max(1, roundStep(upper)) : roundStep(upper)
    let count = Int(upper / step + 1e-9)
    return Axis(lower: 0, upper: upper, ticks: (0...count).map { Double($0) * step })
  }

  /// Begins at a whole decade. Both values must be above zero.
  static func logarithmic(from smallest: Double, to largest: Double) -> Axis {
    let (smallest, largest) = (clamped(smallest), clamped(max(smallest, largest)))
    let first = Int((log10(smallest) + 1e-9).rounded(.down))
    let last = max(first + 1, Int((log10(largest) + 1e-9).rounded(.down)))
    let ticks = (first...last).map { pow(10, Double($0)) }
    return Axis(
      isLogarithmic: true, lower: ticks[0], upper: max(largest, ticks[ticks.count - 1]),
      ticks: ticks)
  }

  /// Of changes, with zero in the middle.
  static func symmetric(to largest: Double) -> Axis {
    let half = linear(to: largest)
    return Axis(
      lower: -half.upper, upper: half.upper,
      ticks: half.ticks.dropFirst().reversed().map { -$0 } + half.ticks)
  }

  /// Limits a value from a file, so that arithmetic can place it.
  private static let drawable = 1e-290...1e290

  private static func clamped(_ value: Double) -> Double {
    min(drawable.upperBound, max(drawable.lowerBound, value))
  }

  /// From 0 to 100; values outside of the axis are at its edge.
  func percent(_ value: Double) -> Double {
    let share =
      !isLogarithmic
      ? (value - lower) / (upper - lower)
      : value > 0 ? log(value / lower) / log(upper / lower) : 0
    return min(1, max(0, share)) * 100
  }

  /// 1, 2 or 5 times a power of ten: three to six ticks.
  private static func roundStep(_ largest: Double) -> Double {
    let rough = largest / 5
    let power = pow(10, log10(rough).rounded(.down))
    let factor = [1.0, 2, 5, 10].first { $0 * power >= rough * 0.999 } ?? 10
    return factor * power
  }

  static func label(_ tick: Double) -> String {
    guard tick == tick.rounded(), let whole = Int(exactly: tick) else {
      // Binary fractions add noise to the last digits.
      return PageText.exact(tick)
    }
    return Figures.whole(whole)
  }
}

extension SweptValue {
  /// `10,000`, `0.1`, `all`
  var label: String { number.map(Axis.label) ?? text }
}
