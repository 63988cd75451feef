import Foundation
import Judging

/// An axis across a chart. Positions are percent of its width.
struct Axis: Sendable {
  let title: String
  var isLogarithmic = false
  let lower: Double
  let upper: Double
  let ticks: [Double]
  /// Between the ticks, for wide pages.
  var fineTicks: [Double] = []

  static func linear(to largest: Double, _ title: String, hasWholeTicks: Bool = false) -> Axis {
    let upper = drawable.contains(largest) ? largest : 1
    let step = hasWholeTicks ? max(1, roundStep(upper)) : roundStep(upper)
    let count = Int(upper / step + 1e-9)
    return Axis(
      title: title, lower: 0, upper: upper, ticks: (0...count).map { Double($0) * step },
      fineTicks: hasWholeTicks ? [] : halves(of: step, to: upper))
  }

  /// Whole decades around both values, which must be above zero.
  static func logarithmic(from smallest: Double, to largest: Double, _ title: String) -> Axis {
    let (smallest, largest) = (clamped(smallest), clamped(max(smallest, largest)))
    let first = (log10(smallest) + 1e-9).rounded(.down)
    let last = max(first + 1, (log10(largest) - 1e-9).rounded(.up))
    return Axis(
      title: title, isLogarithmic: true, lower: pow(10, first), upper: pow(10, last),
      ticks: (Int(first)...Int(last)).map { pow(10, Double($0)) })
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

  /// For the label of a tick, which stays inside the chart.
  func style(of tick: Double, _ style: String = "tick") -> String {
    let percent = percent(tick)
    return style + (percent < 3 ? " first" : percent > 94 ? " last" : "")
  }

  /// 1, 2 or 5 times a power of ten: three to six ticks.
  private static func roundStep(_ largest: Double) -> Double {
    let rough = largest / 5
    let power = pow(10, log10(rough).rounded(.down))
    let factor = [1.0, 2, 5, 10].first { $0 * power >= rough * 0.999 } ?? 10
    return factor * power
  }

  /// None for a step of 5, because its half is no round number.
  private static func halves(of step: Double, to upper: Double) -> [Double] {
    let power = pow(10, (log10(step) + 1e-9).rounded(.down))
    guard (step / power).rounded() != 5 else { return [] }
    return (0...6).map { (Double($0) + 0.5) * step }.filter { $0 <= upper }
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

enum Coordinate {
  static func text(_ value: Double) -> String { DecimalText.text(value, digits: 2) ?? "0" }
}
