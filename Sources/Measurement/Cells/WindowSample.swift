/// One repeat's window. Times are ms, instants count from its opening, periods are clipped to it.
package struct WindowSample: Codable, Sendable, Equatable {
  package var total: Double
  /// When the last `apply` returned. Like the next four, nil if not seen.
  package var saved: Double?
  package var durable: Double?
  package var visible: Double?
  /// When main's list got the last change, before its frame.
  package var delivered: Double?
  /// When a frame last changed the rows on screen. Nil if the list scrolls or frames read no rows.
  package var visibleRows: Double?
  /// How late each save began. Nil if no save had a due time.
  package var saveLateness: [Double]?
  /// From each count or search of the user to its answer. Nil if the user asks nothing.
  package var answers: [Double]?
  /// Answers to searches that a later letter overtook.
  package var answersDropped: Int?
  package var notes: [String: Double]?

  package var gaps: [GapSample] = []
  package var busyPeriods: [PeriodSample] = []
  /// Main's time in database slices, without waiting.
  package var executing: Double = 0
  /// Main's waits in database slices, by cause. Names that are not in `Metrics.waitCauses` count as
  /// `other`.
  package var waits: [String: Double] = [:]
  package var ui: Double = 0
  package var checkpoint: Double = 0
  /// Main's time charged by a device's prices. Nil without prices.
  package var priced: Double?
  /// Events with a price, by name. Nil without prices.
  package var mainEvents: [String: Int]?
  package var otherEvents: [String: Int]?

  package var frames: [FrameSample] = []
  package var framesDue: Int = 0
  /// Nil in documents of the previous schema.
  package var framesLate: Int?
  package var frameInterval: Double = 1000.0 / 60

  /// Lateness of beats that were due in the window.
  package var heartbeats: [Double] = []
  /// Lateness of the beats that came due while main was idle.
  package var wakeHeartbeats: [Double] = []

  /// Nil if the system does not report it.
  package var cpu: Double?
  package var runqueue: Double?
  /// The run-queue delay in gaps with database or drawing work.
  package var gapRunqueue: Double?
  package var counts: [Metric: Int] = [:]
  /// Objects that a merge created on main. Nil without contexts, and in older documents.
  package var created: Int?
  /// Nil in older documents.
  package var workerStatements: Int?
  /// Nil if it cannot be read.
  package var walMiB: Double?
  /// From before the store is opened to the first frame with rows. Nil in older documents.
  package var open: PhaseSample?
  /// The scroll through the whole list after settling. Nil without a list.
  package var scroll: PhaseSample?
  package var changes: Int

  package init(total: Double, changes: Int) {
    self.total = total
    self.changes = changes
  }

  package var waiting: Double { waits.values.reduce(0, +) }
  package var blocked: Double { executing + waiting }
}

/// A phase of the screen outside the window, on main. Times are ms.
package struct PhaseSample: Codable, Sendable, Equatable {
  /// Main's time in database slices: executing and waiting.
  package var blocked: Double
  /// A gap that a heartbeat or the harness caused counts as its work alone.
  package var longestGap: Double
  package var statements: Int
  package var rowsRead: Int
  /// When the first frame with rows was committed, from the phase's beginning. Nil for a scroll,
  /// and without a list.
  package var visible: Double?

  package init(
    blocked: Double, longestGap: Double, statements: Int, rowsRead: Int, visible: Double? = nil
  ) {
    self.blocked = blocked
    self.longestGap = longestGap
    self.statements = statements
    self.rowsRead = rowsRead
    self.visible = visible
  }
}

package struct GapSample: Codable, Sendable, Equatable {
  package var start: Double
  package var duration: Double
  /// The cause of most of its time, such as `merge` or `wait-parent`.
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

package struct FrameSample: Codable, Sendable, Equatable {
  package var due: Double
  package var presented: Double

  package init(due: Double, presented: Double) {
    self.due = due
    self.presented = presented
  }
}

/// A cell's process, for all its windows. Nil means *not measured*.
package struct ProcessSample: Codable, Sendable, Equatable {
  package var cpu: Double?
  package var peakRSSMiB: Double?
  package var storeMiB: Double?
  package var involuntaryContextSwitches: Int?
  /// Each run of the same work by SQLite's C API, in ms.
  package var rawSQLite: [Double] = []
  /// Median time of one fsync where the store lies, in ms.
  package var sync: Double?
  package var selfCheckReruns: Int = 0
  /// Lateness of beats that gaps and run-queue delay do not explain, in ms.
  package var selfCheckUnexplained: Double?

  package init() {}
}
