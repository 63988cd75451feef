import DequeModule

// A turn of main's run loop, after CFRunLoop:
//
//        ┌─▶ serve events that are due (taps, heartbeats)      ◀─ main serves: a tap waits no longer
//        │   run the blocks that were queued when the turn began     ┐
//        │   pending changes; deliveries to the list                 │ service gap
//        │   layout and commit of a frame, if one is due             ┘
//        ├── blocks queued? the next turn at once
//        └── wait until something is queued or due             ◀─ main serves, unless something is due
//
// The same turn runs on a thread of its own against the machine's clock, and in tests on the caller's
// thread against a clock that waiting turns.

/// What the main queue shows. On the main queue only.
package protocol MainScreen: AnyObject {
  /// Since when the screen shows something old; nil if it does not. While it scrolls, that is the
  /// last frame's commit.
  var frameNeededSince: Instant? { get }
  /// Whether every tick of the display is a frame that is due.
  var isScrolling: Bool { get }
  func layoutAndCommit()
}

/// An app's main queue: a run loop on one thread, whose every millisecond is accounted for.
///
/// From `start` until `stop` its thread keeps it alive.
// @unchecked: `inbox` and `observers` lock; everything else that changes is confined to the thread
// that runs turns.
public final class SimulatedMainQueue: RunLoopQueue, Labelled, @unchecked Sendable {
  public let label = "main"
  public let clock: any MonotonicClock
  let inbox: Inbox
  private let timeline: Timeline?
  let recorder: MainRecorder
  private let beats: Grid
  package var frames: Grid { schedule.ticks }
  /// Whether a beat is served at all; off, main sleeps until there is work.
  private let hasBeats: Bool

  private let observers = Lock<[@Sendable () -> Void]>([])
  private weak var screen: (any MainScreen)?
  private var nextBeat: Instant
  private var schedule: FrameSchedule
  private var waitStart: Instant?

  /// - Parameters:
  ///   - frameRate: ticks of the display per second.
  ///   - heartbeat: the distance of the no-ops that find out when main answers; nil for none.
  package init(
    clock: any MonotonicClock = SystemClock(), frameRate: Double = 60,
    heartbeat: Duration? = .milliseconds(1)
  ) {
    let now = clock.now()
    self.clock = clock
    timeline = Timeline.current
    inbox = Inbox(timeline)
    recorder = MainRecorder(clock: clock)
    hasBeats = heartbeat != nil
    beats = Grid(origin: now, period: heartbeat ?? .seconds(1))
    schedule = FrameSchedule(
      ticks: Grid(origin: now, periodNanoseconds: Int64(1e9 / frameRate)))
    nextBeat = beats.next(after: now)
  }

  /// One that runs blocks and nothing else: no beats that find out when it answers.
  public static func unwatched() -> SimulatedMainQueue { SimulatedMainQueue(heartbeat: nil) }

  public var isCurrent: Bool { HeldQueues.current.contains(self) }

  public func async(_ block: @escaping @Sendable () -> Void) {
    inbox.post(timeline?.handingOn(block) ?? block)
  }

  public func sync<R>(waitingAs cause: WaitCause, _ block: () throws -> R) rethrows -> R {
    if isCurrent { return try block() }
    return try inbox.run(block, waitingAs: cause)
  }

  public func addPendingChangesObserver(_ body: @escaping @Sendable () -> Void) {
    observers.withLock { $0.append(body) }
  }
}

// MARK: - On the main queue

extension SimulatedMainQueue {
  /// What is drawn. Held weakly. On the main queue, or before it started.
  package func show(_ screen: any MainScreen) {
    self.screen = screen
    schedule.forget()
  }

  /// Runs `handler` as what the user does at `instant`, once main serves events after it.
  public func schedule(at instant: Instant, _ handler: @escaping @Sendable () -> Void) {
    inbox.schedule(at: instant, timeline?.handingOn(handler) ?? handler)
  }

  public func nextTick(after instant: Instant) -> Instant? {
    screen == nil ? nil : frames.next(after: instant)
  }

  /// Starts recording, on the main queue.
  ///
  /// - Parameter isRecorded: whether the timeline that this queue was made with, if it was, is to have
  ///   each event of the window. One window of a queue's at most.
  package func openWindow(isRecorded: Bool = false) {
    let thread = isRecorded ? timeline.map { ThreadTimeline($0, .main) } : nil
    recorder.open(at: clock.now(), writing: thread)
  }

  /// Stops recording, on the main queue. What is under way counts until now, and beats that came
  /// due meanwhile are answered now.
  ///
  /// - Precondition: a window is open.
  package func closeWindow() -> MainQueueRecording {
    let now = clock.now()
    recorder.cutGap(at: now)
    answerBeats(dueBy: now, at: now)
    scheduleFrame()
    if let screen,
      let frame = schedule.outstanding(
        at: now, isScrolling: screen.isScrolling, windowOpened: recorder.opened)
    {
      recorder.stillDue(frame)
    }
    return recorder.close(at: now)
  }

  /// Runs `body` as a slice of main's time; for what is not the storage core: drawing, measuring.
  package func slice<R>(_ tag: SliceTag, _ body: () throws -> R) rethrows -> R {
    recorder.begin(tag)
    defer { recorder.end() }
    return try body()
  }
}

// MARK: - A turn

extension SimulatedMainQueue {
  /// Main leaves the wait.
  func wake() {
    recorder.woke(at: clock.now())
  }

  /// One pass of the run loop.
  ///
  /// - Returns: whether blocks are queued already, so that the next turn follows at once.
  func turn() -> Bool {
    var blocks = serveEvents()
    // Each block goes, with what it holds, before the next one runs.
    while let block = blocks.popFirst() { block() }
    processPendingChanges()
    commitFrameIfDue()
    return inbox.hasBlocks
  }

  /// Answers what is due and takes the blocks that are queued.
  private func serveEvents() -> Deque<@Sendable () -> Void> {
    let now = clock.now()
    recorder.closeGap(at: now)
    if hasBeats, nextBeat <= now {
      recorder.begin(.heartbeat)
      // Read anew: when beats are answered is one of the two clocks that watch main.
      answerBeats(dueBy: now, at: clock.now())
      recorder.end()
    }
    waitStart = nil
    let blocks = inbox.take(dueBy: now)
    recorder.stoppedServing(at: now, work: !blocks.isEmpty || schedule.isDue(at: now))
    return blocks
  }

  private func answerBeats(dueBy now: Instant, at answered: Instant) {
    guard hasBeats else { return }
    while nextBeat <= now {
      recorder.answered(
        beatDue: nextBeat, at: answered, every: beats.period,
        foundWaiting: waitStart.map { nextBeat >= $0 } ?? false)
      nextBeat = Instant(nanoseconds: nextBeat.nanoseconds + beats.period)
    }
  }

  private func processPendingChanges() {
    for observer in observers.withLock({ $0 }) { observer() }
    scheduleFrame()
  }

  private func scheduleFrame() {
    guard let screen else { return schedule.forget() }
    if let since = screen.frameNeededSince { schedule.need(since: since) }
  }

  private func commitFrameIfDue() {
    guard let screen else { return }
    let now = clock.now()
    guard schedule.isDue(at: now) else { return }
    recorder.willWork()
    recorder.timeline?.begin(.frame, at: now)
    screen.layoutAndCommit()
    let presented = clock.now()
    recorder.timeline?.end(at: presented)
    let frame = schedule.present(
      at: presented, isScrolling: screen.isScrolling, windowOpened: recorder.opened)
    if let frame { recorder.presented(frame, at: presented) }
    // A commit may itself have changed what is to be shown.
    scheduleFrame()
  }

  /// Main waits from now on; until when, if nothing is queued. Nil: until something is.
  func prepareToWait() -> Instant? {
    let next = [hasBeats ? nextBeat : nil, schedule.due, inbox.nextEvent].compactMap { $0 }.min()
    let now = clock.now()
    // What came due while main worked waits until it is served, a pause of the machine's included.
    let isDue = next.map { $0 < now } ?? false
    recorder.willWait(at: now, isDue: isDue)
    waitStart = isDue ? nil : now
    return next
  }
}
