import Foundation

// The number of trials that find a shift δ, and the shift that n trials find.
//
//   n  =  (π/3) · c · ((z₁₋α + z_power) · σ / δ)²  +  z²₁₋α / (2c)  +  1
//
// with c = 1 for paired and 2 for unpaired samples.
//
// The first term is the sample size of the normal test. The factor π/3 is the loss of rank tests if
// the values are normal (Pitman 1948; Lehmann, Nonparametrics, 1975). Heavier tails lose less. The
// second term is Guenther's correction for small samples (The American Statistician 35, 1981). The
// 1 covers levels that an exact test cannot reach. The result is never below the trials that
// unanimity needs.

package enum Pairing: String, Codable, Sendable {
  case paired
  case unpaired
}

/// The power of rank tests against a shift, from a measured spread.
package struct Power: Sendable, Equatable {
  /// The spread of the pairs' log ratios or differences, or of the logs or values on one side.
  package var spread: Double
  package var pairing: Pairing
  /// The one-sided level of the single test.
  package var alpha: Double
  package var power: Double

  package init(spread: Double, pairing: Pairing, alpha: Double, power: Double = 0.9) {
    precondition(alpha > 0 && alpha < 1 && power > 0 && power < 1, "probabilities")
    self.spread = spread
    self.pairing = pairing
    self.alpha = alpha
    self.power = power
  }

  /// Pairs, or trials a side. Nil if the shift is not above zero.
  package func trials(toFind shift: Double) -> Int? {
    guard shift > 0 else { return nil }
    let needed = Self.lossOfRanks * sides * pow(reach * spread / shift, 2) + correction
    guard needed < 1e9 else { return nil }
    return max(Trials.unanimous(pairing: pairing, alpha: alpha), Int(needed.rounded(.up)))
  }

  /// The shift that these trials find. Nil with too few pairs, or trials a side.
  package func detectable(trials: Int) -> Double? {
    let usable = Double(trials) - correction
    guard trials >= Trials.unanimous(pairing: pairing, alpha: alpha), usable > 0 else { return nil }
    return reach * spread * (Self.lossOfRanks * sides / usable).squareRoot()
  }

  /// The spread that gives a one-sided bound at this distance, which shrinks as 1/√n.
  package static func spread(
    halfWidth: Double, tail: Double, pairing: Pairing, baseline: Int, candidate: Int
  ) -> Double {
    let (m, n) = (Double(baseline), Double(candidate))
    let trials = pairing == .paired ? n : m * n / (m + n)
    return halfWidth * (trials / lossOfRanks).squareRoot() / Normal.quantile(1 - tail)
  }

  /// The spread of pairs for a plan, from the signed-rank interval. Nil below two pairs.
  ///
  /// The interquartile range of eight values ignores the tails that make intervals wide. Its plans
  /// were too short for every fifth duet over four topologies.
  package static func spread(ofPairs differences: [Double]) -> Double? {
    guard let shift = RankShift(paired: differences), let low = shift.lowerBound(tail: widthTail),
      let high = shift.upperBound(tail: widthTail), high > low
    else { return Statistics.robustDeviation(differences) }
    return spread(
      halfWidth: (high - low) / 2, tail: widthTail, pairing: .paired, baseline: differences.count,
      candidate: differences.count)
  }

  private static let widthTail = 0.1
  private static let lossOfRanks = Double.pi / 3
  private var sides: Double { pairing == .paired ? 1 : 2 }
  private var reach: Double { Normal.quantile(1 - alpha) + Normal.quantile(power) }
  private var correction: Double { pow(Normal.quantile(1 - alpha), 2) / (2 * sides) + 1 }
}

extension Statistics {
  /// The interquartile range over 1.349, which ignores outliers. The ordinary deviation if that is
  /// zero. Nil below two values.
  ///
  /// The correction for small samples assumes normal values (1 + 3/2n, within 3 %).
  package static func robustDeviation(_ values: [Double]) -> Double? {
    guard values.count >= 2, let lower = quantile(values, 0.25), let upper = quantile(values, 0.75)
    else { return nil }
    guard upper > lower else { return deviation(values) }
    return (upper - lower) / 1.3489795003921634 * (1 + 1.5 / Double(values.count))
  }

  /// Divided by n − 1. Nil below two values.
  package static func deviation(_ values: [Double]) -> Double? {
    guard values.count >= 2 else { return nil }
    let mean = values.reduce(0, +) / Double(values.count)
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (squares / Double(values.count - 1)).squareRoot()
  }
}
