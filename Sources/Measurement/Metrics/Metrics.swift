/// Every metric column, in the order of the CSV file.
///
/// The order of the first groups is a promise to readers of the files; new columns go to the end of
/// `added`.
package enum Metrics {
  package static let all: [MetricDefinition] =
    window + blocked + blocks + frames + heartbeats + taps + mainThread + counts + cell + added

  private static let positions: [String: Int] = Dictionary(
    uniqueKeysWithValues: all.enumerated().map { ($1.name, $0) })

  package static func named(_ name: String) -> MetricDefinition? {
    positions[name].map { all[$0] }
  }

  /// The metric's place in `all`.
  package static func position(of name: String) -> Int? {
    positions[name]
  }

  /// The counts that equal work makes equal.
  package static let exactCounts: [String] = all.filter(\.isIndependentOfScheduling).map(\.name)

  /// The causes of waiting, as in `main_wait_<cause>_ms`. Together they are `main_waiting_ms`.
  package static let waitCauses = ["parent", "coordinator", "sqlite", "queue", "other"]

  /// The lengths, in ms, of the columns `gaps_over_<n>ms`.
  static let gapLimits = [8, 16, 50, 100, 250]

  private static let window: [MetricDefinition] = [
    .init("total_ms", "ms", .time, "from the first change submitted until durable and on screen"),
    .init("saved_ms", "ms", .time, "until the last apply returned"),
    .init("durable_ms", "ms", .time, "until the last change was committed to SQLite"),
    .init("visible_ms", "ms", .time, "until the first frame that shows the final rows"),
  ]

  private static let blocked: [MetricDefinition] =
    [
      .init("main_blocked_ms", "ms", .time, "main's time in the database: executing and waiting"),
      .init("main_executing_ms", "ms", .time, "the part of it that main worked, syncs included"),
      .init("main_waiting_ms", "ms", .time, "the part of it that main stood waiting"),
    ]
    + zip(waitCauses, waitMeanings).map { cause, meaning in
      .init("main_wait_\(cause)_ms", "ms", .time, meaning)
    }

  private static let waitMeanings = [
    "waiting for a parent context's queue",
    "waiting for the coordinator's lock",
    "waiting for SQLite: another connection held its lock",
    "waiting for a private queue that is not a parent's",
    "waiting for anything else",
  ]

  private static let blocks: [MetricDefinition] =
    [
      .init("main_longest_gap_ms", "ms", .time, "the longest that main served no event"),
      .init("longest_gap_cause", "", .label, better: .neither, "what most of that block was"),
      .init("longest_gap_at_ms", "ms", .time, better: .neither, "when that block began"),
      .init("main_longest_busy_ms", "ms", .time, "the longest that main never went idle"),
    ]
    + gapLimits.map { limit in
      .init("gaps_over_\(limit)ms", "", .count, "blocks longer than \(limit) ms")
    } + [
      .init("hangs_over_250ms", "", .count, "busy periods longer than 250 ms"),
      .init("main_tbt50_ms", "ms", .time, "sum of what each block exceeds 50 ms by"),
    ]

  private static let frames: [MetricDefinition] = [
    .init("hitch_ms", "ms", .time, "sum of how late each frame was presented"),
    .init("hitch_ms_per_s", "ms/s", .rate, "the same per second of horizon; under 5 is good"),
    .init("frames_due", "", .count, better: .neither, "frames that were due"),
    .init("frames_late", "", .count, "frames presented after the next was due"),
  ]

  private static let heartbeats: [MetricDefinition] = [
    .init("heartbeat_p50_ms", "ms", .percentile, "lateness of a no-op due each ms: median"),
    .init("heartbeat_p99_ms", "ms", .percentile, "the same, 99th percentile (from 100 beats)"),
    .init("heartbeat_p999_ms", "ms", .percentile, "the same, 99.9th percentile (from 1,000 beats)"),
    .init("heartbeat_max_ms", "ms", .time, "the same, worst"),
    .init("heartbeat_wake_p99_ms", "ms", .percentile, "of beats due while main was idle: noise"),
  ]

  private static let taps: [MetricDefinition] = [
    .init("tap_mean_ms", "ms", .time, "wait of a tap at a random instant of the horizon: mean"),
    .init("tap_p50_ms", "ms", .percentile, "the same, median"),
    .init("tap_p95_ms", "ms", .percentile, "the same, 95th percentile"),
    .init("tap_p99_ms", "ms", .percentile, "the same, 99th percentile"),
    .init("tap_max_ms", "ms", .time, "the same, worst"),
    .init("tap_area_ms2", "ms²", .area, "half the sum of the squares of the blocks"),
  ]

  private static let mainThread: [MetricDefinition] = [
    .init("main_cpu_ms", "ms", .time, "CPU time of the main thread"),
    .init("main_runqueue_ms", "ms", .time, "main was runnable, but another thread had the core"),
    .init("main_ui_ms", "ms", .time, "drawing, at the cost that the scenario states"),
    .init(
      "main_deferred_ms", "ms", .time, "a scroll through the list afterwards: what was put off"),
    .init("main_checkpoint_ms", "ms", .time, "WAL checkpoints that ran on main"),
  ]

  private static let counts: [MetricDefinition] = [
    .init("main_statements", "", .count, exact: true, "SQL statements on main"),
    .init("main_commits", "", .count, exact: true, "commits on main"),
    .init("main_rows_read", "", .count, exact: true, "rows read on main"),
    .init("main_rows_written", "", .count, exact: true, "rows written on main"),
    .init("main_objects_copied", "", .count, exact: true, "objects pushed up into main"),
    .init("main_objects_refreshed", "", .count, exact: true, "objects refreshed by a merge"),
    .init("main_faults_fired", "", .count, exact: true, "faults fired on main"),
    .init("main_list_changes", "", .count, exact: true, "changes delivered to the list"),
  ]

  private static let cell: [MetricDefinition] = [
    .init("process_cpu_ms", "ms", .time, "CPU time of the whole cell"),
    .init("peak_rss_mib", "MiB", .size, "peak memory of the whole cell"),
    .init("store_mib", "MiB", .size, "size of the store on disk"),
    .init("context_switches_involuntary", "", .count, "times that a thread was preempted"),
    .init("changes_per_s", "1/s", .rate, better: .higher, "changes per second of the window"),
    .init("raw_sqlite_ms", "ms", .time, better: .neither, "the same work by SQLite's C API alone"),
    .init("sync_ms", "ms", .time, better: .neither, "one fsync where the store lies"),
  ]

  private static let added: [MetricDefinition] = [
    .init("delivered_ms", "ms", .time, "until the list on main was told of the last change"),
    .init("self_check_reruns", "", .count, "times the cell was run again: its clocks disagreed"),
    .init("unsteady_counts", "", .label, better: .neither, "exact counts that differ by repeat"),
    .init("pair", "", .label, better: .neither, "in a duet: the pair that the cell belongs to"),
    .init("side", "", .label, better: .neither, "in a duet: baseline or candidate"),
    .init("phase", "", .label, better: .neither, "in a duet: what the pair was measured for"),
    .init(
      "visible_rows_ms", "ms", .time,
      "until the rows on screen were the final ones"),
    .init(
      "self_check_unexplained_ms", "ms", .time, better: .neither,
      "main's time that the gaps do not account for"),
  ]
}
