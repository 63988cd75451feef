package import Measurement

/// A number as it is shown: the median over trials with its interval.
package struct Estimate: Codable, Sendable, Equatable {
  package let median: Double
  /// Of 95 % or a little more; nil below six trials.
  package let interval: MedianInterval?
  /// How many trials stand behind it.
  package let trials: Int

  /// Nil of nothing.
  package init?(_ values: [Double]) {
    guard let median = Statistics.median(values) else { return nil }
    self.median = median
    interval = Statistics.medianInterval(values)
    trials = values.count
  }
}
