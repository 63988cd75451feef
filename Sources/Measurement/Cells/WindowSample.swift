/// The record of one repeat's window.
///
/// All times are milliseconds; instants count from the window's opening. Periods are clipped to the
/// window.
package struct WindowSample: Codable, Sendable, Equatable {
  package var total: Double
  /// When the last `apply` returned; nil if that was not seen, as for the next three.
  package var saved: Double?
  package var durable: Double?
  package var visible: Double?
  /// When the last change was delivered to the list on main, before its frame.
  package var delivered: Double?
  /// When a frame last changed the rows on screen; nil if the list scrolls or frames read no rows.
  /// Rows off screen may change later, until `visible`.
  package var visibleRows: Double?
  /// How late each save began; nil if none was due at a time of its own.
  package var saveLateness: [Double]?
  /// The topology's own counts, by name.
  package var notes: [String: Double]?

  package var gaps: [GapSample] = []
  package var busyPeriods: [PeriodSample] = []
  /// Time in main's database slices that was not waiting.
  package var executing: Double = 0
  /// Waiting in main's database slices, by cause. Names that are not in `Metrics.waitCauses` count
  /// as `other`.
  package var waits: [String: Double] = [:]
  package var ui: Double = 0
  package var checkpoint: Double = 0
  /// Main's time charged by a device's prices; nil without prices.
  package var priced: Double?
  /// The events that have a price, by name; nil without prices.
  package var mainEvents: [String: Int]?
  package var otherEvents: [String: Int]?

  package var frames: [FrameSample] = []
  package var framesDue: Int = 0
  /// From one frame's due time to the next.
  package var frameInterval: Double = 1000.0 / 60

  /// The lateness of each beat that was due in the window.
  package var heartbeats: [Double] = []
  /// The same, only the beats that came due while main was waiting.
  package var wakeHeartbeats: [Double] = []

  /// Nil if the system does not report it, as for `runqueue`.
  package var cpu: Double?
  package var runqueue: Double?
  package var counts: [Metric: Int] = [:]
  /// The size that the store's WAL reached; nil if it cannot be read.
  package var walMiB: Double?
  /// Database time on main during the scroll after settling.
  package var mainAfter: Double?
  /// How many changes were applied.
  package var changes: Int

  package init(total: Double, changes: Int) {
    self.total = total
    self.changes = changes
  }

  package var waiting: Double { waits.values.reduce(0, +) }
  package var blocked: Double { executing + waiting }
}

/// A period in which main served no event.
package struct GapSample: Codable, Sendable, Equatable {
  package var start: Double
  package var duration: Double
  /// Where most of the time went, such as `merge` or `wait-parent`.
  package var cause: String

  package init(start: Double, duration: Double, cause: String) {
    self.start = start
    self.duration = duration
    self.cause = cause
  }
}

package struct PeriodSample: Codable, Sendable, Equatable {
  package var start: Double
  package var duration: Double

  package init(start: Double, duration: Double) {
    self.start = start
    self.duration = duration
  }
}

/// A frame that was presented, and when it should have been.
package struct FrameSample: Codable, Sendable, Equatable {
  package var due: Double
  package var presented: Double

  package init(due: Double, presented: Double) {
    self.due = due
    self.presented = presented
  }
}

/// The samples of a cell's process, for all its windows. Nil means *not measured*.
package struct ProcessSample: Codable, Sendable, Equatable {
  package var cpu: Double?
  package var peakRSSMiB: Double?
  package var storeMiB: Double?
  package var involuntaryContextSwitches: Int?
  /// Each run of the same work by prepared statements of the C API, in ms.
  package var rawSQLite: [Double] = []
  /// Median time of one fsync where the store lies, in ms.
  package var sync: Double?
  /// How often the cell was repeated because its self-check failed.
  package var selfCheckReruns: Int = 0
  /// The lateness of beats that gaps and run-queue delay do not explain, in ms.
  package var selfCheckUnexplained: Double?

  package init() {}
}
