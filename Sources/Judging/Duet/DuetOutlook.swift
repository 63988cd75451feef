import Foundation
import Measurement
import Support

// The forecast simulates whole duets with this machine's noise. A formula would need the true
// scatter, but a duet estimates it, judges at two looks and confirms with fresh pairs
// (Documentation/Project/Decisions.md). Noise that is measured in a minute is uncertain, so the
// simulation widens it to the upper end of its range.
//
//   noise of this machine ──▶ pairs, one topology slower ──▶ SequentialTest ──▶ found, and pairs
//                             100 times, always the same draws

package struct DuetOutlook: Codable, Sendable, Equatable {
  package struct Price: Codable, Sendable, Equatable {
    package let topologies: Int
    /// The pairs of each topology, including fresh ones. Enough for 99 of 100 duets that find the
    /// regression, even with a second look.
    package let pairs: Int
    package let seconds: Double
    package let found: Double
  }

  /// The smallest worsening, as a share, that a duet over one topology finds in a minute 95 times
  /// in 100. Nil if a minute is too short.
  package let smallestInOneMinute: Double?
  /// The cost of finding a worsening by 10 %, over one topology and over four. Left out if less
  /// than half of the duets find it.
  package let tenPercent: [Price]

  package init(_ noise: MachineNoise, draws: Int = 100) {
    func forecast(_ topologies: Int) -> DuetForecast {
      DuetForecast(noise, topologies: topologies, draws: draws)
    }
    smallestInOneMinute = forecast(1).smallestFound(inSeconds: 60)
    tenPercent = [1, 4].compactMap { forecast($0).price(ofFinding: 0.1) }
  }
}

package struct DuetForecast {
  private let noise: MachineNoise
  private let targets: [CellKey]
  private let draws: Int

  package init(_ noise: MachineNoise, topologies: Int, draws: Int = 100) {
    self.noise = noise
    self.draws = draws
    targets = (0..<topologies).map {
      CellKey(scenario: noise.scenario, topology: "\($0)", store: "pool")
    }
  }

  /// The cost of finding that one topology is slower by this share. Nil if less than half of the
  /// duets find it.
  package func price(ofFinding share: Double) -> DuetOutlook.Price? {
    let needed = (0..<draws).compactMap { pairs(ofDraw: $0, slower: share) }.sorted()
    guard needed.count * 2 >= draws else { return nil }
    // The smallest number that is enough for 99 of 100: the largest would be enough for all.
    let nearlyAll = needed[(needed.count * 99 + 99) / 100 - 1]
    return DuetOutlook.Price(
      topologies: targets.count, pairs: (nearlyAll + targets.count - 1) / targets.count,
      seconds: Double(nearlyAll) * noise.secondsPerPair,
      found: Double(needed.count) / Double(draws))
  }

  /// The smallest worsening, as a share, that 95 of 100 duets find in this time. Nil if they miss
  /// even 100 %.
  package func smallestFound(inSeconds seconds: Double) -> Double? {
    let pairs = Int(seconds / noise.secondsPerPair)
    var (below, found) = (JudgingRule().relativeFloor, 1.0)
    guard isFound(found, within: pairs) else { return nil }
    if isFound(below, within: pairs) { return below }
    while found / below > 1.05 {
      let middle = (below * found).squareRoot()
      if isFound(middle, within: pairs) { found = middle } else { below = middle }
    }
    return found
  }

  private func isFound(_ share: Double, within pairs: Int) -> Bool {
    var missed = 0
    return (0..<draws).allSatisfy { draw in
      let needed = self.pairs(ofDraw: draw, slower: share)
      if needed.map({ $0 > pairs }) ?? true { missed += 1 }
      return missed <= draws / 20
    }
  }

  /// The pairs with which a duet finds its first topology slower. Assumes a second look, which few
  /// duets in a hundred avoid by chance.
  private func pairs(ofDraw draw: Int, slower share: Double) -> Int? {
    var rule = DuetRule()
    rule.counts = []
    var course = SequentialTest(targets: targets, rule: rule)
    var random = SplitMix64(seed: UInt64(draw))
    while let (phase, wanted) = course.next() {
      for (target, count) in wanted.enumerated() {
        for _ in 0..<count {
          let drawn = noise.ratios[random.next(below: noise.ratios.count)]
          // A random sign removes the bias of a small sample, which is not noise.
          let ratio = (random.next(below: 2) == 0 ? drawn : -drawn) * noise.mostWidening
          let shift = target == 0 ? log(1 + share) : 0
          course.add(pair(of: target, logRatio: ratio + shift), of: target, in: phase)
        }
      }
    }
    let isFound = course.figures.contains { $0.target == targets[0] && $0.verdict == .fail }
    guard isFound, let size = course.sizes[0] else { return nil }
    return course.measured.joined().count + max(0, size.last - course.soundPairs(of: 0))
  }

  private func pair(of target: Int, logRatio: Double) -> DuetPair {
    DuetPair(
      baseline: cell(of: target, blocked: noise.medianBlocked * exp(-logRatio / 2)),
      candidate: cell(of: target, blocked: noise.medianBlocked * exp(logRatio / 2)))
  }

  private func cell(of target: Int, blocked: Double) -> CellResult {
    var cell = CellResult(
      runID: "", startedAt: "", scenario: noise.scenario, topology: targets[target].topology,
      store: targets[target].store, trial: 1, order: 1, seed: 1, status: .ok)
    cell.metrics[.mainBlocked] = blocked
    return cell
  }
}
