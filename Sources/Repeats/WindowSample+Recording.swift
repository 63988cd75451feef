import Foundation
import Measurement
import Queues
import Topologies

extension TopologyDescriptor.Kind {
  var unmeasured: Set<Metric> {
    switch self {
    case .contexts, .antiPattern: []
    // A peer has no objects to copy, refresh or realise.
    case .peer: [.mainObjectsCopied, .mainObjectsRefreshed, .mainFaultsFired]
    }
  }
}

extension WindowSample {
  /// `unmeasured` counts stay empty.
  init(
    _ recording: MainQueueRecording, frameInterval: Duration, total: Double, changes: Int,
    unmeasured: Set<Metric> = []
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
      waits[cause.name] = Self.milliseconds(recording.use[cause])
    }
    ui = Self.milliseconds(recording.use[.ui])
    checkpoint = Self.milliseconds(recording.checkpoints)
    priced = recording.priced.map(Self.milliseconds)
    self.frameInterval = frameInterval.milliseconds
    framesDue = recording.framesDue
    framesLate = recording.framesLate
    frames = recording.frames.map { frame in
      FrameSample(
        due: (frame.due - opened).milliseconds, presented: (frame.presented - opened).milliseconds)
    }
    heartbeats = recording.beats.map(\.lateness.milliseconds)
    wakeHeartbeats = recording.beats.filter(\.foundMainWaiting).map(\.lateness.milliseconds)
    cpu = recording.cpu.map(Self.milliseconds)
    runqueue = recording.runqueue.map(Self.milliseconds)
    gapRunqueue = recording.runqueue.map { _ in Self.milliseconds(recording.workRunqueue) }
    counts = Self.counts(of: recording).filter { !unmeasured.contains($0.key) }
    created = unmeasured.isEmpty ? recording.counts[.objectsCreated, default: 0] : nil
    workerStatements = recording.workerStatements
  }

  private static func milliseconds(_ nanoseconds: Int64) -> Double { Double(nanoseconds) / 1e6 }

  private static func counts(of recording: MainQueueRecording) -> [Metric: Int] {
    Dictionary(
      uniqueKeysWithValues: Metrics.counters.map { ($0, recording.counts[$1, default: 0]) })
  }
}

/// Compares the two clocks that watch main: its own records, and the beats.
package struct ClockAgreement: Sendable {
  /// The number of beats whose lateness the gaps do not explain.
  private(set) var lateBeats = 0
  /// The lateness that gaps and run-queue delay do not explain, in nanoseconds.
  private(set) var unexplained: Int64 = 0

  init(_ recording: MainQueueRecording) {
    lateBeats = recording.disagreements
    unexplained = recording.unexplained
  }

  package init(_ repeats: [ClockAgreement]) {
    for one in repeats {
      lateBeats += one.lateBeats
      unexplained += one.unexplained
    }
  }

  package var unexplainedMilliseconds: Double { Double(unexplained) / 1e6 }

  package var doubt: String {
    let time = String(format: "%.1f", unexplainedMilliseconds)
    return "\(lateBeats) beat(s) were answered too long after the gap that they came due in, which"
      + " leaves \(time) ms of main's time unexplained"
  }

  package var holds: Bool { lateBeats == 0 }
}
