/// Keeps account of main's time: slices, service gaps, busy periods, beats, frames, counts. Confined
/// to the main queue's thread, which calls it at each step of a turn.
///
/// Outside a window it only follows which slices are open.
final class MainRecorder: ActivityRecorder {
  private var ledger = SliceLedger()
  private var recording: MainQueueRecording?
  private let times = ThreadTimes()

  private var gapStart: Instant?
  private var gapRunqueue: Int64?
  private var didWork = false
  private var busyStart: Instant?
  private var busyRunqueue: Int64?
  private var busyDidWork = false
  /// The gap that the beats served next came due in.
  private var lastGap: (start: Instant, end: Instant)?

  var isRecording: Bool { recording != nil }

  // MARK: What the thread does

  override func begin(_ tag: SliceTag) {
    ledger.begin(tag, at: clock.now())
  }

  override func end() {
    ledger.end(at: clock.now())
  }

  override func waited(_ cause: WaitCause, from start: Instant, to end: Instant) {
    ledger.waited(cause, from: start, to: end)
  }

  override func count(_ counter: ActivityCounter, _ amount: Int) {
    recording?.counts[counter, default: 0] += amount
  }

  override func checkpointed(from start: Instant, to end: Instant) {
    recording?.checkpoints += end.nanoseconds - start.nanoseconds
  }

  // MARK: Serving events and not

  /// Main left the wait.
  func woke(at now: Instant) {
    busyStart = now
    busyRunqueue = nil
    busyDidWork = false
    ledger.begin(.harness, at: now)
  }

  /// Main waits: it serves events, and nothing else.
  func willWait(at now: Instant) {
    closeGap(at: now)
    ledger.end(at: now)
    if busyDidWork, let start = busyStart, now > start {
      let runqueue = difference(times.runqueue(), busyRunqueue)
      recording?.busyPeriods.append(.init(start: start, end: now, runqueue: runqueue))
    }
    busyStart = nil
  }

  /// Main has served what was due and turns to work.
  ///
  /// - Parameter work: whether there is any; a turn without work makes no gap.
  func stoppedServing(at now: Instant, work: Bool) {
    gapStart = now
    didWork = false
    guard work else { return }
    willWork()
  }

  /// Work begins in this turn.
  func willWork() {
    guard !didWork else { return }
    didWork = true
    guard isRecording else { return }
    gapRunqueue = times.runqueue()
    if !busyDidWork {
      busyDidWork = true
      busyRunqueue = gapRunqueue
    }
  }

  /// Main serves events again, or waits.
  func closeGap(at now: Instant) {
    lastGap = nil
    guard let start = gapStart else { return }
    gapStart = nil
    guard recording != nil else { return }
    let use = ledger.take(at: now)
    recording?.use += use
    guard didWork, now > start else { return }
    let runqueue = difference(times.runqueue(), gapRunqueue)
    recording?.gaps.append(.init(start: start, end: now, use: use, runqueue: runqueue))
    lastGap = (start, now)
  }

  private func difference(_ end: Int64?, _ start: Int64?) -> Int64? {
    guard let end, let start else { return nil }
    return end - start
  }
}

// MARK: - Beats and frames

extension MainRecorder {
  /// How late a beat may be answered after the gap that it came due in, beside run-queue delay.
  private static let tolerance: Int64 = 100_000

  func answered(beatDue due: Instant, at now: Instant, every period: Int64, foundWaiting: Bool) {
    guard let opened = recording?.opened, due >= opened else { return }
    recording?.beats.append(.init(due: due, answered: now, foundMainWaiting: foundWaiting))
    guard let lastGap, due >= lastGap.start, due < lastGap.end else { return }
    let late = now.nanoseconds - lastGap.end.nanoseconds
    guard late > period + Self.tolerance else { return }
    // Only now is it worth asking the kernel how much of that was its own.
    let delay = difference(times.runqueue(), gapRunqueue) ?? 0
    if late > period + Self.tolerance + delay { recording?.disagreements += 1 }
  }

  /// - Parameter dueByNow: how many ticks were frames that were due, up to the one presented.
  func presented(frameDue due: Instant, at now: Instant, dueByNow: Int) {
    recording?.frames.append(.init(due: due, presented: now))
    recording?.framesDue += dueByNow
  }

  /// A frame was due and the window closes before it is presented.
  func frameStillDue() {
    recording?.framesDue += 1
  }
}

// MARK: - Windows

extension MainRecorder {
  /// Begins a recording. A gap or busy period that is under way counts from now.
  func open(at now: Instant) {
    _ = ledger.take(at: now)
    recording = MainQueueRecording(opened: now, closed: now)
    let runqueue = times.runqueue()
    recording?.runqueue = runqueue
    recording?.cpu = times.cpu()
    if gapStart != nil {
      gapStart = now
      gapRunqueue = runqueue
    }
    if busyStart != nil {
      busyStart = now
      busyRunqueue = runqueue
      busyDidWork = didWork
    }
  }

  /// Ends the recording; a gap or busy period that is under way is cut here.
  ///
  /// - Precondition: a window is open.
  func close(at now: Instant) -> MainQueueRecording {
    let wasGap = gapStart != nil
    closeGap(at: now)
    if wasGap { gapStart = now }
    guard var recording else { preconditionFailure("no window is open; call openWindow first") }
    let runqueue = times.runqueue()
    if busyDidWork, let start = busyStart, now > start {
      let delay = difference(runqueue, busyRunqueue)
      recording.busyPeriods.append(.init(start: start, end: now, runqueue: delay))
    }
    recording.use += ledger.take(at: now)
    recording.closed = now
    recording.runqueue = difference(runqueue, recording.runqueue)
    recording.cpu = difference(times.cpu(), recording.cpu)
    self.recording = nil
    return recording
  }
}
