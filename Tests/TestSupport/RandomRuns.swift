import Foundation

/// How many runs random tests make: all of them, or the share that `TOPOBENCH_RANDOM_RUNS` says, in
/// percent. A sanitizer makes each run ten times as long and needs fewer.
package enum RandomRuns {
  private static let percent: Int = {
    let setting = ProcessInfo.processInfo.environment["TOPOBENCH_RANDOM_RUNS"]
    return setting.flatMap(Int.init) ?? 100
  }()

  /// - Returns: at least 1.
  package static func share(of count: Int) -> Int {
    max(1, count * percent / 100)
  }

  /// So many seeds, from 0.
  package static func seeds(_ count: Int) -> Range<UInt64> {
    0..<UInt64(share(of: count))
  }
}
