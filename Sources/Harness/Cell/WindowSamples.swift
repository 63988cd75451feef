import Measurement
import Queues
import Topologies

extension TopologyDescriptor.Kind {
  /// The columns of counts that do not apply to this kind of topology.
  var unmeasured: Set<String> {
    switch self {
    case .contexts, .antiPattern: []
    // A peer has no objects to copy, refresh or realise.
    case .peer: ["main_objects_copied", "main_objects_refreshed", "main_faults_fired"]
    }
  }
}

extension WindowSample {
  /// Main's work in a window, in milliseconds since the window opened.
  ///
  /// - Parameter unmeasured: the columns of counts that were not measured; they stay empty.
  init(
    _ recording: MainQueueRecording, frameInterval: Duration, total: Double, changes: Int,
    unmeasured: Set<String> = []
  ) {
    self.init(total: total, changes: changes)
    let opened = recording.opened
    gaps = recording.gaps.map { gap in
      GapSample(
        start: (gap.start - opened).milliseconds, duration: gap.duration.milliseconds,
        cause: gap.use.mostly)
    }
    busyPeriods = recording.busyPeriods.map { period in
      PeriodSample(
        start: (period.start - opened).milliseconds, duration: period.duration.milliseconds)
    }
    executing = Self.milliseconds(recording.use.databaseExecuting)
    for cause in WaitCause.allCases {
      waits[cause.rawValue] = Self.milliseconds(recording.use[cause])
    }
    ui = Self.milliseconds(recording.use[.ui])
    checkpoint = Self.milliseconds(recording.checkpoints)
    self.frameInterval = frameInterval.milliseconds
    framesDue = recording.framesDue
    frames = recording.frames.map { frame in
      FrameSample(
        due: (frame.due - opened).milliseconds,
        presented: (frame.presented - opened).milliseconds)
    }
    heartbeats = recording.beats.map(\.lateness.milliseconds)
    wakeHeartbeats = recording.beats.filter(\.foundMainWaiting).map(\.lateness.milliseconds)
    cpu = recording.cpu.map(Self.milliseconds)
    runqueue = recording.runqueue.map(Self.milliseconds)
    counts = Self.counts(of: recording).filter { !unmeasured.contains($0.key) }
  }

  private static func milliseconds(_ nanoseconds: Int64) -> Double { Double(nanoseconds) / 1e6 }

  private static func counts(of recording: MainQueueRecording) -> [String: Int] {
    let columns: [(String, ActivityCounter)] = [
      ("main_statements", .statements), ("main_commits", .commits),
      ("main_rows_read", .rowsRead), ("main_rows_written", .rowsWritten),
      ("main_objects_copied", .objectsCopied), ("main_objects_refreshed", .objectsRefreshed),
      ("main_faults_fired", .faultsFired), ("main_list_changes", .listChanges),
    ]
    return Dictionary(
      uniqueKeysWithValues: columns.map { ($0, recording.counts[$1, default: 0]) })
  }
}
