import Measurement
import Testing

@Suite struct StatisticsTests {
  let fixtures: StatisticsFixtures

  init() throws { fixtures = try StatisticsFixtures.load() }

  private func isClose(_ left: Double, _ right: Double) -> Bool {
    abs(left - right) <= 1e-9 * max(1e-3, abs(right))
  }

  @Test func `signed-rank probabilities agree with SciPy, ties and zeros included`() throws {
    #expect(fixtures.signedRank.count > 25)
    for fixture in fixtures.signedRank {
      let shift = try #require(RankShift(paired: fixture.differences))
      #expect(isClose(shift.pLess, fixture.less), "\(fixture.differences)")
      #expect(isClose(shift.pGreater, fixture.greater), "\(fixture.differences)")
      #expect(isClose(shift.pTwoSided, min(1, 2 * min(fixture.less, fixture.greater))))
    }
  }

  @Test func `unanimity of six pairs has a two-sided p of one in 32`() throws {
    let shift = try #require(RankShift(paired: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]))
    #expect(shift.pTwoSided == 2.0 / 64)
    #expect(shift.pGreater == 1.0 / 64)
  }

  @Test func `pairs without a difference are no evidence`() {
    #expect(RankShift(paired: [0, 0, 0])?.pTwoSided == 1)
  }

  @Test func `medians and their intervals agree with SciPy's binomial`() {
    for fixture in fixtures.medians {
      #expect(Statistics.median(fixture.values) == fixture.median)
      let interval = Statistics.medianInterval(fixture.values)
      #expect(interval?.lower == fixture.interval?.lower, "n = \(fixture.values.count)")
      #expect(interval?.upper == fixture.interval?.upper)
      #expect(
        isClose(interval?.coverage ?? 0, fixture.interval?.coverage ?? 0),
        "n = \(fixture.values.count)")
    }
  }

  @Test func `below six trials there is no interval of 95 percent`() {
    #expect(Statistics.medianInterval([1, 2, 3, 4, 5]) == nil)
    #expect(Statistics.medianInterval([]) == nil)
    let six = Statistics.medianInterval([6, 1, 5, 2, 4, 3])
    #expect(six?.lower == 1)
    #expect(six?.upper == 6)
    #expect(six?.coverage == 1 - 2.0 / 64)
  }

  @Test func `an interval of many thousand observations neither underflows nor widens`() throws {
    let values = (0..<20_001).map(Double.init)
    let interval = try #require(Statistics.medianInterval(values))
    // ± 1.96 · √n / 2 by the normal approximation
    #expect(abs(interval.lower - (10_000 - 138.6)) < 2)
    #expect(abs(interval.upper - (10_000 + 138.6)) < 2)
    #expect(interval.coverage >= 0.95 && interval.coverage < 0.951)
  }

  @Test func `spreads agree with SciPy`() {
    for fixture in fixtures.spreads {
      #expect(isClose(Statistics.relativeSpread(fixture.values) ?? 0, fixture.relative))
      for (fraction, value) in zip([0.25, 0.5, 0.75], fixture.quartiles) {
        #expect(isClose(Statistics.quantile(fixture.values, fraction) ?? 0, value))
      }
    }
    #expect(Statistics.relativeSpread([1]) == nil)
    #expect(Statistics.relativeSpread([0, 0, 0]) == nil)
  }

  @Test func `Hodges-Lehmann shifts agree with NumPy's median of Walsh averages`() {
    for fixture in fixtures.hodgesLehmann {
      #expect(isClose(RankShift(paired: fixture.values)?.estimate ?? 0, fixture.estimate))
    }
  }

  @Test func `Holm's adjusted values follow the step-down procedure`() {
    for fixture in fixtures.holm {
      for (mine, theirs) in zip(Statistics.holm(fixture.p), fixture.adjusted) {
        #expect(isClose(mine, theirs), "\(fixture.p)")
      }
    }
    #expect(Statistics.holm([]) == [])
  }
}
