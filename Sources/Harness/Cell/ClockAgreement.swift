import Foundation
package import Queues

/// How far the two clocks that watch main agree: what it says of itself, and the beats.
///
/// Each unexplained stretch is longer than a beat. In a cell whose main is busy for a second or less one
/// of them is a thousandth, and one is too many. In a cell of minutes some come by chance: on a virtual
/// machine the host takes a processor away between two turns, which no clock inside can tell. What
/// matters there is how much of main's time is not accounted for.
package struct ClockAgreement: Sendable {
  /// The share of main's busy time that may be unexplained.
  private static let tolerated = 0.001

  /// Beats that were answered too long after the gap that they came due in.
  package private(set) var lateBeats = 0
  /// How much later than gaps and run-queue delay explain. Nanoseconds.
  package private(set) var unexplained: Int64 = 0
  /// In service gaps. Nanoseconds.
  package private(set) var busy: Int64 = 0

  package init(_ recording: MainQueueRecording) {
    lateBeats = recording.disagreements
    unexplained = recording.unexplained
    busy = recording.use.total
  }

  /// Of all repeats of a cell.
  package init(_ repeats: [ClockAgreement]) {
    for one in repeats {
      lateBeats += one.lateBeats
      unexplained += one.unexplained
      busy += one.busy
    }
  }

  package var unexplainedMilliseconds: Double { Double(unexplained) / 1e6 }

  /// What a row says whose clocks disagree.
  package var doubt: String {
    let time = String(format: "%.1f", unexplainedMilliseconds)
    return "\(lateBeats) beat(s) were answered too long after the gap that they came due in, which"
      + " leaves \(time) ms of main's time unexplained"
  }

  package var holds: Bool { Double(unexplained) <= Double(busy) * Self.tolerated }
}
