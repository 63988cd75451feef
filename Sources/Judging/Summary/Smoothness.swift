import Measurement

/// Effects that a user notices: late frames and hangs.
package struct Smoothness: Codable, Sendable, Equatable {
  package let lateTrials: Int
  /// Main stayed busy for more than 250 ms.
  package let hangTrials: Int
  /// Whether the screen was idle in the longest gap: it exceeded two frames, and no frame was late.
  /// A frame due at its first tick would have been late.
  package let isScreenIdle: Bool

  /// In ms, at 60 Hz. A faster display has more ticks in the same gap.
  private static let twoFrames = 2 * 1000.0 / 60

  init?(_ cells: [CellResult]) {
    let late = cells.compactMap { $0.metrics[.framesLate] }
    guard !late.isEmpty else { return nil }
    lateTrials = late.count { $0 > 0 }
    hangTrials = cells.count { $0.metrics[.hangs] ?? 0 > 0 }
    let gap = Statistics.median(cells.compactMap(\.longestOwnGap))
    isScreenIdle = lateTrials == 0 && gap ?? 0 > Self.twoFrames
  }
}
