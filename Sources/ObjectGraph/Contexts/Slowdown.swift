// A known regression, to test comparisons of two builds. scripts/judge-the-judge checks whether a
// duet finds an added time; scripts/check-counts adds counted work, or waiting without work.
//
//                      ┌─ 400:      the thread spins 400 ns for each object
//   merge or save ─────┼─ 400steps: the thread executes 400 steps of a loop for each object
//                      └─ 400idle:  the thread sleeps 400 ns for each object
//
// Only builds with the trait `Slowdown` contain it. Elsewhere the calls are empty, and the
// variable's name is not in the binary.

enum SlowedPath: String {
  case merge
  /// A save into the parent or to the store.
  case save
}

#if TOPOBENCH_SLOWDOWN
  import Foundation
  import Queues

  private struct Cost {
    enum Kind: String {
      case spinning = ""
      case steps
      case idle
    }
    var kind: Kind
    var amount: Int64

    func pay(objects: Int) {
      let total = amount * Int64(objects)
      switch kind {
      case .spinning:
        let clock = SystemClock()
        let end = clock.now().nanoseconds + total
        while clock.now().nanoseconds < end {}
      // The result is used, so that the compiler keeps the loop.
      case .steps: if countedSteps(total) == 0 { sched_yield() }
      case .idle:
        var time = timespec(tv_sec: Int(total / 1_000_000_000), tv_nsec: Int(total % 1_000_000_000))
        var rest = timespec()
        while nanosleep(&time, &rest) != 0 { time = rest }
      }
    }
  }

  /// The optimiser cannot shorten it: each step needs the last one's result.
  @inline(never)
  private func countedSteps(_ count: Int64) -> UInt64 {
    var state = UInt64(truncatingIfNeeded: count) | 1
    for _ in 0..<count { state = state &* 6_364_136_223_846_793_005 &+ (state >> 33) }
    return state
  }

  /// For example from `merge=400,save=150steps`.
  private let costs: [String: Cost] = {
    guard let setting = getenv("TOPOBENCH_SLOWDOWN") else { return [:] }
    var found: [String: Cost] = [:]
    for part in String(cString: setting).split(separator: ",") {
      guard let match = part.wholeMatch(of: /(merge|save)=([0-9]{1,9})(steps|idle|)/),
        let kind = Cost.Kind(rawValue: String(match.3)), let amount = Int64(match.2)
      else {
        fatalError(
          "TOPOBENCH_SLOWDOWN: '\(part)' is not PATH=NUMBER, PATH=NUMBERsteps or PATH=NUMBERidle; "
            + "PATH is merge or save")
      }
      found[String(match.1)] = Cost(kind: kind, amount: amount)
    }
    return found
  }()

  func slowDown(_ path: SlowedPath, objects: @autoclosure () -> Int) {
    guard let cost = costs[path.rawValue], cost.amount > 0 else { return }
    cost.pay(objects: objects())
  }
#else
  @inline(__always)
  func slowDown(_ path: SlowedPath, objects: @autoclosure () -> Int) {}
#endif
