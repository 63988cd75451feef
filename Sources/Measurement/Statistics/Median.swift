/// Exact statistics of small samples. None needs a seed.
package enum Statistics {
  /// Nil for an empty list.
  package static func median(_ values: [Double]) -> Double? {
    median(sorted: values.sorted())
  }

  /// The lower of two middle values, so that it is one of the values. Nil for an empty list.
  package static func lowerMedian(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : middle(values.sorted()).first
  }

  static func median(sorted: [Double]) -> Double? {
    guard !sorted.isEmpty else { return nil }
    let middle = middle(sorted)
    return middle.reduce(0, +) / Double(middle.count)
  }

  /// The middle element, or the two whose mean is the median.
  ///
  /// - Parameter sorted: not empty.
  static func middle<Element>(_ sorted: [Element]) -> ArraySlice<Element> {
    sorted[(sorted.count - 1) / 2...sorted.count / 2]
  }

  /// The values at the indexes where both lists have one.
  package static func pairs(
    _ first: [Double?], _ second: [Double?]
  ) -> (first: [Double], second: [Double]) {
    var pairs: (first: [Double], second: [Double]) = ([], [])
    for case (let one?, let other?) in zip(first, second) {
      pairs.first.append(one)
      pairs.second.append(other)
    }
    return pairs
  }

  /// Holm's adjusted p-values, in the given order. Each at most α keeps the chance of any false
  /// alarm below α, for every dependence between the tests (Holm 1979).
  package static func holm(_ pValues: [Double]) -> [Double] {
    var adjusted = pValues
    var largest = 0.0
    let order = pValues.indices.sorted { pValues[$0] < pValues[$1] }
    for (rank, index) in order.enumerated() {
      largest = max(largest, min(1, Double(pValues.count - rank) * pValues[index]))
      adjusted[index] = largest
    }
    return adjusted
  }
}

package struct MedianInterval: Codable, Sendable, Equatable {
  package let lower: Double
  package let upper: Double
  /// The probability that it contains the median.
  package let coverage: Double
}

/// The median over trials, with its interval.
package struct Estimate: Codable, Sendable, Equatable {
  /// Of exact counts, the lower of two middle ones: there is no half row.
  package let median: Double
  /// Of 95 % or a little more. Nil below six trials.
  package let interval: MedianInterval?
  package let trials: Int

  package init?(_ values: [Double], areCounts: Bool = false) {
    let values = values.sorted()
    let median = areCounts ? Statistics.lowerMedian(values) : Statistics.median(values)
    guard let median else { return nil }
    self.median = median
    interval = Statistics.medianInterval(values)
    trials = values.count
  }

  package init?(_ values: [Double], of metric: Metric) {
    self.init(
      metric.isWhole ? values.map { $0.rounded(.down) } : values, areCounts: metric.isWhole)
  }
}

extension Statistics {
  /// The narrowest symmetric pair of order statistics that contains the median with this
  /// probability. Nil if there are too few: for 95 %, below six.
  ///
  /// For every distribution, the number of observations below the median is binomial with p = ½
  /// (David and Nagaraja, Order Statistics, 7.1).
  package static func medianInterval(
    _ values: [Double], confidence: Double = 0.95
  ) -> MedianInterval? {
    let sorted = values.sorted()
    let pmf = halfBinomial(sorted.count)
    var rank = 0
    var below = 0.0
    while rank < sorted.count / 2, 2 * (below + pmf[rank]) <= 1 - confidence {
      below += pmf[rank]
      rank += 1
    }
    guard rank > 0 else { return nil }
    return MedianInterval(
      lower: sorted[rank - 1], upper: sorted[sorted.count - rank], coverage: 1 - 2 * below)
  }

  /// P(k heads in n throws of a fair coin) for every k, from the middle outwards to avoid
  /// underflow.
  private static func halfBinomial(_ n: Int) -> [Double] {
    var pmf = [Double](repeating: 1, count: n + 1)
    let middle = n / 2
    for k in stride(from: middle, to: 0, by: -1) {
      pmf[k - 1] = pmf[k] * Double(k) / Double(n - k + 1)
    }
    for k in middle..<n { pmf[k + 1] = pmf[k] * Double(n - k) / Double(k + 1) }
    let total = pmf.reduce(0, +)
    return pmf.map { $0 / total }
  }
}

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
    let values = values.sorted()
    guard values.count >= 2, let median = median(values), median != 0,
      let lower = quantile(values, 0.25), let upper = quantile(values, 0.75)
    else { return nil }
    return (upper - lower) / 2 / abs(median)
  }
}
