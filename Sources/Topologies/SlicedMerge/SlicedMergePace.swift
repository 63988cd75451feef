import Queues

// The cost of a merge depends on the machine and the rows. So each slice's time corrects the size
// of the next:
//
//   objects   1    ▶ 4    ▶ 16   ▶ 64   ▶ 256   ▶ 730   ▶ 690 …
//   took      0.1    0.1    0.1    0.2    0.7     2.1     2.0 ms
//
// The aim is half of the frame budget, so that objects of twice the usual cost still fit.

/// Computes the size of slices from their times.
struct SlicePace: Sendable {
  /// The longest time that a slice should take, in nanoseconds.
  let frameBudget: Int64
  private var aim: Int64 { max(1, frameBudget / 2) }
  /// The number of objects that take about `aim`.
  private var size = 1.0
  /// Approximately the shortest time of a slice, in nanoseconds.
  private var shortest: Int64 = 0

  /// - Precondition: the frame budget is positive.
  init(frameBudget: Duration) {
    guard frameBudget > .zero else {
      fatalError("the frame budget is \(frameBudget); set one above zero")
    }
    self.frameBudget = max(1, frameBudget.wholeNanoseconds)
  }

  /// The number of objects for a slice that must end within `allowance` nanoseconds; nil if the
  /// slice should wait.
  func limit(within allowance: Int64) -> Int? {
    guard allowance >= 2 * shortest else { return nil }
    return limit(share: min(1, Double(allowance) / Double(aim)))
  }

  /// The number of objects for a slice without an allowance.
  var limit: Int { limit(share: 1) }

  private func limit(share: Double) -> Int { max(1, Int(size * share)) }

  /// - Returns: whether the slice took longer than the frame budget.
  mutating func took(_ time: Int64, objects: Int) -> Bool {
    shortest = shortest == 0 ? time : min(time, shortest + max(1, shortest / 8))
    let isOver = time > frameBudget
    // A small slice does not show how many objects would fit, unless it took too long.
    guard objects * 2 >= Int(size) || time > aim else { return isOver }
    let fitting = Double(objects) * Double(aim) / Double(max(1, time))
    size = max(1, min(fitting, size * 4))
    return isOver
  }
}
