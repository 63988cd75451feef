import DequeModule

// A turn of main's run loop, after CFRunLoop:
//
//        ┌─▶ serve due events (taps, heartbeats)       ◀─ main serves: a tap waits no longer
//        │   run the blocks that were queued when the turn began     ┐
//        │   process pending changes; notify the list                │ service gap
//        │   lay out and commit a frame, if one is due               ┘
//        ├── blocks queued? start the next turn at once
//        └── wait until something is queued or due       ◀─ main serves, unless an event is due
//
/// Use it on the main queue only.
package protocol MainScreen: AnyObject {
  /// Since when the content is out of date; nil if it is not. While the screen scrolls, the time of
  /// the last frame's commit.
  var frameNeededSince: Instant? { get }
  /// Whether a frame is due at every tick of the display.
  var isScrolling: Bool { get }
  func layoutAndCommit()
}

/// An app's main queue: a run loop on one thread. From `start` until `stop` the thread retains the
/// queue.
///
/// Example: `Snippets/child-context.swift`.
// @unchecked: `inbox` and `observers` lock. Only the thread that runs turns touches the rest.
public final class SimulatedMainQueue: RunLoopQueue, Labelled, @unchecked Sendable {
  public let label = "main"
  public let clock: any MonotonicClock
  let inbox: Inbox
  private let timeline: Timeline?
  let recorder: MainRecorder
  private let beats: Grid
  /// The display's ticks. Unlike `schedule`, for any thread.
  package let frames: Grid
  /// Without beats, main sleeps until there is work.
  private let hasBeats: Bool

  private let observers = Lock(Observers())
  private weak var screen: (any MainScreen)?
  private var nextBeat: Instant
  private var schedule: FrameSchedule
  private var waitStart: Instant?
  /// Whether frames wait for a tick. Otherwise the turn that needs a frame commits it.
  private let hasTicks: Bool

  /// - Parameters:
  ///   - frameRate: ticks of the display per second.
  ///   - heartbeat: the interval of the no-ops that measure main's response; nil for none.
  ///   - counted: the slices whose instructions are counted; nil in a timed cell. Each turn of a
  ///     counted cell commits the frame that it needs, so that the work does not depend on time.
  package init(
    clock: any MonotonicClock = SystemClock(), frameRate: Double = 60,
    heartbeat: Duration? = .milliseconds(1), counting counted: CountedSlices? = nil
  ) {
    let now = clock.now()
    self.clock = clock
    timeline = Timeline.current
    inbox = Inbox(timeline)
    recorder = MainRecorder(clock: clock)
    hasTicks = counted == nil
    if let counted { recorder.count(counted) }
    recorder.account = Prices.current.map { PriceAccount($0, isMain: true) }
    hasBeats = heartbeat != nil
    beats = Grid(origin: now, period: heartbeat ?? .seconds(1))
    frames = Grid(origin: now, period: .nanoseconds(Int64(1e9 / frameRate)))
    schedule = FrameSchedule(ticks: frames)
    nextBeat = beats.next(after: now)
  }

  /// A main queue without heartbeats: it only runs blocks.
  public static func unwatched() -> SimulatedMainQueue { SimulatedMainQueue(heartbeat: nil) }

  public var isCurrent: Bool { HeldQueues.current.contains(self) }

  public func async(_ block: @escaping @Sendable () -> Void) {
    inbox.post(timeline?.carryingChange(block) ?? block)
  }

  public func sync<R>(waitingAs cause: WaitCause, _ block: () throws -> R) rethrows -> R {
    if isCurrent { return try block() }
    return try inbox.run(block, waitingAs: cause, WaitGraph.begin(for: self))
  }

  private struct Observers {
    var last = 0
    var bodies: [(number: Int, body: @Sendable () -> Void)] = []
  }

  public func addPendingChangesObserver(_ body: @escaping @Sendable () -> Void) -> Int {
    observers.withLock { observers in
      observers.last += 1
      observers.bodies.append((observers.last, body))
      return observers.last
    }
  }

  public func removePendingChangesObserver(_ number: Int) {
    observers.withLock { $0.bodies.removeAll { $0.number == number } }
  }

  // MARK: On the main queue

  /// Held weakly. Call it on the main queue, or before `start`.
  package func show(_ screen: any MainScreen) {
    self.screen = screen
    schedule.forget()
  }

  /// Runs `handler` as the user's action at `instant`, when main next serves events.
  public func schedule(at instant: Instant, _ handler: @escaping @Sendable () -> Void) {
    inbox.schedule(at: instant, timeline?.carryingChange(handler) ?? handler)
  }

  public func nextTick(after instant: Instant) -> Instant? {
    screen == nil ? nil : frames.next(after: instant)
  }

  /// Call it on the main queue.
  ///
  /// - Parameters:
  ///   - isRecorded: whether the timeline also records each event.
  ///   - isCounted: whether a counted cell counts its instructions.
  package func openWindow(isRecorded: Bool = false, isCounted: Bool = true) {
    let thread = isRecorded ? timeline.map { ThreadTimeline($0, .main) } : nil
    recorder.open(at: clock.now(), writing: thread, isCounted: isCounted)
  }

  /// Call it on the main queue. A gap or busy period in progress ends now, and beats that came due
  /// in it are answered now.
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
      recorder.missed(frame)
    }
    return recorder.close(at: now)
  }

  /// Records main's work outside the storage core.
  package func slice<R>(_ tag: SliceTag, _ body: () throws -> R) rethrows -> R {
    recorder.begin(tag)
    defer { recorder.end() }
    return try body()
  }

  // MARK: A turn

  func wake() {
    recorder.woke(at: clock.now())
  }

  /// - Returns: whether more blocks are queued. The next turn then follows at once.
  func turn() -> Bool {
    var blocks = serveEvents()
    // `popFirst` releases each block, with its captured objects, before the next one runs.
    while let block = blocks.popFirst() { block() }
    processPendingChanges()
    commitFrameIfDue()
    return inbox.hasBlocks
  }

  private func serveEvents() -> Deque<@Sendable () -> Void> {
    let now = clock.now()
    recorder.closeGap(at: now)
    if hasBeats, nextBeat <= now {
      recorder.begin(.heartbeat)
      // Reads the clock again: the answers are a clock of their own, independent of the gaps.
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
        foundMainWaiting: waitStart.map { nextBeat >= $0 } ?? false)
      nextBeat = Instant(nanoseconds: nextBeat.nanoseconds + beats.period)
    }
  }

  private func processPendingChanges() {
    for observer in observers.withLock({ $0.bodies }) { observer.body() }
    scheduleFrame()
  }

  private func scheduleFrame() {
    guard let screen else { return schedule.forget() }
    if let since = screen.frameNeededSince { schedule.need(since: since) }
  }

  private func commitFrameIfDue() {
    guard let screen else { return }
    let now = clock.now()
    guard schedule.isDue(at: now) || !hasTicks && schedule.due != nil else { return }
    recorder.willWork()
    recorder.timeline?.begin(.frame, at: now)
    screen.layoutAndCommit()
    let presented = clock.now()
    recorder.timeline?.end(at: presented)
    let frame = schedule.present(
      at: presented, isScrolling: screen.isScrolling, windowOpened: recorder.opened)
    if let frame { recorder.presented(frame, at: presented) }
    // A commit can itself change the content.
    scheduleFrame()
  }

  /// - Returns: when main must wake up if nothing is queued; nil for no deadline.
  func prepareToWait() -> Instant? {
    let next = [hasBeats ? nextBeat : nil, schedule.due, inbox.nextEvent].compactMap { $0 }.min()
    let now = clock.now()
    let isDue = next.map { $0 < now } ?? false
    recorder.willWait(at: now, isDue: isDue)
    waitStart = isDue ? nil : now
    return next
  }
}
