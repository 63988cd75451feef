import Measurement

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

// What a duet takes here is tried out, not computed. A formula for the second look knows the scatter; a
// duet does not: it plans by its first pairs, must be able to pass as well as to fail, looks twice, and
// confirms by fresh pairs (Documentation/Decisions.md). And the noise of a minute is itself found by chance: what
// is drawn is as wide as it may have been.
//
//   noise of this machine ──▶ draw pairs, one topology slower ──▶ SequentialTest ──▶ found? in how many pairs?
//                             100 times, always the same draws

/// What a duet can see on a machine of this noise, and in what time.
package struct DuetOutlook: Encodable, Sendable, Equatable {
  /// What finding a regression of one topology takes.
  package struct Price: Encodable, Sendable, Equatable {
    package let topologies: Int
    /// Of each topology, the fresh ones shared out among them: ninety-nine of a hundred duets that find
    /// it need no more, even if they need their second look.
    package let pairs: Int
    package let seconds: Double
    /// How many duets find it, as a share, if the noise is as wide as it may be: on a loud machine fewer
    /// than will.
    package let found: Double
  }

  /// The smallest worsening, as a share, that a duet over one topology finds 95 times in 100 in a
  /// minute; nil where a minute is too short.
  package let smallestInOneMinute: Double?
  /// What finding 10 % takes, over one topology and over four; without what is found less than half of
  /// the time.
  package let tenPercent: [Price]

  enum CodingKeys: String, CodingKey {
    case smallestInOneMinute = "smallest_in_one_minute"
    case tenPercent = "ten_percent"
  }

  /// - Parameter draws: how many duets are tried out for each figure.
  package init(_ noise: MachineNoise, draws: Int = 100) {
    func forecast(_ topologies: Int) -> DuetForecast {
      DuetForecast(noise, topologies: topologies, draws: draws)
    }
    smallestInOneMinute = forecast(1).smallestFound(inSeconds: 60)
    tenPercent = [1, 4].compactMap { forecast($0).price(ofFinding: 0.1) }
  }
}

/// Duets over pairs that are drawn from a machine's noise.
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

  /// What it takes to find that one of the topologies is slower by a share; nil where less than half of
  /// the duets find it.
  package func price(ofFinding share: Double) -> DuetOutlook.Price? {
    let needed = (0..<draws).compactMap { pairs(ofDraw: $0, slower: share) }.sorted()
    guard needed.count * 2 >= draws else { return nil }
    let nearlyAll = needed[needed.count * 99 / 100]
    return DuetOutlook.Price(
      topologies: targets.count, pairs: (nearlyAll + targets.count - 1) / targets.count,
      seconds: Double(nearlyAll) * noise.secondsPerPair,
      found: Double(needed.count) / Double(draws))
  }

  /// The smallest worsening, as a share, that 95 duets of 100 find in so many seconds; nil where they
  /// do not even find 100 %.
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

  /// How many pairs a duet takes that finds its first topology slower; nil if it does not. As if the
  /// first look had left it open: how many need the second is a matter of few in a hundred.
  private func pairs(ofDraw draw: Int, slower share: Double) -> Int? {
    var rule = DuetRule()
    rule.counts = []
    var course = SequentialTest(targets: targets, rule: rule)
    var random = DrawGenerator(seed: UInt64(draw))
    while let (phase, wanted) = course.next() {
      for (target, count) in wanted.enumerated() {
        for _ in 0..<count {
          let drawn = noise.ratios[random.next(below: noise.ratios.count)]
          // Either build might have been either: what a small sample leans to is no part of the noise.
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
    cell.metrics["main_blocked_ms"] = blocked
    return cell
  }
}
