// A known regression, to test the comparison: scripts/judge-the-judge slows a build down by a known
// amount and checks whether a duet finds it.
//
//   merge or save ──▶ its work ──▶ the thread spins, some nanoseconds for each object
//
// Only a build with the trait `Slowdown` contains it. In other builds the calls below are empty,
// and the variable's name is not in the binary.

/// The operations that a test build can slow down.
enum SlowedPath: String {
  /// Merging another context's save.
  case merge
  /// Sending changes one level up or to the store.
  case save
}

#if TOPOBENCH_SLOWDOWN
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Darwin)
    import Darwin
  #endif
  import Queues

  /// Nanoseconds per object, from `TOPOBENCH_SLOWDOWN`: for example `merge=400,save=150`.
  private let nanosecondsPerObject: [String: Int64] = {
    guard let setting = getenv("TOPOBENCH_SLOWDOWN") else { return [:] }
    var slowed: [String: Int64] = [:]
    for part in String(cString: setting).split(separator: ",") {
      let halves = part.split(separator: "=", maxSplits: 1).map(String.init)
      guard halves.count == 2, SlowedPath(rawValue: halves[0]) != nil,
        let cost = Int64(halves[1]), (0...1_000_000_000).contains(cost)
      else {
        fatalError(
          "TOPOBENCH_SLOWDOWN: '\(part)' is not PATH=NANOSECONDS; PATH is merge or save")
      }
      slowed[halves[0]] = cost
    }
    return slowed
  }()

  /// Spins as if each object had cost more.
  func slowDown(_ path: SlowedPath, objects: @autoclosure () -> Int) {
    guard let cost = nanosecondsPerObject[path.rawValue], cost > 0 else { return }
    let clock = SystemClock()
    let end = clock.now().nanoseconds + cost * Int64(objects())
    while clock.now().nanoseconds < end {}
  }
#else
  /// Does nothing in builds without the trait.
  @inline(__always)
  func slowDown(_ path: SlowedPath, objects: @autoclosure () -> Int) {}
#endif
