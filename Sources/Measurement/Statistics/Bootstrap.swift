import Support

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A bootstrap interval: the statistic of many samples drawn from the sample itself (Efron 1979).
///
/// It serves statistics without an exact interval, such as a ratio of medians. With fewer than
/// about twenty observations its coverage is below `confidence`, so no verdict uses it.
package struct BootstrapInterval: Codable, Sendable, Equatable {
  package enum Method: String, Codable, Sendable {
    case percentile
    /// Corrected for bias and acceleration (Efron 1987).
    case bca
  }

  package let estimate: Double
  package let lower: Double
  package let upper: Double
  package let confidence: Double
  package let method: Method
  /// The same seed gives the same interval.
  package let seed: UInt64

  /// - Parameters:
  ///   - samples: each is resampled by itself, to its own length.
  ///   - statistic: receives as many samples, of the same lengths.
  /// Nil if a sample is empty or the statistic is not finite.
  package init?(
    _ samples: [[Double]], confidence: Double = 0.95, resamples: Int = 2000,
    method: Method = .bca, seed: UInt64 = 1, statistic: ([[Double]]) -> Double
  ) {
    let estimate = statistic(samples)
    guard samples.allSatisfy({ !$0.isEmpty }), estimate.isFinite else { return nil }
    let drawn = Self.draw(samples, resamples, seed: seed, statistic).sorted()
    guard drawn.allSatisfy(\.isFinite) else { return nil }
    var tails = [(1 - confidence) / 2, (1 + confidence) / 2]
    if method == .bca {
      guard let corrected = Self.corrected(tails, drawn, estimate, samples, statistic) else {
        return nil
      }
      tails = corrected
    }
    guard let lower = Statistics.quantile(drawn, tails[0]),
      let upper = Statistics.quantile(drawn, tails[1])
    else { return nil }
    (self.estimate, self.lower, self.upper) = (estimate, lower, upper)
    (self.confidence, self.method, self.seed) = (confidence, method, seed)
  }

  private static func draw(
    _ samples: [[Double]], _ resamples: Int, seed: UInt64, _ statistic: ([[Double]]) -> Double
  ) -> [Double] {
    var generator = SplitMix64(seed: seed)
    return (0..<resamples).map { _ in
      statistic(
        samples.map { sample in
          sample.indices.map { _ in sample[generator.next(below: sample.count)] }
        })
    }
  }

  /// The quantiles corrected for bias and acceleration. Nil if all draws lie on one side of the
  /// estimate, or if no single observation changes it.
  private static func corrected(
    _ tails: [Double], _ drawn: [Double], _ estimate: Double, _ samples: [[Double]],
    _ statistic: ([[Double]]) -> Double
  ) -> [Double]? {
    let below = Double(drawn.count { $0 < estimate })
    let equal = Double(drawn.count { $0 == estimate })
    let share = (below + equal / 2) / Double(drawn.count)
    guard share > 0, share < 1, let acceleration = acceleration(samples, statistic) else {
      return nil
    }
    let bias = Normal.quantile(share)
    return tails.map { tail in
      let z = bias + Normal.quantile(tail)
      return Normal.below(bias + z / (1 - acceleration * z))
    }
  }

  /// A sixth of the skewness of the jackknife's influence values (Efron and Tibshirani 1993, 14.15;
  /// DiCiccio and Romano 1988 for several samples).
  private static func acceleration(
    _ samples: [[Double]], _ statistic: ([[Double]]) -> Double
  ) -> Double? {
    var (cubes, squares) = (0.0, 0.0)
    for (place, sample) in samples.enumerated() {
      guard sample.count > 1 else { return nil }
      let without = sample.indices.map { index in
        var left = samples
        left[place].remove(at: index)
        return statistic(left)
      }
      let n = Double(sample.count)
      let mean = without.reduce(0, +) / n
      let influence = without.map { (n - 1) * (mean - $0) }
      cubes += influence.reduce(0) { $0 + $1 * $1 * $1 } / (n * n * n)
      squares += influence.reduce(0) { $0 + $1 * $1 } / (n * n)
    }
    return squares > 0 ? cubes / pow(squares, 1.5) / 6 : nil
  }
}
