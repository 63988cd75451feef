import Queues
import Testing

/// Runs main's turns on this thread, against a clock that its waits turn.
private struct ManualMain {
  let clock = ManualClock()
  let queue: SimulatedMainQueue

  init(frameRate: Double = 60, heartbeat: Duration? = .milliseconds(1)) {
    queue = SimulatedMainQueue(clock: clock, frameRate: frameRate, heartbeat: heartbeat)
  }

  func run(untilMilliseconds end: Int64) {
    queue.run(turning: clock, until: Instant(nanoseconds: end * 1_000_000))
  }

  /// Opens a window, runs main until `end` and returns what was recorded.
  func record(
    untilMilliseconds end: Int64, _ submit: (SimulatedMainQueue, ManualClock) -> Void
  ) -> MainQueueRecording {
    queue.async { [queue] in queue.openWindow() }
    run(untilMilliseconds: 0)
    submit(queue, clock)
    run(untilMilliseconds: end)
    let recording = Lock<MainQueueRecording?>(nil)
    queue.async { [queue] in
      let closed = queue.closeWindow()
      recording.withLock { $0 = closed }
    }
    run(untilMilliseconds: end)
    return recording.withLock { $0 }!
  }
}

private func milliseconds(_ durations: [Duration]) -> [Double] { durations.map(\.milliseconds) }

@Suite("The main queue's ruler")
struct MainQueueTests {
  @Test func `300 chained blocks of 1 ms are one busy period of 300 ms with gaps of 1 ms`() {
    let recording = ManualMain().record(untilMilliseconds: 400) { queue, clock in
      chain(300, on: queue, clock)
    }
    #expect(milliseconds(recording.busyPeriods.map(\.duration)) == [300])
    #expect(
      milliseconds(recording.gaps.map(\.duration)) == [Double](repeating: 1, count: 300))
    // A beat that came due meanwhile waited for the end of one block at most.
    #expect(recording.beats.map(\.lateness).max() ?? .zero <= .milliseconds(1))
    #expect(recording.disagreements == 0)
  }

  @Test func `300 blocks queued at once are one gap of 300 ms`() {
    let recording = ManualMain().record(untilMilliseconds: 400) { queue, clock in
      for _ in 0..<300 { queue.async { clock.advance(by: .milliseconds(1)) } }
    }
    #expect(milliseconds(recording.gaps.map(\.duration)) == [300])
    #expect(milliseconds(recording.busyPeriods.map(\.duration)) == [300])
  }

  @Test func `a long freeze does not hide the beats that it missed`() {
    let recording = ManualMain().record(untilMilliseconds: 10) { queue, clock in
      // due at      1   2   3   4   5   6 ms
      // main        ├── block ────────┤
      // answered at 5   5   5   5   5   6
      queue.async { clock.advance(by: .milliseconds(5)) }
    }
    #expect(
      milliseconds(recording.beats.map(\.lateness)) == [4, 3, 2, 1, 0, 0, 0, 0, 0, 0])
  }

  @Test func `idle main makes no gaps and no busy periods`() {
    let recording = ManualMain().record(untilMilliseconds: 50) { _, _ in }
    #expect(recording.gaps.allSatisfy { $0.duration == .zero })
    #expect(recording.beats.count == 50)
    #expect(recording.beats.allSatisfy { $0.foundMainWaiting })
  }

  @Test func `a turn serves events, then blocks, then pending changes, then a frame`() {
    let main = ManualMain()
    let story = Lock<[String]>([])
    let screen = Screen(clock: main.clock) { story.withLock { $0.append("frame") } }
    main.queue.show(screen)
    main.queue.addPendingChangesObserver { story.withLock { $0.append("changes") } }
    main.queue.schedule(at: Instant(nanoseconds: 0)) { story.withLock { $0.append("event") } }
    main.queue.async {
      story.withLock { $0.append("block") }
      screen.invalidate()
      main.clock.advance(by: .milliseconds(20))
      main.queue.async { story.withLock { $0.append("next turn") } }
    }
    main.run(untilMilliseconds: 0)
    #expect(
      story.withLock { Array($0.prefix(4)) } == ["event", "block", "changes", "frame"])
    #expect(story.withLock { $0.firstIndex(of: "next turn")! } == 4)
  }

  @Test func `time belongs to the innermost slice, and a database wait to its cause`() {
    let recording = ManualMain(heartbeat: nil).record(untilMilliseconds: 50) { queue, clock in
      queue.async {
        Activity.slice(.perform) {
          clock.advance(by: .milliseconds(2))
          Activity.slice(.save) {
            clock.advance(by: .milliseconds(1))
            Activity.waiting(for: .parent) { clock.advance(by: .milliseconds(4)) }
            queue.slice(.ui) { clock.advance(by: .milliseconds(8)) }
          }
          clock.advance(by: .milliseconds(3))
        }
      }
    }
    let use = recording.use
    #expect(use[.perform] == 5_000_000)
    #expect(use[.save] == 1_000_000)
    #expect(use[.ui] == 8_000_000)
    #expect(use[WaitCause.parent] == 4_000_000)
    #expect(use.databaseExecuting == 6_000_000)
    #expect(use.databaseWaiting == 4_000_000)
    #expect(recording.gaps.map(\.use.mostly) == ["ui"])
  }

  @Test func `a window cuts what crosses its edges`() {
    let main = ManualMain()
    let recording = Lock<MainQueueRecording?>(nil)
    main.queue.async { [queue = main.queue, clock = main.clock] in
      clock.advance(by: .milliseconds(10))
      queue.openWindow()
      clock.advance(by: .milliseconds(3))
      let closed = queue.closeWindow()
      recording.withLock { $0 = closed }
      clock.advance(by: .milliseconds(10))
    }
    main.run(untilMilliseconds: 30)
    let found = recording.withLock { $0 }
    #expect(found.map { milliseconds($0.gaps.map(\.duration)) } == [3])
    #expect(found.map { milliseconds($0.busyPeriods.map(\.duration)) } == [3])
    #expect(
      found?.beats.map(\.due.nanoseconds) == [10_000_000, 11_000_000, 12_000_000, 13_000_000])
  }

  private func chain(_ count: Int, on queue: SimulatedMainQueue, _ clock: ManualClock) {
    guard count > 0 else { return }
    queue.async {
      clock.advance(by: .milliseconds(1))
      chain(count - 1, on: queue, clock)
    }
  }
}

@Suite("Frames")
struct FrameTests {
  @Test func `a frame is due at the next tick after a change, and late by what holds it up`() {
    let main = ManualMain(frameRate: 100)
    let screen = Screen(clock: main.clock) {}
    main.queue.show(screen)
    let recording = main.record(untilMilliseconds: 100) { queue, clock in
      // ticks       10   20   30   40   50
      // changed at 3 ms: due at 10; main is held up until 33
      queue.async { clock.advance(by: .milliseconds(3)) }
      queue.async { screen.invalidate() }
      queue.async { clock.advance(by: .milliseconds(30)) }
    }
    #expect(recording.framesDue == 1)
    #expect(recording.frames.map(\.due.nanoseconds) == [10_000_000])
    #expect(recording.frames.map(\.presented.nanoseconds) == [33_000_000])
  }

  @Test func `while the list scrolls every tick is due, and a freeze drops frames`() {
    let main = ManualMain(frameRate: 100)
    let screen = Screen(clock: main.clock) {}
    screen.isScrolling = true
    main.queue.show(screen)
    screen.invalidate()
    let recording = main.record(untilMilliseconds: 95) { queue, clock in
      queue.schedule(at: Instant(nanoseconds: 25_000_000)) {
        clock.advance(by: .milliseconds(30))
      }
    }
    // 30, 40 and 50 are due during the freeze; one frame answers them at 55.
    #expect(
      recording.frames.map { $0.presented.nanoseconds / 1_000_000 }
        == [0, 10, 20, 55, 60, 70, 80, 90])
    #expect(recording.framesDue == 10)
  }
}

// @unchecked: confined to the thread that runs the main queue.
private final class Screen: MainScreen, @unchecked Sendable {
  private let clock: ManualClock
  private let commit: () -> Void
  private(set) var frameNeededSince: Instant?
  var isScrolling = false

  init(clock: ManualClock, commit: @escaping () -> Void) {
    self.clock = clock
    self.commit = commit
  }

  func invalidate() { frameNeededSince = frameNeededSince ?? clock.now() }

  func layoutAndCommit() {
    frameNeededSince = nil
    commit()
  }
}
