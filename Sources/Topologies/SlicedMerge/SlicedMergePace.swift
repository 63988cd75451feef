import Queues

// How many objects fit a slice. What a merge costs is a part that does not depend on their number (the
// list is gone through once) and a part for each; both depend on the machine, the list's length and
// what is drawn. So nothing is assumed: each slice's time corrects the size of the next.
//
//   objects   1    ▶ 4    ▶ 16   ▶ 64   ▶ 256   ▶ 730   ▶ 690 …
//   took      0.1    0.1    0.1    0.2    0.7     2.1     2.0 ms      aim: half of the budget
//
// The aim is half of the budget, so that objects of twice the usual cost still fit it.

/// Learns the size of slices from how long they took. A plain value.
struct SlicePace: Sendable {
  /// What a slice may take, in nanoseconds.
  let budget: Int64
  private var aim: Int64 { max(1, budget / 2) }
  /// How many objects take about `aim`.
  private var size = 1.0
  /// About the shortest time that a slice takes, in nanoseconds.
  private var shortest: Int64 = 0

  /// - Precondition: the budget is positive.
  init(budget: Duration) {
    precondition(budget > .zero, "a slice needs time: a budget of \(budget) leaves none")
    self.budget = max(1, budget.wholeNanoseconds)
  }

  /// How many objects the next slice may have if it has to end within `allowance` nanoseconds; nil if
  /// it had better wait.
  func limit(within allowance: Int64) -> Int? {
    guard allowance >= 2 * shortest else { return nil }
    return limit(share: min(1, Double(allowance) / Double(aim)))
  }

  /// As above, but never none.
  var limit: Int { limit(share: 1) }

  private func limit(share: Double) -> Int { max(1, Int(size * share)) }

  /// - Returns: whether it took longer than the budget.
  mutating func took(_ time: Int64, objects: Int) -> Bool {
    shortest = shortest == 0 ? time : min(time, shortest + max(1, shortest / 8))
    let isOver = time > budget
    // A slice of few objects says nothing of how many would fit, but that too many did not.
    guard objects * 2 >= Int(size) || time > aim else { return isOver }
    let fitting = Double(objects) * Double(aim) / Double(max(1, time))
    size = max(1, min(fitting, size * 4))
    return isOver
  }
}
