/// Instants are of the main queue's clock.
package struct MainQueueRecording: Sendable {
  /// From the moment main stops serving events until it serves them again. A tap waits this long.
  package struct ServiceGap: Sendable, Equatable {
    package var start: Instant
    package var end: Instant
    package var use: TimeUse
    /// Nanoseconds in which the thread was runnable but not running; nil if not reported.
    package var runqueue: Int64?

    package var duration: Duration { end - start }
  }

  /// From the end of one wait to the next wait, over consecutive turns. Over 250 ms it is a hang.
  package struct BusyPeriod: Sendable, Equatable {
    package var start: Instant
    package var end: Instant
    package var runqueue: Int64?

    package var duration: Duration { end - start }
  }

  package struct Beat: Sendable, Equatable {
    package var due: Instant
    package var answered: Instant
    /// Whether the beat came due while main waited. The machine then caused its lateness.
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
  /// Frames that were not on screen when the next one was due.
  package var framesLate = 0
  package var use = TimeUse()
  package var counts: [ActivityCounter: Int] = [:]
  /// The statements of all other threads.
  package var workerStatements = 0
  /// In nanoseconds.
  package var checkpoints: Int64 = 0
  /// Nanoseconds charged by a device's prices; nil without prices.
  package var priced: Int64?
  package var cpu: Int64?
  package var runqueue: Int64?
  /// Zero without a gap. If a heartbeat or the harness caused a gap, only the gap's work counts: an
  /// app has neither. So the longest gap is at least as long as the longest work.
  package var longestGap: Duration {
    let instrument = [SliceTag.heartbeat.name, SliceTag.harness.name]
    return gaps.map { gap in
      instrument.contains(gap.use.mostly) ? Duration.nanoseconds(gap.use.work) : gap.duration
    }.max() ?? .zero
  }
  /// The part of `runqueue` in gaps with database or drawing work, in nanoseconds.
  package var workRunqueue: Int64 {
    gaps.reduce(0) { $1.use.work > 0 ? $0 + ($1.runqueue ?? 0) : $0 }
  }
  /// The number of beats whose lateness the gaps do not explain.
  package var disagreements = 0
  /// The unexplained lateness in nanoseconds. Of beats answered together, the largest counts.
  package var unexplained: Int64 = 0
}
