/// What the main queue did while a window was open. Instants are of its clock.
package struct MainQueueRecording: Sendable {
  /// From the moment main stopped serving events until it served them again: what a tap waits for.
  package struct ServiceGap: Sendable, Equatable {
    package var start: Instant
    package var end: Instant
    package var use: TimeUse
    /// Nanoseconds of it that the thread was runnable but not running; nil if the machine does not
    /// tell.
    package var runqueue: Int64?

    package var duration: Duration { end - start }
  }

  /// From leaving the wait to the next wait, chained turns together: what a hang is.
  package struct BusyPeriod: Sendable, Equatable {
    package var start: Instant
    package var end: Instant
    package var runqueue: Int64?

    package var duration: Duration { end - start }
  }

  package struct Beat: Sendable, Equatable {
    package var due: Instant
    package var answered: Instant
    /// Whether it came due while main was waiting: then its lateness is the machine's.
    package var foundMainWaiting: Bool

    package var lateness: Duration { answered - due }
  }

  package struct Frame: Sendable, Equatable {
    package var due: Instant
    package var presented: Instant
  }

  package var opened: Instant
  package var closed: Instant
  package var gaps: [ServiceGap] = []
  package var busyPeriods: [BusyPeriod] = []
  package var beats: [Beat] = []
  package var frames: [Frame] = []
  package var framesDue = 0
  package var use = TimeUse()
  package var counts: [ActivityCounter: Int] = [:]
  /// Nanoseconds of WAL checkpoints.
  package var checkpoints: Int64 = 0
  package var cpu: Int64?
  package var runqueue: Int64?
  /// How many beats were answered too long after the gap that they came due in.
  package var disagreements = 0
  /// By how many nanoseconds in all; of beats that were answered together the latest counts.
  package var unexplained: Int64 = 0
}
