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
  /// One level up or to the store.
  case save
}

#if TOPOBENCH_SLOWDOWN
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Darwin)
    import Darwin
  #endif
  import Queues

  private struct Cost {
    enum Kind: String {
      case spinning = ""
      case steps
      case idle
    }
    var kind: Kind
    var amount: Int64

    /// A number with the kind as its suffix.
    init?(_ text: Substring) {
      let digits = text.prefix { $0.isNumber }
      guard let kind = Kind(rawValue: String(text.dropFirst(digits.count))),
        let amount = Int64(digits), (0...1_000_000_000).contains(amount)
      else { return nil }
      self.kind = kind
      self.amount = amount
    }

    func pay(objects: Int) {
      let total = amount * Int64(objects)
      switch kind {
      case .spinning:
        let clock = SystemClock()
        let end = clock.now().nanoseconds + total
        while clock.now().nanoseconds < end {}
      // Used, so that the loop is not removed.
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
      let halves = part.split(separator: "=", maxSplits: 1)
      guard halves.count == 2, SlowedPath(rawValue: String(halves[0])) != nil,
        let cost = Cost(halves[1])
      else {
        fatalError(
          "TOPOBENCH_SLOWDOWN: '\(part)' is not PATH=NUMBER, PATH=NUMBERsteps or PATH=NUMBERidle; "
            + "PATH is merge or save")
      }
      found[String(halves[0])] = cost
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
