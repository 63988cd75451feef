#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// How far two cells of one build, measured right after each other, differ on this machine, and what
/// a duet can therefore see here.
package struct MachineNoise: Codable, Sendable, Equatable {
  package let scenario: String
  package let topologies: [String]
  /// Sound pairs that were measured.
  package let pairs: Int
  /// The standard deviation of the log ratio of a pair's `main_blocked_ms`, about each topology's
  /// own median.
  package let scatter: Double
  /// What a pair takes: two processes from start to end.
  package let secondsPerPair: Double

  enum CodingKeys: String, CodingKey {
    case scenario, topologies, pairs, scatter
    case secondsPerPair = "seconds_per_pair"
  }

  /// - Parameters:
  ///   - pairs: of one build against itself.
  ///   - seconds: what all of them took.
  /// Nil below four sound pairs.
  package init?(_ pairs: [DuetPair], scenario: String, seconds: Double) {
    let sound = pairs.filter(\.isOK)
    let ratios = sound.compactMap { pair -> (topology: String, ratio: Double)? in
      guard let values = pair.values("main_blocked_ms"), values.baseline > 0, values.candidate > 0
      else { return nil }
      return (pair.baseline.topology, log(values.candidate / values.baseline))
    }
    let groups = Dictionary(grouping: ratios, by: \.topology)
    let centred = groups.values.flatMap { group -> [Double] in
      let own = group.map(\.ratio)
      let median = Statistics.median(own) ?? 0
      return own.map { $0 - median }
    }
    guard ratios.count >= 4, let scatter = Power.spread(ofPairs: centred) else { return nil }
    self.scenario = scenario
    topologies = groups.keys.sorted()
    self.pairs = ratios.count
    // A median of its own takes a degree of freedom from each topology.
    let free = Double(max(1, ratios.count - groups.count))
    self.scatter = scatter * (Double(ratios.count) / free).squareRoot()
    secondsPerPair = seconds / Double(max(1, pairs.count))
  }
}

// MARK: - What a duet sees

extension MachineNoise {
  /// A duet's price for finding something.
  package struct Price: Codable, Sendable, Equatable {
    package let topologies: Int
    /// Of each topology, at the second look.
    package let pairs: Int
    /// With the fresh pairs of one topology that was flagged.
    package let seconds: Double
  }

  /// How long a duet over so many topologies takes to find a worsening in one of them, as a share,
  /// 95 times in 100; nil where it is not above zero.
  package func price(ofFinding share: Double, topologies: Int) -> Price? {
    let power = power(topologies: topologies)
    guard share > 0, let enough = power.trials(toFind: log(1 + share)) else { return nil }
    let pairs = max(enough, Self.fewest(topologies))
    return Price(
      topologies: topologies, pairs: pairs,
      seconds: Double(pairs * (topologies + 1)) * secondsPerPair)
  }

  /// The smallest worsening, as a share, that a duet over one topology finds 95 times in 100 in so
  /// many seconds, its fresh pairs included; nil where there is no time for the fewest pairs.
  package func smallestFound(inSeconds seconds: Double) -> Double? {
    let pairs = Int(seconds / secondsPerPair / 2)
    guard pairs >= Self.fewest(1), let shift = power(topologies: 1).detectable(trials: pairs)
    else { return nil }
    return max(exp(shift) - 1, JudgingRule().relativeFloor)
  }

  /// The second look and the fresh pairs must both find it.
  private func power(topologies: Int) -> Power {
    Power(
      spread: scatter, pairing: .paired, alpha: TwoLooks.levels[1] / Double(topologies),
      power: DuetRule().power)
  }

  private static func fewest(_ topologies: Int) -> Int {
    max(DuetRule().firstPairs, TwoLooks.fewest(family: topologies))
  }
}

/// Pairs of one build against itself, a round of all targets after another, for as long as there is
/// time.
package struct NoiseCourse: PairCourse {
  package private(set) var pairs: [DuetPair] = []
  private let targets: Int
  private let hasTime: () -> Bool

  /// - Parameter hasTime: whether another round may begin.
  package init(targets: Int, while hasTime: @escaping () -> Bool) {
    self.targets = targets
    self.hasTime = hasTime
  }

  package func next() -> (phase: DuetPhase, pairs: [Int])? {
    hasTime() ? (.spread, Array(repeating: 1, count: targets)) : nil
  }

  package mutating func add(_ pair: DuetPair, of target: Int, in phase: DuetPhase) {
    pairs.append(pair)
  }
}
