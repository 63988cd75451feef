/// Accounts for main's time. Main's thread alone calls it, at each step of a turn. Outside a window
/// it tracks only the open slices and reads no clock.
package final class MainRecorder: ActivityRecorder {
  private var ledger = SliceLedger()
  private var twoClocks = TwoClocks()
  private var recording: MainQueueRecording?
  private var lists = Lists()
  /// `timeline`, unretained for speed: `timeline` keeps it alive.
  @exclusivity(unchecked) private var writer: Unmanaged<ThreadTimeline>?
  private var counts = [Int](repeating: 0, count: ActivityCounter.allCases.count)
  private var times: ThreadTimes?
  /// Nil in a timed cell.
  private var counter: SliceCounter?

  private var gapStart: Instant?
  private var gapRunqueue: Int64?
  private var didWork = false
  private var busyStart: Instant?
  private var busyRunqueue: Int64?
  private var busyDidWork = false
  /// Main's run-queue delay in ns, as of when the last gap began or ended.
  private var lastRunqueue: Int64?

  package var opened: Instant? { recording?.opened }

  /// Measures the calling thread's CPU time and run-queue delay as main's.
  package func watchThread() { times = ThreadTimes() }

  func count(_ slices: CountedSlices) { counter = SliceCounter(slices) }

  // MARK: Activity of the thread

  package override func begin(_ tag: SliceTag) {
    // Observers may do database work in a turn without blocks.
    if tag.isDatabase, !didWork, gapStart != nil { willWork() }
    begin(tag, at: nowIfRecording)
    if counter != nil { counter?.begin(tag) }
  }

  package override func end() {
    if account != nil, ledger.isOutermost { pay() }
    if counter != nil { counter?.end() }
    end(at: nowIfRecording)
  }

  private func begin(_ tag: SliceTag, at now: Instant) {
    ledger.begin(tag, at: now)
    writer?._withUnsafeGuaranteedRef {
      $0.begin(
        .slice, at: now, code: UInt8(truncatingIfNeeded: tag.rawValue), statements: statements)
    }
  }

  private func end(at now: Instant) {
    ledger.end(at: now)
    writer?._withUnsafeGuaranteedRef { $0.end(at: now, statements: statements) }
  }

  private var statements: Int { counts[ActivityCounter.statements.rawValue] }

  package override func willWait(for cause: WaitCause, at start: Instant) {
    ledger.willWait(for: cause, at: start)
    timeline?.begin(.wait, at: start, code: UInt8(cause.rawValue))
  }

  package override func waited(_ cause: WaitCause, from start: Instant, to end: Instant) {
    ledger.end(at: end)
    timeline?.end(at: end)
  }

  package override func count(_ counter: ActivityCounter, _ amount: Int) {
    counts[counter.rawValue] += amount
    account?.charge(counter, amount)
  }

  package override func checkpointed(from start: Instant, to end: Instant) {
    recording?.checkpoints += end.nanoseconds - start.nanoseconds
    timeline?.begin(.checkpoint, at: start)
    timeline?.end(at: end)
  }

  private var nowIfRecording: Instant { recording == nil ? ledger.mark : clock.now() }

  // MARK: Serving events

  /// Main leaves the wait.
  package func woke(at now: Instant) {
    busyStart = now
    busyRunqueue = nil
    busyDidWork = false
    if gapStart == nil { begin(.harness, at: now) }
  }

  /// Main begins to wait, and now serves events at once.
  ///
  /// - Parameter isDue: whether an event came due since main stopped serving. The gap then lasts
  ///   until main serves that event.
  package func willWait(at now: Instant, isDue: Bool = false) {
    if !isDue {
      closeGap(at: now)
    } else if busyDidWork {
      readRunqueue()
    }
    end(at: now)
    // The time until main leaves the wait belongs to this gap and to no busy period.
    if isDue { begin(.harness, at: now) }
    if busyDidWork { recordBusyPeriod(until: now) }
    busyStart = nil
  }

  /// A gap begins: main has served the due events, and later events wait.
  ///
  /// - Parameter work: whether main has work already. Otherwise a gap is recorded only if it
  ///   exceeds the clocks' tolerance, because the machine held main up.
  package func stoppedServing(at now: Instant, work: Bool) {
    gapStart = now
    gapRunqueue = nil
    didWork = false
    if work { willWork() }
  }

  package func willWork() {
    guard !didWork else { return }
    didWork = true
    guard recording != nil else { return }
    gapRunqueue = readRunqueue()
    if !busyDidWork {
      busyDidWork = true
      busyRunqueue = gapRunqueue
    }
  }

  /// Ends the gap: main serves events again, or waits.
  package func closeGap(at now: Instant) {
    guard let start = gapStart else { return }
    gapStart = nil
    guard recording != nil else { return }
    ledger.account(until: now)
    let length = now.nanoseconds - start.nanoseconds
    if length > (didWork ? 0 : TwoClocks.tolerance) {
      let delay = difference(readRunqueue(), gapRunqueue)
      lists.gaps.append(.init(start: start, end: now, use: ledger.use, runqueue: delay))
      twoClocks.recorded(gapFrom: start, to: now)
    }
    recording?.use += ledger.use
    ledger.clear()
  }

  private func recordBusyPeriod(until now: Instant) {
    guard recording != nil, let start = busyStart, now > start else { return }
    let delay = difference(lastRunqueue, busyRunqueue)
    lists.busyPeriods.append(.init(start: start, end: now, runqueue: delay))
  }

  @discardableResult
  private func readRunqueue() -> Int64? {
    lastRunqueue = times?.runqueue()
    return lastRunqueue
  }

  private func difference(_ end: Int64?, _ start: Int64?) -> Int64? {
    guard let end, let start else { return nil }
    return end - start
  }

  // MARK: Beats and frames

  package func answered(
    beatDue due: Instant, at now: Instant, every period: Int64, foundMainWaiting: Bool
  ) {
    guard let opened, due >= opened else { return }
    lists.beats.append(.init(due: due, answered: now, foundMainWaiting: foundMainWaiting))
    guard !foundMainWaiting else { return }
    let late = twoClocks.unexplained(beatDue: due, answered: now, period: period)
    guard late > 0 else { return }
    // Reading the kernel's run-queue delay takes time, so it is read here only for unexplained
    // lateness.
    let delay = difference(times?.runqueue(), lastRunqueue) ?? 0
    guard late > delay else { return }
    recording?.disagreements += 1
    let whole = late - delay + period + TwoClocks.tolerance
    recording?.unexplained += twoClocks.newlyUnexplained(whole, answered: now)
  }

  package func presented(_ frame: FrameSchedule.Presentation, at now: Instant) {
    if recording != nil { lists.frames.append(.init(due: frame.due, presented: now)) }
    wasDue(frame)
  }

  /// The window closes before a due frame is presented.
  package func missed(_ frame: FrameSchedule.Presentation) { wasDue(frame) }

  private func wasDue(_ frame: FrameSchedule.Presentation) {
    recording?.framesDue += frame.count
    recording?.framesLate += frame.late
  }

  // MARK: Windows

  private struct Lists {
    var gaps = ChunkedLog<MainQueueRecording.ServiceGap>()
    var busyPeriods = ChunkedLog<MainQueueRecording.BusyPeriod>()
    var beats = ChunkedLog<MainQueueRecording.Beat>()
    var frames = ChunkedLog<MainQueueRecording.Frame>()

    mutating func join(_ recording: inout MainQueueRecording) {
      recording.gaps = gaps.all
      recording.busyPeriods = busyPeriods.all
      recording.beats = beats.all
      recording.frames = frames.all
      self = Lists()
    }
  }

  /// Starts a recording. A gap or busy period in progress counts from now.
  package func open(
    at now: Instant, writing thread: ThreadTimeline? = nil, isCounted: Bool = true
  ) {
    ledger.account(until: now)
    ledger.clear()
    twoClocks = TwoClocks()
    for index in counts.indices { counts[index] = 0 }
    recording = MainQueueRecording(opened: now, closed: now)
    recording?.workerStatements = Activity.workerStatements
    account?.open()
    recording?.runqueue = readRunqueue()
    recording?.cpu = times?.cpu()
    if gapStart != nil { gapStart = now }
    if busyStart != nil { busyStart = now }
    gapRunqueue = lastRunqueue
    busyRunqueue = lastRunqueue
    busyDidWork = didWork
    if isCounted { counter?.openWindow() }
    timeline = thread
    writer = thread.map { .passUnretained($0) }
    guard let thread else { return }
    thread.timeline.open(at: now)
    ledger.begin(on: thread, at: now, statements: statements)
  }

  /// Ends the gap here: main's later work is not recorded.
  package func cutGap(at now: Instant) {
    guard gapStart != nil else { return }
    closeGap(at: now)
    gapStart = now
  }

  /// - Precondition: a window is open.
  package func close(at now: Instant) -> MainQueueRecording {
    counter?.closeWindow()
    cutGap(at: now)
    timeline?.timeline.close(at: now)
    writer = nil
    timeline = nil
    let delay = readRunqueue()
    if busyDidWork { recordBusyPeriod(until: now) }
    guard var recording else { fatalError("no window is open; call openWindow first") }
    recording.closed = now
    recording.workerStatements = Activity.workerStatements - recording.workerStatements
    recording.priced = account?.paid
    recording.runqueue = difference(delay, recording.runqueue)
    recording.cpu = difference(times?.cpu(), recording.cpu)
    for counter in ActivityCounter.allCases where counts[counter.rawValue] != 0 {
      recording.counts[counter] = counts[counter.rawValue]
    }
    self.recording = nil
    lists.join(&recording)
    return recording
  }
}
