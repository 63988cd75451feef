// The shifts at which the p-value of a rank test changes.
//
//   paired      the means of any two differences, each with itself (Walsh averages)
//   unpaired    second − first, for any two values
//
// Their median is the Hodges–Lehmann estimate; a confidence bound is one of them. The steps of a
// few hundred values are listed. With more values, a step is found by bisection: one pass over the
// sorted values counts the steps at or below t.

/// The steps of a shift, in ascending order, computed on demand.
struct ShiftSteps: Sendable {
  private enum Source: Sendable {
    case walsh([Double])
    case differences([Double], [Double])
  }

  private let source: Source
  let count: Int

  init(walsh values: [Double]) {
    source = .walsh(values.sorted())
    count = values.count * (values.count + 1) / 2
  }

  init(from first: [Double], to second: [Double]) {
    source = .differences(first.sorted(), second.sorted())
    count = first.count * second.count
  }

  /// All of them, sorted.
  func all() -> [Double] {
    var steps: [Double] = []
    steps.reserveCapacity(count)
    switch source {
    case .walsh(let values):
      for (index, value) in values.enumerated() {
        for other in values[index...] { steps.append((value + other) / 2) }
      }
    case .differences(let first, let second):
      for value in first { for other in second { steps.append(other - value) } }
    }
    return steps.sorted()
  }

  /// The middle step, or the mean of the two in the middle; nil if there are no steps.
  func median() -> Double? {
    guard count > 0 else { return nil }
    if count <= Self.listed { return Statistics.median(sorted: all()) }
    let upper = nth(count / 2)
    return count.isMultiple(of: 2) ? (nth(count / 2 - 1) + upper) / 2 : upper
  }

  /// The step with `place` steps below it.
  ///
  /// - Precondition: `0 <= place < count`.
  func nth(_ place: Int) -> Double {
    precondition(place >= 0 && place < count, "there is no step \(place)")
    var (low, high) = bounds
    while low < high {
      let middle = low + (high - low) / 2
      if countAtMost(Double(ordered: middle)) > place { high = middle } else { low = middle + 1 }
    }
    return Double(ordered: low)
  }

  private static let listed = 1 << 14

  private var bounds: (UInt64, UInt64) {
    switch source {
    case .walsh(let values):
      (values[0].ordered, values[values.count - 1].ordered)
    case .differences(let first, let second):
      ((second[0] - first[first.count - 1]).ordered, (second[second.count - 1] - first[0]).ordered)
    }
  }

  private func countAtMost(_ limit: Double) -> Int {
    switch source {
    case .walsh(let values): Self.countWalsh(values, atMost: limit)
    case .differences(let first, let second): Self.count(first, second, atMost: limit)
    }
  }

  private static func countWalsh(_ values: [Double], atMost limit: Double) -> Int {
    var (total, end) = (0, values.count)
    for (index, value) in values.enumerated() {
      while end > index, (value + values[end - 1]) / 2 > limit { end -= 1 }
      guard end > index else { break }
      total += end - index
    }
    return total
  }

  private static func count(_ first: [Double], _ second: [Double], atMost limit: Double) -> Int {
    var (total, end) = (0, 0)
    for value in first {
      while end < second.count, second[end] - value <= limit { end += 1 }
      total += end
    }
    return total
  }
}

extension Double {
  /// An integer with the same order as the values, for bisection to the last bit.
  fileprivate var ordered: UInt64 {
    // −0 is 0.
    let bits = (self + 0).bitPattern
    return bits >> 63 == 1 ? ~bits : bits | 1 << 63
  }

  fileprivate init(ordered: UInt64) {
    self.init(bitPattern: ordered >> 63 == 1 ? ordered & ~(1 << 63) : ~ordered)
  }
}
