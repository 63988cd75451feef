import Foundation
import Synchronization

// A turn of main's run loop, after CFRunLoop:
//
//        ┌─▶ serve events that are due (taps, heartbeats)      ◀─ main serves: a tap waits no longer
//        │   run the blocks that were queued when the turn began     ┐
//        │   pending changes; deliveries to the list                 │ service gap
//        │   layout and commit of a frame, if one is due             ┘
//        ├── blocks queued? the next turn at once
//        └── wait until something is queued or due             ◀─ main serves
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
// @unchecked: `inbox` and `observers` lock; everything else that changes is confined to the thread
// that runs turns.
public final class SimulatedMainQueue: RunLoopQueue, @unchecked Sendable {
  public let label = "main"
  package let clock: any MonotonicClock
  let inbox = Inbox()
  let recorder: MainRecorder
  private let beats: Grid
  package let frames: Grid
  /// Whether a beat is served at all; off, main sleeps until there is work.
  private let hasBeats: Bool

  private let observers = Lock<[@Sendable () -> Void]>([])
  private weak var screen: (any MainScreen)?
  private var nextBeat: Instant
  private var frameDue: Instant?
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
    recorder = MainRecorder(clock: clock)
    hasBeats = heartbeat != nil
    beats = Grid(origin: now, period: heartbeat ?? .seconds(1))
    frames = Grid(origin: now, periodNanoseconds: Int64(1e9 / frameRate))
    nextBeat = beats.next(after: now)
  }

  public var isCurrent: Bool { HeldQueues.current.contains(self) }

  public func async(_ block: @escaping @Sendable () -> Void) {
    inbox.post(block)
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
  }

  /// Runs `handler` as what the user does at `instant`, once main serves events after it.
  package func schedule(at instant: Instant, _ handler: @escaping @Sendable () -> Void) {
    inbox.schedule(at: instant, handler)
  }

  /// Starts recording, on the main queue.
  package func openWindow() {
    recorder.open(at: clock.now())
  }

  /// Stops recording, on the main queue.
  package func closeWindow() -> MainQueueRecording {
    let now = clock.now()
    answerBeats(dueBefore: now, at: now)
    if let frameDue, frameDue <= now { recorder.frameStillDue() }
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
    let blocks = serveEvents()
    for block in blocks { block() }
    processPendingChanges()
    commitFrameIfDue()
    return inbox.hasBlocks
  }

  /// Answers what is due and takes the blocks that are queued.
  private func serveEvents() -> [@Sendable () -> Void] {
    let now = clock.now()
    recorder.closeGap(at: now)
    answerBeats(dueBefore: now, at: now)
    waitStart = nil
    let blocks = inbox.take(dueBefore: now)
    let isFrameDue = frameDue.map { $0 <= now } ?? false
    recorder.stoppedServing(at: clock.now(), work: !blocks.isEmpty || isFrameDue)
    return blocks
  }

  private func answerBeats(dueBefore now: Instant, at answered: Instant) {
    guard hasBeats, nextBeat <= now else { return }
    recorder.begin(.heartbeat)
    while nextBeat <= now {
      recorder.answered(
        beatDue: nextBeat, at: answered, every: beats.period,
        foundWaiting: waitStart.map { nextBeat >= $0 } ?? false)
      nextBeat = Instant(nanoseconds: nextBeat.nanoseconds + beats.period)
    }
    recorder.end()
  }

  private func processPendingChanges() {
    for observer in observers.withLock({ $0 }) { observer() }
    guard let screen, frameDue == nil, let since = screen.frameNeededSince else { return }
    frameDue = frames.first(atOrAfter: since)
  }

  private func commitFrameIfDue() {
    guard let due = frameDue, let screen, due <= clock.now() else { return }
    recorder.willWork()
    screen.layoutAndCommit()
    let presented = clock.now()
    // While it scrolls, the ticks that were missed were due as well.
    let dueByNow = screen.isScrolling ? frames.count(from: due, through: presented) : 1
    recorder.presented(frameDue: due, at: presented, dueByNow: dueByNow)
    frameDue = screen.isScrolling ? frames.next(after: presented) : nil
  }

  /// Main waits from now on; until when, if nothing is queued. Nil: until something is.
  func prepareToWait() -> Instant? {
    let now = clock.now()
    recorder.willWait(at: now)
    waitStart = now
    return [hasBeats ? nextBeat : nil, frameDue, inbox.nextEvent].compactMap { $0 }.min()
  }
}

// MARK: - Its thread

extension SimulatedMainQueue {
  /// Starts the run loop on a thread of its own, named `main`.
  package func start() {
    let thread = Thread { self.runLoop() }
    thread.name = label
    thread.stackSize = 8 << 20
    thread.start()
  }

  /// Ends the run loop when what is queued has run, and waits for it. Not on the main queue.
  package func stop() {
    inbox.stop()
    inbox.waitUntilStopped()
  }

  private func runLoop() {
    ThreadTimes.askForExactTimers()
    Activity.install(recorder)
    HeldQueues.current.whileHolding(self) {
      while !inbox.isStopped {
        wake()
        while turn() {}
        inbox.wait(until: prepareToWait())
      }
    }
    Activity.install(nil)
    inbox.didStop()
  }

  /// Runs the loop on the calling thread, and lets `clock` jump where main would wait, until nothing
  /// is queued and the clock has reached `end`. For tests, instead of `start`.
  package func run(turning clock: ManualClock, until end: Instant) {
    let outer = Activity.recorder
    Activity.install(recorder)
    defer { Activity.install(outer) }
    HeldQueues.current.whileHolding(self) {
      repeat {
        wake()
        while turn() {}
        let deadline = prepareToWait() ?? end
        if !inbox.hasBlocks { clock.advance(to: min(deadline, end)) }
      } while inbox.hasBlocks || clock.now() < end
    }
  }
}

/// A clock that stands still until it is turned. For tests.
package final class ManualClock: MonotonicClock {
  private let time: Atomic<Int64>

  package init(startingAt start: Instant = Instant(nanoseconds: 0)) {
    time = Atomic(start.nanoseconds)
  }

  package func now() -> Instant { Instant(nanoseconds: time.load(ordering: .relaxed)) }

  package func advance(by duration: Duration) {
    time.add(duration.wholeNanoseconds, ordering: .relaxed)
  }

  /// Never backwards.
  package func advance(to instant: Instant) {
    time.max(instant.nanoseconds, ordering: .relaxed)
  }
}
