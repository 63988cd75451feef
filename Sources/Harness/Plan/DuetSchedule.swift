import Judging
import Measurement
import Support

// The order of a duet's cells. b is the baseline, c the candidate; two topologies, M and N:
//
//   round 1    N b c    M c b        a round: a pair of each that still needs one, shuffled
//   round 2    M b c    N c b        order inside: of every two pairs of a topology one begins with b
//   round 3    N c b    M b c        and one with c; which of them is first, is drawn
//
// So a slow spell of the machine meets both builds, and neither owes anything to going first.

/// Two cells that follow each other.
struct ScheduledPair: Sendable, Equatable {
  /// The place of the target among the duet's.
  let target: Int
  /// From 1, for each target by itself.
  let number: Int
  /// Which build goes first.
  let first: DuetSide

  var sides: [DuetSide] { [first, first.other] }
}

/// Draws the order of a duet's pairs from a seed: balanced, shuffled, whatever number comes to be
/// asked for.
struct DuetSchedule: Sendable {
  private var random: SplitMix64
  /// How many pairs of each target have been handed out.
  private var drawn: [Int]
  /// Which build begins the second pair of two.
  private var second: [DuetSide]

  init(targets: Int, seed: UInt64) {
    random = SplitMix64(seed: seed)
    drawn = Array(repeating: 0, count: targets)
    second = Array(repeating: .candidate, count: targets)
  }

  /// The next pairs.
  ///
  /// - Parameter wanted: how many more of each target.
  mutating func next(_ wanted: [Int]) -> [ScheduledPair] {
    var left = wanted
    var pairs: [ScheduledPair] = []
    while left.contains(where: { $0 > 0 }) {
      for target in random.shuffledForward(left.indices.filter { left[$0] > 0 }) {
        left[target] -= 1
        pairs.append(draw(target))
      }
    }
    return pairs
  }

  private mutating func draw(_ target: Int) -> ScheduledPair {
    drawn[target] += 1
    let isFirstOfTwo = !drawn[target].isMultiple(of: 2)
    let side =
      isFirstOfTwo ? (random.nextBool() ? .baseline : .candidate) : second[target]
    if isFirstOfTwo { second[target] = side.other }
    return ScheduledPair(target: target, number: drawn[target], first: side)
  }
}
