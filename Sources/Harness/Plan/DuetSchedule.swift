import Judging
import Support

// The order of a duet's cells for two topologies M and N (b: baseline, c: candidate):
//
//   round 1    N b c    M c b
//   round 2    M b c    N c b
//   round 3    N c b    M b c
//
// A round has a pair of each topology that still needs one, shuffled. Of every two pairs of a
// topology one begins with b and one with c, in random order. So a slow spell of the machine
// affects both builds, and neither gains by going first.

struct ScheduledPair: Sendable, Equatable {
  let target: Int
  let number: Int
  let first: Side

  var sides: [Side] { [first, first.other] }
}

/// Draws the order of a duet's pairs from a seed, balanced and shuffled.
struct DuetSchedule: Sendable {
  private var random: SplitMix64
  /// The number of pairs drawn so far, by target.
  private var drawn: [Int]
  /// The side that begins the second of two pairs, by target.
  private var second: [Side]

  init(targets: Int, seed: UInt64) {
    random = SplitMix64(seed: seed)
    drawn = Array(repeating: 0, count: targets)
    second = Array(repeating: .candidate, count: targets)
  }

  /// Draws `wanted[target]` pairs of each target.
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
    let side = isFirstOfTwo ? (random.nextBool() ? .baseline : .candidate) : second[target]
    if isFirstOfTwo { second[target] = side.other }
    return ScheduledPair(target: target, number: drawn[target], first: side)
  }
}
