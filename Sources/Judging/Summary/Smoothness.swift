import Measurement

/// Late frames and hangs of a topology: its effects that a user notices.
package struct Smoothness: Codable, Sendable, Equatable {
  package let lateTrials: Int
  /// Trials in which main stayed busy for more than 250 ms.
  package let hangTrials: Int
  /// Whether the screen was idle in the longest gap: the gap exceeded two frames, and no frame was
  /// late. A frame that was due at the first tick in such a gap would have been late.
  package let isScreenIdle: Bool

  /// In ms, at 60 Hz. A display of a higher rate has more ticks in the same gap.
  private static let twoFrames = 2 * 1000.0 / 60

  /// Nil where frames were not measured.
  init?(_ cells: [CellResult]) {
    let late = cells.compactMap { $0.metrics[.framesLate] }
    guard !late.isEmpty else { return nil }
    lateTrials = late.count { $0 > 0 }
    hangTrials = cells.count { $0.metrics[.hangs] ?? 0 > 0 }
    let gap = Statistics.median(cells.compactMap(\.longestOwnGap))
    isScreenIdle = lateTrials == 0 && gap ?? 0 > Self.twoFrames
  }
}
