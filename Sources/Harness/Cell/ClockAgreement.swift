import Foundation
import Queues

/// Compares the two clocks that watch main: its own records, and the beats.
struct ClockAgreement: Sendable {
  /// The beats answered too long after the gap in which they were due.
  private(set) var lateBeats = 0
  /// How much later than gaps and run-queue delay explain, in nanoseconds.
  private(set) var unexplained: Int64 = 0

  init(_ recording: MainQueueRecording) {
    lateBeats = recording.disagreements
    unexplained = recording.unexplained
  }

  init(_ repeats: [ClockAgreement]) {
    for one in repeats {
      lateBeats += one.lateBeats
      unexplained += one.unexplained
    }
  }

  var unexplainedMilliseconds: Double { Double(unexplained) / 1e6 }

  var doubt: String {
    let time = String(format: "%.1f", unexplainedMilliseconds)
    return "\(lateBeats) beat(s) were answered too long after the gap that they came due in, which"
      + " leaves \(time) ms of main's time unexplained"
  }

  var holds: Bool { lateBeats == 0 }
}
