import Foundation
import Measurement
import Testing

@Suite struct MachineNoiseTests {
  /// Pairs whose candidate is so much of a share above the baseline.
  private static func pairs(
    _ shares: [Double], topology: String = "a", status: CellStatus = .ok
  ) -> [DuetPair] {
    shares.map { share in
      var candidate = CellResult.sample(topology, blocked: 10 * exp(share))
      candidate.status = status
      return DuetPair(baseline: .sample(topology, blocked: 10), candidate: candidate)
    }
  }

  private static func noise(spread: Double, seconds: Double = 40) throws -> MachineNoise {
    var random = Random(seed: 3)
    let shares = (0..<400).map { _ in spread * random.normal() }
    // 400 pairs in ten times the time that 40 would take.
    return try #require(
      MachineNoise(pairs(shares), scenario: "5000-cities", seconds: seconds * 10))
  }

  @Test func `the scatter of a pair is that of its log ratios, whatever a topology's own bias`()
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

  @Test func `cells that are not sound, or too few, give no noise`() {
    let bad = Self.pairs([0, 0.1, 0.2, 0.3, 0.4], status: .wrong)
    #expect(MachineNoise(bad, scenario: "s", seconds: 10) == nil)
    #expect(MachineNoise(Self.pairs([0, 0.1, 0.2]), scenario: "s", seconds: 10) == nil)
  }

  @Test func `a quieter machine sees smaller regressions, and sooner`() throws {
    let quiet = try Self.noise(spread: 0.02)
    let loud = try Self.noise(spread: 0.1)
    let (small, large) = (quiet.smallestFound(inSeconds: 60), loud.smallestFound(inSeconds: 60))
    #expect(try #require(small) < #require(large))
    let fast = try #require(quiet.price(ofFinding: 0.1, topologies: 1))
    let slow = try #require(loud.price(ofFinding: 0.1, topologies: 1))
    #expect(fast.seconds < slow.seconds)
    // Eleven pairs, and eleven fresh ones, of a second each.
    #expect(fast.pairs == 11)
    #expect(fast.seconds == 22 * quiet.secondsPerPair)
  }

  @Test func `what costs a minute is what a minute finds`() throws {
    let noise = try Self.noise(spread: 0.06)
    let share = try #require(noise.smallestFound(inSeconds: 60))
    let price = try #require(noise.price(ofFinding: share, topologies: 1))
    #expect(abs(price.seconds - 60) <= 2 * noise.secondsPerPair)
  }

  @Test func `where a minute is too short for the fewest pairs, it finds nothing`() throws {
    let slow = try Self.noise(spread: 0.02, seconds: 40 * 10)
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
