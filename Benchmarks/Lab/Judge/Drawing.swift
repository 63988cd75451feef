import Judging
import Measurement

/// Draws duets and gates from a pool, and decides them with the project's judges.
struct Drawing {
  let pool: Pool
  let rule: DuetRule
  /// The most pairs of a target that a duet with its confirmation, or a gate, may need.
  private let needed: Int
  /// See `Pool.neededPairs`.
  private var estimates: [Int?] = []

  /// - Parameter mostTrials: the largest number of trials on each side of a gate.
  init(_ pool: Pool, mostPairs: Int, mostTrials: Int) throws {
    self.pool = pool
    var rule = DuetRule()
    rule.limit(toPairs: mostPairs)
    self.rule = rule
    needed = max(mostPairs + mostPairs * 3 / 2, 2 * mostTrials)
    try check(pool, named: "the pool")
  }

  /// Takes a while. Without it, decisions have no estimates.
  mutating func estimateNeededPairs() { estimates = pool.neededPairs }

  fileprivate func check(_ pool: Pool, named name: String) throws {
    guard pool.count < needed else { return }
    throw Pool.Failure(
      description: "\(name) has \(pool.count) pairs of a topology, and \(needed) are needed, so"
        + " that no cell counts twice in a duet: measure more, or give --most-pairs")
  }

  /// A duet over consecutive pairs.
  ///
  /// - Returns: the decision about the topology of `slower` or `slowed`, or about all together.
  func duet(
    slower: Slower? = nil, slowed: SlowedPool? = nil, using random: inout some RandomNumberGenerator
  ) -> Decision {
    var draw = Draw(pool, slowed, using: &random)
    var course = SequentialTest(targets: pool.targets, rule: rule)
    while let (phase, wanted) = course.next() {
      for (target, count) in wanted.enumerated() {
        for pair in draw.next(count, of: target, slower: slower) {
          course.add(pair, of: target, in: phase)
        }
      }
    }
    let asked = (slower?.target ?? slowed?.target).map { pool.targets[$0] }
    let figures = course.figures.filter { asked == nil || $0.target == asked }
    let verdict = Verdict.together(figures.map(\.verdict))
    return Decision(
      verdict: verdict ?? .inconclusive, pairs: course.cells.count / 2,
      estimate: asked == nil ? nil : estimate(before: draw.start))
  }

  /// The doctor's estimate for the last complete minute before an index of the pool.
  private func estimate(before start: Int) -> Int? {
    let minute = (start + pool.count - pool.minute) % pool.count / pool.minute
    return estimates.isEmpty ? nil : estimates[minute]
  }

  /// A gate over two reports whose cells were measured in turn.
  func gate(
    trials: Int, slower: Slower? = nil, slowed: SlowedPool? = nil,
    using random: inout some RandomNumberGenerator
  ) -> Decision {
    var draw = Draw(pool, slowed, using: &random)
    let pairs = pool.targets.indices.flatMap { draw.next(trials, of: $0, slower: slower) }
    return decision(pairs.map(\.baseline), pairs.map(\.candidate))
  }

  /// A gate over two reports of different times, as in CI. The rate describes the machine as much
  /// as the judge.
  func gateApart(trials: Int, using random: inout some RandomNumberGenerator) -> Decision {
    var before = Draw(pool, using: &random)
    var after = Draw(pool, using: &random)
    let distance = Int.random(in: trials...(pool.count - trials), using: &random)
    after.start = (before.start + distance) % pool.count
    let targets = pool.targets.indices
    return decision(
      targets.flatMap { before.next(trials, of: $0).map(\.baseline) },
      targets.flatMap { after.next(trials, of: $0).map(\.candidate) })
  }

  private func decision(_ baseline: [CellResult], _ candidate: [CellResult]) -> Decision {
    guard let today = CalendarDay("2026-01-01") else { preconditionFailure("no such day") }
    let result = Gate(times: .gate, today: today).judge(
      Matching(baseline: SideCells(baseline), candidate: SideCells(candidate)))
    let verdict: Verdict =
      switch result.outcome {
      case .pass: .pass
      case .regression: .fail
      case .badCell, .inconclusive, .baseline, .nothingCompared: .inconclusive
      }
    return Decision(verdict: verdict, pairs: baseline.count)
  }
}

struct Decision {
  let verdict: Verdict
  /// The number of pairs of all topologies together.
  let pairs: Int
  /// Nil if nothing is to be found.
  var estimate: Int?
}

/// A topology whose candidate's times are multiplied.
struct Slower {
  /// The index in the pool's targets.
  let target: Int
  let factor: Double
}

/// Pairs with a slowed candidate, drawn instead of one topology's pairs.
struct SlowedPool {
  let name: String
  let effect: SlowdownEffect
  fileprivate let pool: Pool
  /// The index in the targets of the whole pool.
  fileprivate let target: Int

  init(reading files: [String], named name: String, into whole: Drawing) throws {
    let pool = try Pool(reading: files)
    guard pool.targets.count == 1, let target = whole.pool.targets.firstIndex(of: pool.targets[0])
    else {
      throw Pool.Failure(
        description: "the slowed pairs '\(name)' are not of one topology that the pool has, in the"
          + " same scenario and with the same --set")
    }
    try whole.check(pool, named: "'\(name)'")
    (self.name, self.pool, self.target) = (name, pool, target)
    effect = try SlowdownEffect(of: pool)
  }
}

/// A start in the pool's time, and whether each pair's labels are exchanged.
private struct Draw {
  var start: Int
  private let pool: Pool
  private let slowed: SlowedPool?
  private let slowedStart: Int
  private let exchanged: [[Bool]]
  private var taken: [Int]

  init(_ pool: Pool, _ slowed: SlowedPool? = nil, using random: inout some RandomNumberGenerator) {
    self.pool = pool
    self.slowed = slowed
    start = Int.random(in: 0..<pool.count, using: &random)
    slowedStart = slowed.map { Int.random(in: 0..<$0.pool.count, using: &random) } ?? 0
    exchanged = pool.targets.map { _ in
      (0..<pool.count).map { _ in Bool.random(using: &random) }
    }
    taken = pool.targets.map { _ in 0 }
  }

  mutating func next(_ count: Int, of target: Int, slower: Slower? = nil) -> [DuetPair] {
    defer { taken[target] += count }
    if let slowed, slowed.target == target {
      return slowed.pool.drawn(0, from: slowedStart + taken[target], count: count)
    }
    return pool.drawn(
      target, from: start + taken[target], count: count,
      slower: slower?.target == target ? slower?.factor ?? 1 : 1,
      exchanged: exchanged[target])
  }
}
