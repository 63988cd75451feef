extension Metric {
  package static let mainCPU = time("main_cpu_ms", "CPU time of the main thread", \.window.cpu)
  package static let mainRunqueue = time(
    "main_runqueue_ms", "time in which main could run but had no processor", \.window.runqueue)
  package static let mainUI = time(
    "main_ui_ms", "main's time drawing, at the cost that the scenario states", \.window.ui)
  package static let mainDeferred = time(
    "main_deferred_ms", "main's database time in a later scroll: what was put off",
    \.window.scroll?.blocked)
  package static let mainCheckpoint = time(
    "main_checkpoint_ms", "main's time in checkpoints of the WAL", \.window.checkpoint)

  static let mainThread = [mainCPU, mainRunqueue, mainUI, mainDeferred, mainCheckpoint]
}

extension Metric {
  package static let mainStatements = exactCount("main_statements", "SQL statements on main")
  package static let mainCommits = exactCount("main_commits", "commits on main")
  package static let mainRowsRead = exactCount("main_rows_read", "rows read on main")
  package static let mainRowsWritten = exactCount("main_rows_written", "rows written on main")
  package static let mainObjectsCopied = exactCount(
    "main_objects_copied", "objects pushed up into the main context")
  package static let mainObjectsRefreshed = exactCount(
    "main_objects_refreshed", "objects refreshed on main by a merge or a live query")
  package static let mainFaultsFired = exactCount("main_faults_fired", "faults fired on main")
  package static let mainListChanges = exactCount(
    "main_list_changes", "inserts, deletes, moves and updates told to the list")

  static let counts = [
    mainStatements, mainCommits, mainRowsRead, mainRowsWritten, mainObjectsCopied,
    mainObjectsRefreshed, mainFaultsFired, mainListChanges,
  ]

  private static func exactCount(_ name: String, _ meaning: String) -> Metric {
    exactCount(name, meaning) { $0.counts[Metric(named: name)] }
  }

  fileprivate static func exactCount(
    _ name: String, _ meaning: String, _ count: @escaping @Sendable (WindowSample) -> Int?
  ) -> Metric { Metric(name, "", .count, meaning, .count(count)) }
}

extension Metric {
  package static let processCPU = Metric(
    "process_cpu_ms", "ms", .time, "CPU time of the whole cell", .cell { $0.process.cpu })
  package static let peakRSS = Metric(
    "peak_rss_mib", "MiB", .size, "peak memory of the cell before its opened lists are compared",
    .cell { $0.process.peakRSSMiB })
  package static let storeSize = Metric(
    "store_mib", "MiB", .size, "size of the store on disk", .cell { $0.process.storeMiB })
  package static let involuntaryContextSwitches = Metric(
    "context_switches_involuntary", "", .count, "times that a thread was preempted",
    .cell { $0.process.involuntaryContextSwitches.map(Double.init) })
  package static let changesPerSecond = Metric(
    "changes_per_s", "1/s", .rate, better: .higher, "changes per second of the window",
    .median { $0.window.total > 0 ? Double($0.window.changes) / $0.window.total * 1000 : nil })
  package static let rawSQLite = Metric(
    "raw_sqlite_ms", "ms", .time, better: .neither,
    "how long SQLite's C API alone takes for the changes",
    .cell { Statistics.median($0.process.rawSQLite) })
  package static let sync = Metric(
    "sync_ms", "ms", .time, better: .neither, "time of one fsync where the store lies",
    .cell { $0.process.sync })

  static let cell = [
    processCPU, peakRSS, storeSize, involuntaryContextSwitches, changesPerSecond, rawSQLite, sync,
  ]
}

extension Metric {
  package static let delivered = time(
    "delivered_ms", "from the first change until main's list has the last one", \.window.delivered)
  package static let selfCheckReruns = Metric(
    "self_check_reruns", "", .count, "times the cell was run again: its clocks disagreed",
    .cell { Double($0.process.selfCheckReruns) })
  package static let unsteadyCounts = Metric(
    "unsteady_counts", "", .label, better: .neither, "exact counts that differ between repeats",
    .text(\.unsteadyCountsText))
  package static let pair = Metric(
    "pair", "", .label, better: .neither, "in a duet: the pair that the cell belongs to", .duet)
  package static let side = Metric(
    "side", "", .label, better: .neither, "in a duet: baseline or candidate", .duet)
  package static let phase = Metric(
    "phase", "", .label, better: .neither, "in a duet: what the pair was measured for; or count",
    .duet)
  package static let visibleRows = time(
    "visible_rows_ms", "from the first change until the rows on screen are final",
    \.window.visibleRows)
  package static let selfCheckUnexplained = Metric(
    "self_check_unexplained_ms", "ms", .time, better: .neither,
    "main's time that the gaps do not account for", .cell { $0.process.selfCheckUnexplained })
  package static let blockedPerChange = Metric(
    "main_blocked_us_per_change", "µs", .rate, "main's time in the database for each change",
    .median { $0.window.changes > 0 ? $0.window.blocked / Double($0.window.changes) * 1000 : nil })
  package static let walSize = Metric(
    "wal_mib", "MiB", .size, "size that the store's WAL reached in the window",
    .median { $0.window.walMiB })
  package static let saveLateMedian = Metric(
    "save_late_p50_ms", "ms", .percentile, "how late saves begin that are due at a rate: median",
    .median { sample in sample.window.saveLateness.flatMap { Statistics.median($0) } })
  package static let saveLateMax = Metric(
    "save_late_max_ms", "ms", .time, "how late saves begin that are due at a rate: worst",
    .median { $0.window.saveLateness?.max() })
  package static let mainStaleObjects = exactCount(
    "main_stale_objects", "objects on main that show an old value at the end")

  package static let mainPriced = time(
    "main_priced_ms", "main's time that prices charge while changes arrive",
    \.window.priced)
  package static let mainGapRunqueue = time(
    "main_gap_runqueue_ms", "time in which main's work waited for a processor",
    \.window.gapRunqueue)

  package static let workerStatements = Metric(
    "worker_statements", "", .count, "SQL statements on all threads but main",
    .median { $0.window.workerStatements.map(Double.init) })
  package static let mainObjectsCreated = Metric(
    "main_objects_created", "", .count, "objects that a merge created on main",
    .median { $0.window.created.map(Double.init) })

  package static let answerMedian = Metric(
    "answer_p50_ms", "ms", .percentile,
    "from a count or search until main read its answer: median",
    .median { sample in sample.window.answers.flatMap { Statistics.median($0) } })
  package static let answerMax = time(
    "answer_max_ms", "from a count or search until main read its answer: worst"
  ) { $0.window.answers?.max() }
  package static let answersDropped = Metric(
    "answers_dropped", "", .count, "answers that a later letter of the search overtook",
    .median { $0.window.answersDropped.map(Double.init) })

  package static let orphans = exactCount(
    "orphans", "rows that stay because a deletion skipped delete rules")

  /// Metrics of later versions. Older reports lack the newest.
  package static let added =
    [
      delivered, selfCheckReruns, unsteadyCounts, pair, side, phase, visibleRows,
      selfCheckUnexplained, blockedPerChange, walSize, saveLateMedian, saveLateMax,
      mainStaleObjects, mainPriced,
    ] + instructions + instructionParts + [mainGapRunqueue, workerStatements, mainObjectsCreated]
    + opening + scrolling + phaseInstructions + [
      asksAbout, answerMedian, answerMax, answersDropped, orphans,
    ]
}

// The phases of a screen before and after the window. `main_deferred_ms` is the time blocked in the
// scroll.
extension Metric {
  package static let openBlocked = time(
    "open_blocked_ms", "main's time in the database while the list opens", \.window.open?.blocked)
  package static let openVisible = time(
    "open_visible_ms", "from before the store is opened until rows are on screen",
    \.window.open?.visible)
  private static let open = PhaseMetrics("open", "while the list opens") { $0.open }
  private static let scroll = PhaseMetrics("scroll", "in a later scroll") { $0.scroll }

  package static let openLongestGap = open.longestGap
  package static let openStatements = open.statements
  package static let openRowsRead = open.rowsRead
  package static let scrollLongestGap = scroll.longestGap
  package static let scrollStatements = scroll.statements
  package static let scrollRowsRead = scroll.rowsRead

  /// The metrics that every phase has.
  private struct PhaseMetrics {
    let longestGap: Metric
    let statements: Metric
    let rowsRead: Metric

    init(
      _ name: String, _ place: String, _ sample: @escaping @Sendable (WindowSample) -> PhaseSample?
    ) {
      longestGap = time("\(name)_longest_gap_ms", "the longest gap \(place)") {
        sample($0.window)?.longestGap
      }
      statements = exactCount("\(name)_statements", "SQL statements on main \(place)") {
        sample($0)?.statements
      }
      rowsRead = exactCount("\(name)_rows_read", "rows read on main \(place)") {
        sample($0)?.rowsRead
      }
    }
  }

  /// Nil in older reports, which ask about changes.
  package static let asksAbout = Metric(
    "asks_about", "", .label, better: .neither, "the phase that answers rank: open, change, scroll",
    .text(\.asksAbout))

  static let opening = [openBlocked, openLongestGap, openStatements, openRowsRead, openVisible]
  static let scrolling = [scrollLongestGap, scrollStatements, scrollRowsRead]
}

// Callgrind counts instructions in a cell of its own. The parent process fills in these metrics.
extension Metric {
  package static let mainInstructions = instructionCount(
    "main_instructions", "instructions in main's database work")
  package static let workerInstructions = instructionCount(
    "worker_instructions", "instructions in the workers' blocks")

  package static let instructions = [mainInstructions, workerInstructions]

  package static let openInstructions = instructionCount(
    "open_instructions", "instructions in main's database work while the list opens")
  package static let scrollInstructions = instructionCount(
    "scroll_instructions", "instructions in main's database work in a later scroll")
  /// Counted if the scenario asks about the phase.
  package static let phaseInstructions = [openInstructions, scrollInstructions]

  package static let countedParts = ["merge", "list", "push-up", "fetch", "save", "fault"]

  package static let instructionParts = countedParts.map { part in
    instructionCount(
      "main_\(part.replacing("-", with: "_"))_instructions", "main's instructions in \(part) alone")
  }

  /// Whether callgrind counts it.
  package var isInstructions: Bool { name.hasSuffix("_instructions") }

  /// Whether it is judged as a count, without statistics.
  package var isCount: Bool { isIndependentOfScheduling || isInstructions }

  /// Whether answers show it without fractions. A row's mean of two middle repeats may have one.
  package var isWhole: Bool { isCount || self == .framesDue || self == .framesLate }

  /// How far a count of equal work may differ. For instructions the larger of 1 % and 200,000.
  ///
  /// The last thread to release a context frees its objects. So in `5000-cities-replace` at smoke
  /// size main's 1.2 million instructions in `thread-confinement` differed by 83,000. The largest
  /// difference of one build was 193,000.
  package func slack(of count: Double) -> Double {
    isInstructions ? max(count * slackShare, 200_000) : 0
  }

  package var slackShare: Double { isInstructions ? 0.01 : 0 }

  private static func instructionCount(_ name: String, _ meaning: String) -> Metric {
    Metric(name, "", .count, meaning, .cell { _ in nil })
  }
}
