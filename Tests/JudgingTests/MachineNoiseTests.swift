import Support
import Foundation
import Judging
import Measurement
import MeasurementSamples
import Testing

@Suite struct MachineNoiseTests {
  /// The candidate is above the baseline by this share.
  private static func pairs(
    _ shares: [Double], topology: String = "a", status: CellStatus = .ok
  ) -> [DuetPair] {
    shares.map { share in
      DuetPair(
        baseline: .sample(topology, blocked: 10),
        candidate: .sample(topology, blocked: 10 * exp(share)) { $0.status = status })
    }
  }

  private static func noise(spread: Double, seconds: Double = 40) throws -> MachineNoise {
    var random = Random(seed: 3)
    let shares = (0..<400).map { _ in spread * random.normal() }
    return try #require(
      MachineNoise(pairs(shares), scenario: "5000-cities", seconds: seconds * 10))
  }

  private static func forecast(
    _ noise: MachineNoise, topologies: Int = 1, draws: Int = 40
  ) -> DuetForecast {
    DuetForecast(noise, topologies: topologies, draws: draws)
  }

  @Test func `the scatter of pairs is that of their log ratios, without the topology's bias`()
    throws
  {
    #expect(abs(try Self.noise(spread: 0.05).scatter - 0.05) < 0.005)
    let one = [-0.03, -0.01, 0, 0.01, 0.03]
    let shifted = one.map { $0 + 0.2 }
    let both = try #require(
      MachineNoise(
        Self.pairs(one) + Self.pairs(shifted, topology: "b"), scenario: "s", seconds: 20))
    #expect(both.topologies == ["a", "b"])
    #expect(both.pairs == 10)
    #expect(both.scatter < 0.06)
    #expect(both.secondsPerPair == 2)
  }

  /// SciPy: `sqrt(n / chi2.ppf(0.05, n))`.
  @Test(arguments: [(7, 1.7972), (15, 1.4373), (60, 1.1787)])
  func `noise from few pairs is widened`(freedom: Int, widening: Double) throws {
    let shares = (0...freedom).map { Double($0) / 100 }
    let noise = try #require(MachineNoise(Self.pairs(shares), scenario: "s", seconds: 1))
    #expect(abs(noise.mostWidening / widening - 1) < 0.01)
  }

  @Test func `the fewer pairs the noise was found with, the longer it may take`() throws {
    let shares = (0..<16).map { 0.08 * (Double($0) / 7.5 - 1) }
    let many = try #require(
      MachineNoise(
        Self.pairs((0..<16).flatMap { _ in shares }), scenario: "s", seconds: 256))
    let few = try #require(MachineNoise(Self.pairs(shares), scenario: "s", seconds: 16))
    let (long, short) = (
      try #require(Self.forecast(few).price(ofFinding: 0.1)),
      try #require(Self.forecast(many).price(ofFinding: 0.1))
    )
    #expect(long.seconds > short.seconds)
  }

  @Test func `the estimate counts the pairs of the second look`() throws {
    // Twice as slow: the first look, at 48 pairs, flags it each time.
    let price = try #require(Self.forecast(try Self.noise(spread: 0.3)).price(ofFinding: 1))
    #expect(price.found == 1)
    #expect(price.pairs == 80 + 120, "the most of the second look, and the fresh ones")
  }

  @Test func `99 of 100 duets, and not the longest, decide the estimate`() throws {
    let noise = try Self.noise(spread: 0.06)
    // Of up to 99 draws all must be enough, so that the longest decides.
    let isShorter = try [0.1, 0.12, 0.15, 0.2].map { share in
      let all = try #require(Self.forecast(noise, draws: 100).price(ofFinding: share))
      let fewer = try #require(Self.forecast(noise, draws: 99).price(ofFinding: share))
      return all.pairs < fewer.pairs
    }
    #expect(isShorter.contains(true))
  }

  @Test func `failed cells, or too few, give no noise`() {
    let bad = Self.pairs([0, 0.1, 0.2, 0.3, 0.4], status: .wrong)
    #expect(MachineNoise(bad, scenario: "s", seconds: 10) == nil)
    #expect(MachineNoise(Self.pairs([0, 0.1, 0.2]), scenario: "s", seconds: 10) == nil)
    // One pair a topology says nothing about scatter.
    let round = ["a", "b", "c", "d"].flatMap { Self.pairs([0.2], topology: $0) }
    #expect(MachineNoise(round, scenario: "s", seconds: 10) == nil)
  }

  @Test func `a quieter machine sees smaller regressions, and sooner`() throws {
    let (quiet, loud) = (try Self.noise(spread: 0.02), try Self.noise(spread: 0.07))
    let (few, many) = (Self.forecast(quiet), Self.forecast(loud))
    let (small, large) = (few.smallestFound(inSeconds: 60), many.smallestFound(inSeconds: 60))
    #expect(try #require(small) < #require(large))
    let fast = try #require(few.price(ofFinding: 0.1))
    let slow = try #require(many.price(ofFinding: 0.1))
    #expect(fast.seconds < slow.seconds)
    // Fourteen pairs, and half as many more fresh ones, of a second each.
    #expect(fast.found == 1)
    #expect(fast.pairs == 14 + 21)
    #expect(fast.seconds == 35 * quiet.secondsPerPair)
  }

  @Test func `what a minute finds, nineteen duets of twenty find in a minute`() throws {
    let forecast = Self.forecast(try Self.noise(spread: 0.06))
    let share = try #require(forecast.smallestFound(inSeconds: 60))
    let price = try #require(forecast.price(ofFinding: share))
    #expect(price.found >= 0.95)
    #expect(price.seconds <= 60)
  }

  @Test func `over more topologies each has fewer fresh pairs, and all take longer`() throws {
    let noise = try Self.noise(spread: 0.06)
    let one = try #require(Self.forecast(noise).price(ofFinding: 0.15))
    let four = try #require(Self.forecast(noise, topologies: 4).price(ofFinding: 0.15))
    #expect(one.pairs > four.pairs)
    #expect(one.seconds < four.seconds)
  }

  @Test func `a change hidden by noise has no estimate`() throws {
    let noise = try Self.noise(spread: 2)
    #expect(Self.forecast(noise, draws: 8).price(ofFinding: 0.1) == nil)
  }

  @Test func `where a minute is too short for the fewest pairs, it finds nothing`() throws {
    let slow = Self.forecast(try Self.noise(spread: 0.02, seconds: 40 * 10))
    #expect(slow.smallestFound(inSeconds: 60) == nil)
    #expect(slow.smallestFound(inSeconds: 600) != nil)
  }

  @Test func `noise is measured in whole rounds for as long as there is time`() {
    var rounds = 0
    let course = NoiseCourse(targets: 3) {
      rounds += 1
      return rounds <= 2
    }
    var asked: [[Int]] = []
    while let (phase, pairs) = course.next() {
      #expect(phase == .spread)
      asked.append(pairs)
    }
    #expect(asked == [[1, 1, 1], [1, 1, 1]])
  }
}
