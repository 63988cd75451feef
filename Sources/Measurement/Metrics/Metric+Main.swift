extension Metric {
  package static let total = time(
    "total_ms", "from the first change submitted until durable and on screen", \.window.total)
  package static let saved = time(
    "saved_ms", "until the topology called the last batch saved", \.window.saved)
  package static let durable = time(
    "durable_ms", "until the last change was committed to SQLite", \.window.durable)
  package static let visible = time(
    "visible_ms", "until the first frame that shows the final rows", \.window.visible)

  static let window = [total, saved, durable, visible]
}

extension Metric {
  package static let mainBlocked = Metric(
    "main_blocked_ms", "ms", .time, "main's time in the database: executing and waiting",
    .partOfBlocked(\.blocked))
  package static let mainExecuting = Metric(
    "main_executing_ms", "ms", .time, "the part of it that main worked, syncs included",
    .partOfBlocked(\.executing))
  package static let mainWaiting = Metric(
    "main_waiting_ms", "ms", .time, "the part of it that main stood waiting",
    .partOfBlocked(\.waiting))
  package static let mainWaitParent = wait("parent", "waiting for a parent context's queue")
  package static let mainWaitCoordinator = wait("coordinator", "waiting for the coordinator's lock")
  package static let mainWaitSQLite = wait(
    "sqlite", "waiting for SQLite: another connection held its lock")
  package static let mainWaitQueue = wait(
    "queue", "waiting for a private queue that is not a parent's")
  package static let mainWaitOther = wait("other", "waiting for anything else")

  package static let blocked = [
    mainBlocked, mainExecuting, mainWaiting, mainWaitParent, mainWaitCoordinator, mainWaitSQLite,
    mainWaitQueue, mainWaitOther,
  ]

  /// - Parameter cause: one of ``Metrics/waitCauses``.
  private static func wait(_ cause: String, _ meaning: String) -> Metric {
    Metric("main_wait_\(cause)_ms", "ms", .time, meaning, .partOfBlocked { $0.wait(for: cause) })
  }
}

extension Metric {
  package static let mainLongestGap = Metric(
    "main_longest_gap_ms", "ms", .time, "the longest that main served no event",
    .cell { cell in Statistics.median(cell.longestGaps.map { $0?.duration ?? 0 }) })
  package static let longestGapCause = Metric(
    "longest_gap_cause", "", .label, better: .neither, "what most of that gap was",
    .text { $0.middleGap?.cause })
  package static let longestGapAt = Metric(
    "longest_gap_at_ms", "ms", .time, better: .neither, "when that gap began",
    .cell { $0.middleGap?.start })
  package static let mainLongestBusy = Metric(
    "main_longest_busy_ms", "ms", .time, "the longest that main never went idle",
    .median { $0.window.busyPeriods.map(\.duration).max() ?? 0 })
  package static let gapsOver = [8, 16, 50, 100, 250].map { limit in
    Metric(
      "gaps_over_\(limit)ms", "", .count, "gaps longer than \(limit) ms",
      .median { sample in Double(sample.window.gaps.count { $0.duration > Double(limit) }) })
  }
  package static let hangs = Metric(
    "hangs_over_250ms", "", .count, "busy periods longer than 250 ms",
    .median { sample in Double(sample.window.busyPeriods.count { $0.duration > 250 }) })
  package static let totalBlockingTime = Metric(
    "main_tbt50_ms", "ms", .time, "sum of what each gap exceeds 50 ms by",
    .median { $0.window.gaps.reduce(0) { $0 + max(0, $1.duration - 50) } })

  static let gaps =
    [mainLongestGap, longestGapCause, longestGapAt, mainLongestBusy] + gapsOver
    + [hangs, totalBlockingTime]
}
