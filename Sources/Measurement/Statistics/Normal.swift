import Foundation

package enum Normal {
  /// P(Z ≤ z). Small values have full relative accuracy.
  package static func below(_ z: Double) -> Double { erfc(-z / 2.0.squareRoot()) / 2 }

  /// P(Z ≥ z). Small values have full relative accuracy.
  package static func above(_ z: Double) -> Double { below(-z) }

  /// The z with P(Z ≤ z) = p, by bisection to the last digits. Precondition: 0 < p < 1.
  package static func quantile(_ p: Double) -> Double {
    precondition(p > 0 && p < 1, "a probability between 0 and 1")
    if p > 0.5 { return -quantile(1 - p) }
    var (low, high) = (-39.0, 0.0)
    for _ in 0..<80 {
      let middle = (low + high) / 2
      if below(middle) < p { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
}
