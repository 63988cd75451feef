extension Statistics {
  /// Interpolated between neighbours (type 7 of Hyndman and Fan, the default of NumPy and R). Nil
  /// for an empty list.
  package static func quantile(_ values: [Double], _ fraction: Double) -> Double? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    let position = fraction * Double(sorted.count - 1)
    let lower = Int(position.rounded(.down))
    guard lower + 1 < sorted.count else { return sorted[sorted.count - 1] }
    return sorted[lower] + (position - Double(lower)) * (sorted[lower + 1] - sorted[lower])
  }

  /// Half the interquartile range over the median. Nil below two values or if the median is zero.
  package static func relativeSpread(_ values: [Double]) -> Double? {
    guard values.count >= 2, let median = median(values), median != 0,
      let lower = quantile(values, 0.25), let upper = quantile(values, 0.75)
    else { return nil }
    return (upper - lower) / 2 / abs(median)
  }
}
