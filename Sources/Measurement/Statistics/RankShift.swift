// By how much one sample lies above another, by the rank test that needs no distribution.
//
//   p that the shift is more than θ            θ below the data: p = 1 / number of orders
//   1 ┤            ┌────
//     ┤      ┌─────┘         every step lies at a Walsh average or a pairwise difference;
//   α ┤┄┄┄┄┄┄│               the bound is the first step behind which p exceeds α
//     ┤  ┌───┘
//   0 ┼──┴───▲──────────▶ θ
//
// So the bounds, the estimate and the p-value are one test's: the lower bound of tail α lies above 0
// exactly if the test finds, at α, that the shift is above 0 (Hodges and Lehmann 1963; Bauer 1972).

/// The shift of paired differences (signed ranks) or between two samples (rank sum), on whatever
/// scale the values have.
package struct RankShift: Sendable {
  /// Hodges–Lehmann: the median of all Walsh averages, or of all pairwise differences.
  package let estimate: Double
  /// The probability, without a shift, of data this low or lower.
  package let pLess: Double
  /// The same, this high or higher: small where the shift is above zero.
  package let pGreater: Double
  package let isExact: Bool

  private let sample: Sample
  private let steps: ShiftSteps

  /// - Parameter differences: second − first, one for each pair. Nil of nothing.
  package init?(paired differences: [Double]) {
    self.init(.paired(differences), ShiftSteps(walsh: differences))
  }

  /// Second − first. Nil where one of them is empty.
  package init?(from first: [Double], to second: [Double]) {
    self.init(.unpaired(first, second), ShiftSteps(from: first, to: second))
  }

  private init?(_ sample: Sample, _ steps: ShiftSteps) {
    guard let estimate = steps.median() else { return nil }
    self.estimate = estimate
    self.sample = sample
    self.steps = steps
    switch sample {
    case .paired(let differences):
      let test = SignedRank(differences)
      (pLess, pGreater, isExact) = (test.pLess, test.pGreater, test.isExact)
    case .unpaired(let first, let second):
      let test = RankSum(first, second)
      (pLess, pGreater, isExact) = (test.pLess, test.pGreater, test.isExact)
    }
  }

  /// The largest shift that the data are too high for, at a one-sided level of `tail`; nil where
  /// there are too few for any.
  package func lowerBound(tail: Double) -> Double? {
    bound(tail: tail, negated: false)
  }

  /// The smallest shift that the data are too low for; nil where there are too few for any.
  package func upperBound(tail: Double) -> Double? {
    bound(tail: tail, negated: true).map { -$0 }
  }

  /// The upper bound is the lower one of the negated data.
  private func bound(tail: Double, negated: Bool) -> Double? {
    let sample = negated ? sample.negated : sample
    guard isExact else {
      let place = sample.placeByNormal(tail: tail)
      guard place >= 0 else { return nil }
      return negated ? -steps.nth(steps.count - 1 - place) : steps.nth(place)
    }
    let all = negated ? steps.all().reversed().map { -$0 } : steps.all()
    return ShiftWalk(sample: sample, steps: all).lowerBound(tail: tail)
  }

  enum Sample: Sendable {
    case paired([Double])
    case unpaired([Double], [Double])

    var negated: Sample {
      switch self {
      case .paired(let differences): .paired(differences.map { -$0 })
      case .unpaired(let first, let second): .unpaired(second, first)
      }
    }

    /// How many steps lie below the bound of a sample too long to be exact, by the normal
    /// approximation.
    func placeByNormal(tail: Double) -> Int {
      let z = Normal.quantile(1 - tail)
      let (half, deviation): (Double, Double)
      switch self {
      case .paired(let differences):
        let n = Double(differences.count)
        half = n * (n + 1) / 4
        deviation = (n * (n + 1) * (2 * n + 1) / 24).squareRoot()
      case .unpaired(let first, let second):
        let (m, n) = (Double(first.count), Double(second.count))
        half = m * n / 2
        deviation = (m * n * (m + n + 1) / 12).squareRoot()
      }
      return Int((half - z * deviation - 0.5).rounded(.down))
    }
  }
}

/// A walk over the steps of an exact test.
private struct ShiftWalk {
  let sample: RankShift.Sample
  /// Sorted, each value once; what lies closer together than rounding can tell is one.
  let steps: [Double]

  init(sample: RankShift.Sample, steps all: [Double]) {
    self.sample = sample
    let grain = 1e-13 * max(abs(all[0]), abs(all[all.count - 1]))
    steps = all.reduce(into: []) { kept, step in
      if let last = kept.last, step - last <= grain { return }
      kept.append(step)
    }
  }

  /// Nil where the test does not reach `tail` even in front of the first step.
  func lowerBound(tail: Double) -> Double? {
    var distribution: Memo?
    // `low` steps are behind us and p is still within the tail; `high` steps, and it is not.
    var (low, high) = (0, steps.count)
    guard pGreater(behind: 0, &distribution) <= tail else { return nil }
    while high - low > 1 {
      let middle = (low + high) / 2
      if pGreater(behind: middle, &distribution) <= tail { low = middle } else { high = middle }
    }
    return steps[high - 1]
  }

  /// The distribution depends on the ranks alone; without ties they are the same at every step.
  private struct Memo {
    let ranks: [Int]
    let distribution: RankDistribution
  }

  private func pGreater(behind place: Int, _ memo: inout Memo?) -> Double {
    let shift = point(behind: place)
    let (sum, ranks, size) = sample.ranks(shiftedBy: shift)
    let sorted = ranks.sorted()
    if memo?.ranks != sorted {
      let distribution =
        size.map { RankDistribution.ofChoices($0, from: sorted) } ?? .ofSigns(sorted)
      memo = Memo(ranks: sorted, distribution: distribution)
    }
    return memo?.distribution.atLeast(sum) ?? 1
  }

  /// A shift between the step and the next.
  private func point(behind place: Int) -> Double {
    let span = max(1, steps[steps.count - 1] - steps[0])
    if place == 0 { return steps[0] - span }
    if place == steps.count { return steps[place - 1] + span }
    return (steps[place - 1] + steps[place]) / 2
  }
}

extension RankShift.Sample {
  /// The doubled rank sum of what lies above the shift, all ranks, and how many of them are summed
  /// where that is fixed.
  fileprivate func ranks(shiftedBy shift: Double) -> (sum: Int, ranks: [Int], size: Int?) {
    switch self {
    case .paired(let differences):
      let left = differences.map { $0 - shift }
      let ranks = Ranks.doubled(left.map(abs))
      let signed = zip(left, ranks).filter { $0.0 != 0 }
      return (signed.reduce(0) { $1.0 > 0 ? $0 + $1.1 : $0 }, signed.map(\.1), nil)
    case .unpaired(let first, let second):
      let ranks = Ranks.doubled(first + second.map { $0 - shift })
      return (ranks[first.count...].reduce(0, +), ranks, second.count)
    }
  }
}
