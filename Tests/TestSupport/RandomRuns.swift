import Foundation

/// `TOPOBENCH_RANDOM_RUNS` reduces the runs of random tests to a percentage. A sanitizer makes each
/// run ten times slower.
package enum RandomRuns {
  private static let percent: Int = {
    let setting = ProcessInfo.processInfo.environment["TOPOBENCH_RANDOM_RUNS"]
    return setting.flatMap(Int.init) ?? 100
  }()

  /// - Returns: at least 1.
  package static func share(of count: Int) -> Int {
    max(1, count * percent / 100)
  }

  package static func seeds(_ count: Int) -> Range<UInt64> {
    0..<UInt64(share(of: count))
  }
}
