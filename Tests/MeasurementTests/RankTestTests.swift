import Measurement
import Testing

/// Compared with SciPy.
@Suite struct RankTestTests {
  let fixtures: StatisticsFixtures

  init() throws { fixtures = try StatisticsFixtures.load() }

  private func isClose(_ left: Double?, _ right: Double?, _ tolerance: Double = 1e-9) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return abs(left - right) <= tolerance * max(1e-3, abs(right))
  }

  @Test func `rank-sum probabilities agree with SciPy, ties included`() throws {
    #expect(fixtures.rankSum.count >= 20)
    for fixture in fixtures.rankSum {
      let shift = try #require(RankShift(from: fixture.first, to: fixture.second))
      #expect(shift.isExact)
      #expect(isClose(shift.pLess, fixture.less), "\(fixture.first) \(fixture.second)")
      #expect(isClose(shift.pGreater, fixture.greater), "\(fixture.first) \(fixture.second)")
    }
  }

  @Test func `beyond a hundred observations both tests follow SciPy's approximations`() throws {
    for fixture in fixtures.longRankSum {
      let shift = try #require(RankShift(from: fixture.first, to: fixture.second))
      #expect(!shift.isExact)
      #expect(isClose(shift.pLess, fixture.less, 1e-6))
      #expect(isClose(shift.pGreater, fixture.greater, 1e-6))
    }
    for fixture in fixtures.longSignedRank {
      let shift = try #require(RankShift(paired: fixture.differences))
      #expect(!shift.isExact)
      #expect(isClose(shift.pLess, fixture.less, 1e-6))
      #expect(isClose(shift.pGreater, fixture.greater, 1e-6))
    }
  }

  @Test func `exact and approximate probabilities agree at the limit`() throws {
    let first = (0..<50).map { Double($0) }
    let exact = try #require(RankShift(from: first, to: first.map { $0 + 8.25 }))
    let approximate = try #require(RankShift(from: first + [24.6], to: first.map { $0 + 8.25 }))
    #expect(exact.isExact && !approximate.isExact)
    #expect(abs(exact.pGreater - approximate.pGreater) < 2e-3)
  }

  @Test func `unanimity of four a side has a two-sided p of two in 70`() {
    #expect(isClose(RankShift(from: [1, 2, 3, 4], to: [5, 6, 7, 8])?.pTwoSided, 2.0 / 70))
    #expect(RankShift(from: [3, 3], to: [3, 3, 3])?.pTwoSided == 1)
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

  @Test func `the normal distribution and its quantile agree with SciPy`() {
    for fixture in fixtures.normal {
      #expect(isClose(Normal.below(fixture.z), fixture.below, 1e-12))
      #expect(abs(Normal.quantile(fixture.below) - fixture.z) < 1e-9)
    }
  }
}
