// The shift between two samples, by rank tests, which assume no distribution.
//
//   p that the shift is more than θ            θ below the data: p = 1 / number of orders
//   1 ┤            ┌────
//     ┤      ┌─────┘         every step lies at a Walsh average or a pairwise difference;
//   α ┤┄┄┄┄┄┄│               the bound is the first step behind which p exceeds α
//     ┤  ┌───┘
//   0 ┼──┴───▲──────────▶ θ
//
// Bounds, estimate and p-value belong to one test (Hodges and Lehmann 1963; Bauer 1972). The lower
// bound of tail α is above 0 exactly if the test finds a shift above 0 at level α.

/// The shift of paired differences (signed ranks) or between two samples (rank sum), in their unit.
package struct RankShift: Sendable {
  /// Hodges–Lehmann: the median of all Walsh averages, or pairwise differences.
  package let estimate: Double
  /// The probability, without a shift, of data as low or lower.
  package let pLess: Double
  /// Of data as high or higher: small if the shift is above zero.
  package let pGreater: Double
  /// False if a normal approximation was needed.
  package let isExact: Bool

  package var pTwoSided: Double { Self.pTwoSided((pLess, pGreater)) }

  private let test: RankTest
  private let steps: ShiftSteps
  // Nil if the test is not exact.
  private let walk: ShiftWalk?

  /// - Parameter differences: second − first, one for each pair. Nil if there are none.
  package init?(paired differences: [Double]) {
    self.init(.paired(differences))
  }

  /// Second − first. Nil if a sample is empty.
  package init?(from first: [Double], to second: [Double]) {
    self.init(.unpaired(first, second))
  }

  /// The estimate alone. The bounds of an exact test need all steps, which takes most of the time.
  package static func estimate(of sample: RankSample) -> Double? { ShiftSteps(sample).median() }

  /// `pTwoSided` alone. The sample must not be empty.
  package static func pTwoSided(of sample: RankSample) -> Double {
    var test = RankTest(sample)
    return pTwoSided(test.tails(at: 0))
  }

  private static func pTwoSided(_ tails: (less: Double, greater: Double)) -> Double {
    min(1, 2 * min(tails.less, tails.greater))
  }

  private init?(_ sample: RankSample) {
    let steps = ShiftSteps(sample)
    guard steps.count > 0 else { return nil }
    var test = RankTest(sample)
    (pLess, pGreater) = test.tails(at: 0)
    isExact = test.isExact
    let all = test.isExact ? steps.all() : []
    guard let estimate = test.isExact ? Statistics.median(sorted: all) : steps.median() else {
      return nil
    }
    walk = test.isExact ? ShiftWalk(test: test, steps: all) : nil
    self.estimate = estimate
    self.steps = steps
    self.test = test
  }

  /// One-sided at `tail`. Nil with too few values.
  package func lowerBound(tail: Double) -> Double? { bound(tail: tail, isUpper: false) }

  /// One-sided at `tail`. Nil with too few values.
  package func upperBound(tail: Double) -> Double? { bound(tail: tail, isUpper: true) }

  private func bound(tail: Double, isUpper: Bool) -> Double? {
    if var walk { return walk.bound(tail: tail, isUpper: isUpper) }
    let beyond = test.stepsBelowBound(tail: tail)
    return beyond >= 0 ? steps.nth(isUpper ? steps.count - 1 - beyond : beyond) : nil
  }
}

private struct ShiftWalk {
  var test: RankTest
  /// Sorted and distinct, up to rounding errors.
  let steps: [Double]
  private let before: [Int]
  private let values: Int

  init(test: RankTest, steps all: [Double]) {
    self.test = test
    let grain = 1e-13 * max(abs(all[0]), abs(all[all.count - 1]))
    var (steps, before): ([Double], [Int]) = ([], [])
    for (index, step) in all.enumerated() {
      if let last = steps.last, step - last <= grain { continue }
      steps.append(step)
      before.append(index)
    }
    (self.steps, self.before, values) = (steps, before, all.count)
  }

  mutating func bound(tail: Double, isUpper: Bool) -> Double? {
    let beyond = test.stepsBelowBound(tail: tail)
    let guess =
      isUpper ? steps.count - stepsAmong(first: values - beyond) : stepsAmong(first: beyond)
    return rejected(tail: tail, guess: guess, isUpper: isUpper)
      .map { steps[isUpper ? steps.count - $0 : $0 - 1] }
  }

  private func stepsAmong(first count: Int) -> Int {
    before.firstIndex { $0 >= count } ?? steps.count
  }

  /// How many steps, from outside, lie before p exceeds `tail`. Nil if it exceeds `tail` at once.
  ///
  /// - Parameter guess: where to start. With ties each p needs its own distribution. A guess by the
  ///   normal approximation saves most of them.
  private mutating func rejected(tail: Double, guess: Int, isUpper: Bool) -> Int? {
    // p is at most `tail` at `low`, and more at `high`.
    var (low, high) = (-1, steps.count)
    var (next, stride) = (min(max(0, guess), steps.count - 1), 1)
    while high - low > 1 {
      let p =
        isUpper
        ? test.less(at: point(behind: steps.count - next)) : test.greater(at: point(behind: next))
      if p <= tail { low = next } else { high = next }
      // The stride doubles until `low` and `high` are known. Then bisection follows.
      if low < 0 {
        next = max(0, high - stride)
      } else if high == steps.count {
        next = min(low + stride, steps.count - 1)
      } else {
        next = (low + high) / 2
      }
      stride *= 2
    }
    return low < 0 ? nil : high
  }

  private func point(behind index: Int) -> Double {
    let span = max(1, steps[steps.count - 1] - steps[0])
    if index == 0 { return steps[0] - span }
    if index == steps.count { return steps[index - 1] + span }
    return (steps[index - 1] + steps[index]) / 2
  }
}
