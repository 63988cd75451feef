import Foundation
import Measurement

/// How far two consecutive cells of one build differ on this machine.
package struct MachineNoise: Codable, Sendable, Equatable {
  package let scenario: String
  package let topologies: [String]
  package let pairs: Int
  /// The scatter of the pairs' log ratios of `main_blocked_ms` about their topology's median.
  package let scatter: Double
  /// Of both processes, from start to end.
  package let secondsPerPair: Double
  /// The log ratios, centred by topology, and widened like `scatter`.
  let ratios: [Double]
  /// The upper end of the scatter's 95 % range, as a multiple of `scatter`.
  package let mostWidening: Double
  let medianBlocked: Double

  /// - Parameter pairs: of one build against itself. Nil below n + 3 sound ones of n topologies.
  package init?(_ pairs: [DuetPair], scenario: String, seconds: Double) {
    let sound = pairs.filter(\.isOK)
    let ratios = sound.compactMap { pair -> (topology: String, ratio: Double)? in
      guard let values = pair.values(.mainBlocked), values.baseline > 0, values.candidate > 0
      else { return nil }
      return (pair.baseline.topology, log(values.candidate / values.baseline))
    }
    let groups = Dictionary(grouping: ratios, by: \.topology).mapValues { $0.map(\.ratio) }
    let centred = groups.sorted { $0.key < $1.key }.flatMap { Self.centred($0.value) }
    guard ratios.count - groups.count >= 3, let scatter = Power.spread(ofPairs: centred) else {
      return nil
    }
    self.scenario = scenario
    topologies = groups.keys.sorted()
    self.pairs = ratios.count
    // Each topology's median takes a degree of freedom.
    let free = Double(ratios.count - groups.count)
    let widening = (Double(ratios.count) / free).squareRoot()
    self.scatter = scatter * widening
    self.ratios = centred.map { $0 * widening }
    mostWidening = Self.widening(freedom: free)
    medianBlocked = Statistics.median(sound.compactMap { $0.values(.mainBlocked)?.baseline }) ?? 0
    secondsPerPair = seconds / Double(max(1, pairs.count))
  }
}

extension MachineNoise {
  private static func centred(_ ratios: [Double]) -> [Double] {
    let median = Statistics.median(ratios) ?? 0
    return ratios.map { $0 - median }
  }

  /// The 95 % upper bound of a standard deviation, as a multiple of its estimate with ν degrees of
  /// freedom: √(ν / χ²₀.₀₅). The quantile is that of Wilson and Hilferty (PNAS 17, 1931).
  private static func widening(freedom: Double) -> Double {
    let term = 2 / (9 * freedom)
    let quantile = freedom * pow(1 - term + Normal.quantile(0.05) * term.squareRoot(), 3)
    return (freedom / quantile).squareRoot()
  }
}

/// Rounds of one build against itself.
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
