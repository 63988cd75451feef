import Foundation

/// A share of trials, with the exact interval of its probability.
package struct Proportion: Codable, Sendable, Equatable {
  package let successes: Int
  package let trials: Int
  /// From 0 to 1.
  package let lower: Double
  package let upper: Double

  package var share: Double { trials == 0 ? 0 : Double(successes) / Double(trials) }

  /// The interval of Clopper and Pearson (1934). At each end, a count as extreme as the observed
  /// one has half of the remaining probability.
  package init(_ successes: Int, of trials: Int, confidence: Double = 0.95) {
    precondition(successes >= 0 && successes <= trials, "\(successes) of \(trials)")
    let tail = (1 - confidence) / 2
    self.successes = successes
    self.trials = trials
    lower =
      successes == 0
      ? 0
      : root(in: 0...1, halvings: 60) {
        1 - Binomial.atMost(successes - 1, of: trials, p: $0) - tail
      }
    upper =
      successes == trials
      ? 1
      : root(in: 0...1, halvings: 60) { tail - Binomial.atMost(successes, of: trials, p: $0) }
  }
}

/// Where a rising function is zero, by bisection.
private func root(
  in range: ClosedRange<Double>, halvings: Int, of function: (Double) -> Double
) -> Double {
  var (low, high) = (range.lowerBound, range.upperBound)
  for _ in 0..<halvings {
    let middle = (low + high) / 2
    if function(middle) < 0 { low = middle } else { high = middle }
  }
  return (low + high) / 2
}

package enum Binomial {
  /// P(X ≤ k), summed from the largest term outwards.
  package static func atMost(_ k: Int, of n: Int, p: Double) -> Double {
    guard k >= 0 else { return 0 }
    guard k < n, p > 0 else { return 1 }
    guard p < 1 else { return 0 }
    let mean = Double(n) * p
    // The shorter tail, so that small probabilities keep their digits.
    return Double(k) < mean
      ? tail(from: k, to: 0, of: n, p: p) : 1 - tail(from: k + 1, to: n, of: n, p: p)
  }

  private static func tail(from start: Int, to end: Int, of n: Int, p: Double) -> Double {
    let odds = p / (1 - p)
    var term = exp(logProbability(start, of: n, p: p))
    var total = term
    for k in stride(from: start, to: end, by: end < start ? -1 : 1) {
      term *=
        end < start
        ? Double(k) / Double(n - k + 1) / odds : Double(n - k) / Double(k + 1) * odds
      total += term
      if term < total * 1e-18 { break }
    }
    return total
  }

  private static func logProbability(_ k: Int, of n: Int, p: Double) -> Double {
    let ways = logFactorial(n) - logFactorial(k) - logFactorial(n - k)
    return ways + Double(k) * log(p) + Double(n - k) * log1p(-p)
  }

  /// Stirling's series from 20 on. `lgamma` writes to a global.
  private static func logFactorial(_ n: Int) -> Double {
    guard n >= 20 else { return (1...max(1, n)).reduce(0) { $0 + log(Double($1)) } }
    let x = Double(n) + 1
    let series = 1 / (12 * x) - 1 / (360 * x * x * x) + 1 / (1260 * x * x * x * x * x)
    return (x - 0.5) * log(x) - x + log(2 * Double.pi) / 2 + series
  }
}

package enum Normal {
  /// P(Z ≤ z). Small values have full relative accuracy.
  package static func below(_ z: Double) -> Double { erfc(-z / 2.0.squareRoot()) / 2 }

  /// P(Z ≥ z). Small values have full relative accuracy.
  package static func above(_ z: Double) -> Double { below(-z) }

  /// The z with P(Z ≤ z) = p, by bisection to the last digits. Precondition: 0 < p < 1.
  package static func quantile(_ p: Double) -> Double {
    precondition(p > 0 && p < 1, "a probability between 0 and 1")
    if p > 0.5 { return -quantile(1 - p) }
    return root(in: -39...0, halvings: 80) { below($0) - p }
  }
}
