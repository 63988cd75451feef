// The shifts at which the p-value of a rank test changes.
//
//   paired      the means of any two differences, each with itself (Walsh averages)
//   unpaired    second − first, for any two values
//
// Their median is the Hodges–Lehmann estimate. A confidence bound is one of them. The steps of a
// few values are listed. With more, bisection finds a step: one pass over the sorted values counts
// the steps at or below t.

/// In ascending order, computed on demand.
struct ShiftSteps: Sendable {
  private let sample: RankSample
  let count: Int

  init(_ sample: RankSample) {
    switch sample {
    case .paired(let values):
      self.sample = .paired(values.sorted())
      count = values.count * (values.count + 1) / 2
    case .unpaired(let first, let second):
      self.sample = .unpaired(first.sorted(), second.sorted())
      count = first.count * second.count
    }
  }

  func all() -> [Double] {
    var steps: [Double] = []
    steps.reserveCapacity(count)
    switch sample {
    case .paired(let values):
      for (index, value) in values.enumerated() {
        for other in values[index...] { steps.append((value + other) / 2) }
      }
    case .unpaired(let first, let second):
      for value in first { for other in second { steps.append(other - value) } }
    }
    return steps.sorted()
  }

  func median() -> Double? {
    guard count > 0 else { return nil }
    if count <= Self.listed { return Statistics.median(sorted: all()) }
    let upper = nth(count / 2)
    return count.isMultiple(of: 2) ? (nth(count / 2 - 1) + upper) / 2 : upper
  }

  /// The step with `index` steps below it.
  func nth(_ index: Int) -> Double {
    precondition(index >= 0 && index < count, "there is no step \(index)")
    var (low, high) = bounds
    while low < high {
      let middle = low + (high - low) / 2
      if countAtMost(Double(ordered: middle)) > index { high = middle } else { low = middle + 1 }
    }
    return Double(ordered: low)
  }

  private static let listed = 1 << 9

  private var bounds: (UInt64, UInt64) {
    switch sample {
    case .paired(let values):
      (values[0].ordered, values[values.count - 1].ordered)
    case .unpaired(let first, let second):
      ((second[0] - first[first.count - 1]).ordered, (second[second.count - 1] - first[0]).ordered)
    }
  }

  private func countAtMost(_ limit: Double) -> Int {
    switch sample {
    case .paired(let values): Self.countWalsh(values, atMost: limit)
    case .unpaired(let first, let second): Self.count(first, second, atMost: limit)
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
  /// An integer with the same order, for bisection to the last bit.
  fileprivate var ordered: UInt64 {
    // Adding 0 turns −0 into 0.
    let bits = (self + 0).bitPattern
    return bits >> 63 == 1 ? ~bits : bits | 1 << 63
  }

  fileprivate init(ordered: UInt64) {
    self.init(bitPattern: ordered >> 63 == 1 ? ordered & ~(1 << 63) : ~ordered)
  }
}
