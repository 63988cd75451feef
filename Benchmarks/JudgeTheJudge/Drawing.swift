import Measurement

/// Draws duets and gates from a pool, and lets the project's own judges decide them.
struct Drawing {
  let pool: Pool
  let rule: DuetRule
  /// Trials a side of a drawn gate.
  let gateTrials: Int

  /// The most pairs of a target that a duet may ask for, its confirmation included.
  private var mostPairs: Int { 2 * rule.mostPairs }

  init(_ pool: Pool, mostPairs: Int, gateTrials: Int) throws {
    self.pool = pool
    var rule = DuetRule()
    rule.mostPairs = mostPairs
    self.rule = rule
    self.gateTrials = gateTrials
    let needed = max(2 * mostPairs, 2 * gateTrials)
    guard pool.count >= needed else {
      throw Pool.Failure(
        description: "the pool has \(pool.count) pairs of a topology, and \(needed) are needed, so"
          + " that no cell counts twice in a duet: measure more, or give --most-pairs")
    }
  }

  /// A duet over pairs that follow each other.
  func duet(slower: Double, using random: inout some RandomNumberGenerator) -> Verdict {
    var draw = Draw(pool, using: &random)
    var course = DuetCourse(targets: pool.targets, rule: rule)
    while let (phase, wanted) = course.next() {
      for (target, count) in wanted.enumerated() {
        for pair in draw.next(count, of: target, slower: slower) {
          course.add(pair, of: target, in: phase)
        }
      }
    }
    return Verdict.together(course.figures.map(\.verdict)) ?? .inconclusive
  }

  /// A gate over two reports whose cells were measured in turn.
  func gate(slower: Double, using random: inout some RandomNumberGenerator) -> Verdict {
    var draw = Draw(pool, using: &random)
    let pairs = pool.targets.indices.flatMap { draw.next(gateTrials, of: $0, slower: slower) }
    return verdict(pairs.map(\.baseline), pairs.map(\.candidate))
  }

  /// A gate over two reports that were taken at different times, as those of CI are. What the machine
  /// did meanwhile differs, so this is the machine's rate as much as the judge's.
  func gateApart(slower: Double, using random: inout some RandomNumberGenerator) -> Verdict {
    var before = Draw(pool, using: &random)
    var after = Draw(pool, using: &random)
    let distance = Int.random(in: gateTrials...(pool.count - gateTrials), using: &random)
    after.start = (before.start + distance) % pool.count
    let targets = pool.targets.indices
    return verdict(
      targets.flatMap { before.next(gateTrials, of: $0, slower: 1).map(\.baseline) },
      targets.flatMap { after.next(gateTrials, of: $0, slower: slower).map(\.candidate) })
  }

  private func verdict(_ baseline: [CellResult], _ candidate: [CellResult]) -> Verdict {
    guard let today = CalendarDay("2026-01-01") else { preconditionFailure("no such day") }
    let result = Gate(today: today).judge(
      Matching(baseline: Side(baseline), candidate: Side(candidate)))
    return switch result.outcome {
    case .pass: .pass
    case .regression: .fail
    case .badCell, .inconclusive, .baseline, .nothingCompared: .inconclusive
    }
  }
}

/// One drawing: a place in the pool's time, and who is called the baseline in each pair.
private struct Draw {
  var start: Int
  private let pool: Pool
  private let exchanged: [[Bool]]
  private var taken: [Int]

  init(_ pool: Pool, using random: inout some RandomNumberGenerator) {
    self.pool = pool
    start = Int.random(in: 0..<pool.count, using: &random)
    var exchanged: [[Bool]] = []
    for _ in pool.targets {
      exchanged.append((0..<pool.count).map { _ in Bool.random(using: &random) })
    }
    self.exchanged = exchanged
    taken = pool.targets.map { _ in 0 }
  }

  mutating func next(_ count: Int, of target: Int, slower: Double) -> [DuetPair] {
    defer { taken[target] += count }
    return pool.drawn(
      target, from: start + taken[target], count: count, slower: slower,
      exchanged: exchanged[target])
  }
}
