extension Metric {
  package static let total = time(
    "total_ms", "from the first change submitted until durable and on screen", \.window.total)
  package static let saved = time(
    "saved_ms", "from the first change until the last save returned", \.window.saved)
  package static let durable = time(
    "durable_ms", "from the first change until the last commit to SQLite", \.window.durable)
  package static let visible = time(
    "visible_ms", "from the first change until the final rows are on screen", \.window.visible)

  static let window = [total, saved, durable, visible]
}

extension Metric {
  package static let mainBlocked = Metric(
    "main_blocked_ms", "ms", .time, "main's time in the database: executing and waiting",
    .partOfBlocked(\.blocked))
  package static let mainExecuting = Metric(
    "main_executing_ms", "ms", .time, "main's time executing in the database, with syncs",
    .partOfBlocked(\.executing))
  package static let mainWaiting = Metric(
    "main_waiting_ms", "ms", .time, "main's time waiting in the database",
    .partOfBlocked(\.waiting))
  package static let mainWaitParent = wait(
    "parent", "main's time waiting for a parent context's queue")
  package static let mainWaitCoordinator = wait(
    "coordinator", "main's time waiting for the coordinator's lock")
  package static let mainWaitSQLite = wait(
    "sqlite", "main's time waiting while another connection locks SQLite")
  package static let mainWaitQueue = wait(
    "queue", "main's time waiting for a queue that is not a parent's")
  package static let mainWaitOther = wait(
    "other", "main's time waiting for anything else in the database")

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
    "main_longest_gap_ms", "ms", .time, "the longest gap: how long a tap may wait for main",
    .cell { cell in Statistics.median(cell.longestGaps.map { $0?.duration ?? 0 }) })
  package static let longestGapCause = Metric(
    "longest_gap_cause", "", .label, better: .neither, "what main mostly did in its longest gap",
    .text { $0.middleGap?.cause })
  package static let longestGapAt = Metric(
    "longest_gap_at_ms", "ms", .time, better: .neither,
    "when main's longest gap began, after the window's opening",
    .cell { $0.middleGap?.start })
  package static let mainLongestBusy = Metric(
    "main_longest_busy_ms", "ms", .time, "the longest time in which main was never idle",
    .median { $0.window.busyPeriods.map(\.duration).max() ?? 0 })
  package static let gapsOver = [8, 16, 50, 100, 250].map { limit in
    Metric(
      "gaps_over_\(limit)ms", "", .count, "gaps of main longer than \(limit) ms",
      .median { sample in Double(sample.window.gaps.count { $0.duration > Double(limit) }) })
  }
  package static let hangs = Metric(
    "hangs_over_250ms", "", .count, "busy periods of main longer than 250 ms",
    .median { sample in Double(sample.window.busyPeriods.count { $0.duration > 250 }) })
  package static let totalBlockingTime = Metric(
    "main_tbt50_ms", "ms", .time, "how far main's gaps exceed 50 ms, summed",
    .median { $0.window.gaps.reduce(0) { $0 + max(0, $1.duration - 50) } })

  static let gaps =
    [mainLongestGap, longestGapCause, longestGapAt, mainLongestBusy] + gapsOver
    + [hangs, totalBlockingTime]
}
