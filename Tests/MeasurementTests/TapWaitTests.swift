import Support
import Measurement
import MeasurementSamples
import Testing

@Suite struct TapWaitTests {
  private func gaps(_ durations: [Double], every interval: Double? = nil) -> [GapSample] {
    var start = 0.0
    return durations.map { duration in
      defer { start += interval ?? duration }
      return GapSample(start: start, duration: duration, cause: "save")
    }
  }

  @Test func `300 chained blocks of 1 ms let a tap wait at most 1 ms`() {
    let taps = TapWait(gaps: gaps(Array(repeating: 1, count: 300)), horizon: 1000)
    #expect(taps.max == 1)
    #expect(taps.area == 150)
    #expect(taps.mean == 0.15)
    #expect(taps.percentile(1) == 1)
  }

  @Test func `one block of 300 ms lets a tap wait up to 300 ms`() {
    //  wait   300 ◣
    //         0     ──────────────     300 of 1000 taps wait, evenly from 0 to 300 ms
    let taps = TapWait(gaps: gaps([300]), horizon: 1000)
    #expect(taps.max == 300)
    #expect(taps.area == 45_000)
    #expect(taps.mean == 45)
    #expect(taps.percentile(0.5) == 0)
    #expect(abs(taps.percentile(0.95) - 250) < 1e-9)
    #expect(abs(taps.percentile(0.99) - 290) < 1e-9)
  }

  @Test func `an idle main queue delays no tap`() {
    let taps = TapWait(gaps: [], horizon: 1000)
    #expect(taps.max == 0)
    #expect(taps.mean == 0)
    #expect(taps.percentile(0.99) == 0)
  }

  @Test func `percentiles solve the survival function exactly`() {
    let durations = [250.0, 90, 35, 30, 155]
    let taps = TapWait(gaps: gaps(durations), horizon: 1000)
    for fraction in [0.5, 0.7, 0.9, 0.95, 0.99, 0.999] {
      let wait = taps.percentile(fraction)
      let longer = durations.reduce(0) { $0 + max(0, $1 - wait) } / 1000
      #expect(abs(longer - (1 - fraction)) < 1e-12, "\(fraction)")
    }
    #expect(taps.percentile(0.4) == 0)
  }

  @Test func `a gap across the horizon delays only the taps before the horizon`() {
    //  horizon 100:   ├── 60 … 140 ──┤    taps from 60 to 100 wait from 80 down to 40
    let gap = GapSample(start: 60, duration: 80, cause: "save")
    let later = GapSample(start: 200, duration: 500, cause: "save")
    let taps = TapWait(gaps: [gap, later], horizon: 100)
    #expect(taps.max == 80)
    #expect(taps.area == (80 * 80 - 40 * 40) / 2)
    #expect(taps.percentile(0.6) == 0)
    #expect(abs(taps.percentile(0.61) - 41) < 1e-9)
    #expect(abs(taps.percentile(0.9) - 70) < 1e-9)
  }

  @Test(arguments: UInt64(1)...8)
  func `percentiles agree with a million simulated taps`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var samples: [GapSample] = []
    var time = 0.0
    while samples.count < 40 {
      time += Double(random.next() % 2000) / 100
      let duration = Double(random.next() % 5000) / 100
      samples.append(GapSample(start: time, duration: duration, cause: "save"))
      time += duration
    }
    // In every other round the horizon cuts the last gap, or leaves some out.
    let horizon = seed.isMultiple(of: 2) ? time * 1.3 : time * 0.7
    let taps = TapWait(gaps: samples, horizon: horizon)
    let waits = simulated(samples, horizon: horizon, count: 1_000_000)
    #expect(abs(taps.mean - waits.reduce(0, +) / 1e6) < 0.01, "seed \(seed)")
    for fraction in [0.5, 0.95, 0.99] {
      let simulated = waits[Int(fraction * 1e6)]
      #expect(abs(taps.percentile(fraction) - simulated) < 0.01, "seed \(seed), \(fraction)")
    }
    for wait in [0.0, 0.3, 7, 25, 49, 60] {
      let simulated = Double(waits.count - atMost(wait, waits)) / 1e6
      let share = taps.share(waitingLongerThan: wait)
      #expect(abs(share - simulated) < 0.0001, "seed \(seed), \(wait) ms")
    }
  }

  private func atMost(_ wait: Double, _ waits: [Double]) -> Int {
    var range = waits.startIndex..<waits.endIndex
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      range = waits[middle] > wait ? range.lowerBound..<middle : middle + 1..<range.upperBound
    }
    return range.lowerBound
  }

  /// Taps on an even grid, the limit of uniformly random taps.
  private func simulated(_ gaps: [GapSample], horizon: Double, count: Int) -> [Double] {
    var index = 0
    return (0..<count).map { tap in
      let time = (Double(tap) + 0.5) / Double(count) * horizon
      while index < gaps.count, gaps[index].start + gaps[index].duration <= time { index += 1 }
      guard index < gaps.count, gaps[index].start <= time else { return 0 }
      return gaps[index].start + gaps[index].duration - time
    }.sorted()
  }
}
