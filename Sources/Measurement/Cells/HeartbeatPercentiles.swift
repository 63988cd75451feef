import Histogram

/// Percentiles of a cell's heartbeats, by HdrHistogram with three digits.
struct HeartbeatPercentiles {
  private var histogram = Histogram<UInt64>(
    lowestDiscernibleValue: 1, highestTrackableValue: 3_600_000_000_000,
    numberOfSignificantValueDigits: .three)
  /// In ms, exact. Nil without beats.
  private(set) var max: Double?

  /// - Parameter beats: ms from due time to answer.
  init(_ beats: some Sequence<Double>) {
    for beat in beats {
      histogram.record(UInt64(Swift.min(Swift.max(beat, 0), 3_600_000) * 1e6))
      max = Swift.max(max ?? beat, beat)
    }
  }

  /// In ms. Nil below 1 / (1 − fraction) beats, where it would be the maximum: the median needs 2,
  /// p99 100, p99.9 1,000.
  func percentile(_ fraction: Double) -> Double? {
    let needed = (1 / (1 - fraction)).rounded()
    guard Double(histogram.totalCount) >= needed else { return nil }
    return Double(histogram.valueAtPercentile(fraction * 100)) / 1e6
  }
}
