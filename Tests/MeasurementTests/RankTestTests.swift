import Measurement
import Testing

/// The rank sum, the shift with its bounds, and the smaller statistics beside them, against SciPy.
@Suite struct RankTestTests {
  let fixtures: StatisticsFixtures

  init() throws { fixtures = try StatisticsFixtures.load() }

  private func isClose(_ left: Double?, _ right: Double?, _ tolerance: Double = 1e-9) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return abs(left - right) <= tolerance * max(1e-3, abs(right))
  }

  @Test func `rank-sum probabilities agree with SciPy, ties included`() {
    #expect(fixtures.rankSum.count >= 20)
    for fixture in fixtures.rankSum {
      let test = RankSum(fixture.first, fixture.second)
      #expect(test.isExact)
      #expect(test.statistic == fixture.statistic, "\(fixture.first) \(fixture.second)")
      #expect(isClose(test.pLess, fixture.less), "\(fixture.first) \(fixture.second)")
      #expect(isClose(test.pGreater, fixture.greater), "\(fixture.first) \(fixture.second)")
    }
  }

  @Test func `beyond a hundred observations both tests follow SciPy's approximations`() {
    for fixture in fixtures.longRankSum {
      let test = RankSum(fixture.first, fixture.second)
      #expect(!test.isExact)
      #expect(test.statistic == fixture.statistic)
      #expect(isClose(test.pLess, fixture.less, 1e-6))
      #expect(isClose(test.pGreater, fixture.greater, 1e-6))
    }
    for fixture in fixtures.longSignedRank {
      let test = SignedRank(fixture.differences)
      #expect(!test.isExact)
      #expect(test.statistic == fixture.statistic)
      #expect(isClose(test.pLess, fixture.less, 1e-6))
      #expect(isClose(test.pGreater, fixture.greater, 1e-6))
    }
  }

  @Test func `exact and approximate probabilities agree at the limit`() {
    let first = (0..<50).map { Double($0) }
    let exact = RankSum(first, first.map { $0 + 8.25 })
    let approximate = RankSum(first + [24.6], first.map { $0 + 8.25 })
    #expect(exact.isExact && !approximate.isExact)
    #expect(abs(exact.pGreater - approximate.pGreater) < 2e-3)
  }

  @Test func `unanimity of four a side has a two-sided p of two in 70`() {
    let test = RankSum([1, 2, 3, 4], [5, 6, 7, 8])
    #expect(isClose(test.pTwoSided, 2.0 / 70))
    #expect(RankSum([], [1, 2]).pTwoSided == 1)
    #expect(RankSum([3, 3], [3, 3, 3]).pTwoSided == 1)
  }

  @Test func `estimates and bounds agree with SciPy's test at every step`() throws {
    for fixture in fixtures.shifts {
      let shift = try #require(
        fixture.paired.map { RankShift(paired: $0) }
          ?? RankShift(from: fixture.first ?? [], to: fixture.second ?? []))
      #expect(isClose(shift.estimate, fixture.estimate))
      for bound in fixture.bounds {
        #expect(isClose(shift.lowerBound(tail: bound.tail), bound.lower), "\(bound)")
        #expect(isClose(shift.upperBound(tail: bound.tail), bound.upper), "\(bound)")
      }
    }
  }

  @Test func `exact intervals of proportions agree with SciPy`() {
    for fixture in fixtures.proportions {
      let interval = Proportion(
        fixture.successes, of: fixture.trials, confidence: fixture.confidence)
      #expect(isClose(interval.lower, fixture.lower), "\(fixture)")
      #expect(isClose(interval.upper, fixture.upper), "\(fixture)")
    }
  }

  @Test func `bootstrap intervals of the same draws agree with SciPy`() throws {
    for fixture in fixtures.bootstraps {
      let interval = try #require(
        BootstrapInterval(
          fixture.samples, confidence: fixture.confidence, resamples: fixture.resamples,
          method: fixture.method, seed: fixture.seed
        ) { Self.statistic(fixture.statistic, $0) })
      #expect(isClose(interval.lower, fixture.lower, 1e-6), "\(fixture.statistic)")
      #expect(isClose(interval.upper, fixture.upper, 1e-6), "\(fixture.statistic)")
    }
  }

  private static func statistic(_ name: String, _ samples: [[Double]]) -> Double {
    switch name {
    case "mean": samples[0].reduce(0, +) / Double(samples[0].count)
    case "median": Statistics.median(samples[0]) ?? .nan
    default:
      (Statistics.median(samples[1]) ?? .nan) / (Statistics.median(samples[0]) ?? .nan)
    }
  }

  @Test func `a bootstrap of no values, or of constant ones, is nil`() {
    #expect(BootstrapInterval([[]]) { $0[0].first ?? .nan } == nil)
    #expect(BootstrapInterval([[1, 1, 1]]) { $0[0][0] } == nil)
    #expect(BootstrapInterval([[1, 1]], method: .percentile) { $0[0][0] }?.upper == 1)
  }

  @Test func `the normal distribution and its quantile agree with SciPy`() {
    for fixture in fixtures.normal {
      #expect(isClose(Normal.below(fixture.z), fixture.below, 1e-12))
      #expect(abs(Normal.quantile(fixture.below) - fixture.z) < 1e-9)
    }
  }
}
