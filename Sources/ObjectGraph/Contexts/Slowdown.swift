// A known regression, for judging the judge: scripts/judge-the-judge must know how much slower a
// build is, and see whether a duet finds it.
//
//   merge or save ──▶ its work ──▶ the thread spins, so many nanoseconds for each object of that work
//
// Only a build with the trait `Slowdown` has any of this: in others the calls below are empty, and the
// variable's name does not even stand in the program.

/// Where a test build can be made slower.
enum SlowedPath: String {
  /// Taking over what another context saved.
  case merge
  /// Sending changes one level up, or to the store.
  case save
}

#if TOPOBENCH_SLOWDOWN
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Darwin)
    import Darwin
  #endif
  import Queues

  /// What `TOPOBENCH_SLOWDOWN` asks for: `merge=400`, or `merge=400,save=150`, in nanoseconds for each
  /// object.
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

  /// Keeps the thread busy as if each object had cost more.
  func slowDown(_ path: SlowedPath, objects: @autoclosure () -> Int) {
    guard let cost = nanosecondsPerObject[path.rawValue], cost > 0 else { return }
    let clock = SystemClock()
    let end = clock.now().nanoseconds + cost * Int64(objects())
    while clock.now().nanoseconds < end {}
  }
#else
  /// Nothing, in every build but a test's.
  @inline(__always)
  func slowDown(_ path: SlowedPath, objects: @autoclosure () -> Int) {}
#endif
