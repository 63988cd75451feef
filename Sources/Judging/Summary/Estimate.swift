package import Measurement

/// The median over trials, with its interval.
package struct Estimate: Codable, Sendable, Equatable {
  package let median: Double
  /// Of 95 % or a little more. Nil below six trials.
  package let interval: MedianInterval?
  package let trials: Int

  package init?(_ values: [Double]) {
    guard let median = Statistics.median(values) else { return nil }
    self.median = median
    interval = Statistics.medianInterval(values)
    trials = values.count
  }
}
