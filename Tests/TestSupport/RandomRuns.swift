import Foundation

/// The number of runs of a random test. `TOPOBENCH_RANDOM_RUNS` reduces it to a percentage. A
/// sanitizer makes each run ten times slower and needs fewer.
package enum RandomRuns {
  private static let percent: Int = {
    let setting = ProcessInfo.processInfo.environment["TOPOBENCH_RANDOM_RUNS"]
    return setting.flatMap(Int.init) ?? 100
  }()

  /// - Returns: at least 1.
  package static func share(of count: Int) -> Int {
    max(1, count * percent / 100)
  }

  /// The seeds from 0 to below the share of `count`.
  package static func seeds(_ count: Int) -> Range<UInt64> {
    0..<UInt64(share(of: count))
  }
}
