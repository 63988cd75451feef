import Queues

/// Runs main's turns on this thread. Main's waits advance its clock.
struct ManualMain {
  let clock = ManualClock()
  let queue: SimulatedMainQueue

  init(frameRate: Double = 60, heartbeat: Duration? = .milliseconds(1)) {
    queue = SimulatedMainQueue(clock: clock, frameRate: frameRate, heartbeat: heartbeat)
  }

  func run(untilMilliseconds end: Int64) { queue.run(turning: clock, until: at(end)) }

  /// Records a window until `end`.
  func record(
    untilMilliseconds end: Int64, _ submit: (SimulatedMainQueue, ManualClock) -> Void
  ) -> MainQueueRecording {
    queue.async { [queue] in queue.openWindow() }
    queue.run(turning: clock, until: clock.now())
    submit(queue, clock)
    run(untilMilliseconds: end)
    return queue.closeWindow(turning: clock)
  }
}

extension SimulatedMainQueue {
  /// Closes the window in a block, at once.
  func closeWindow(turning clock: ManualClock) -> MainQueueRecording {
    let recording = Lock<MainQueueRecording?>(nil)
    async {
      let closed = self.closeWindow()
      recording.withLock { $0 = closed }
    }
    run(turning: clock, until: clock.now())
    return recording.withLock { $0 }!
  }
}

/// Blocks of 1 ms, each of which submits the next.
func chain(_ count: Int, on queue: SimulatedMainQueue, _ clock: ManualClock) {
  guard count > 0 else { return }
  queue.async {
    clock.advance(by: .milliseconds(1))
    chain(count - 1, on: queue, clock)
  }
}

func milliseconds(_ durations: [Duration]) -> [Double] { durations.map(\.milliseconds) }

// @unchecked: confined to the thread that runs the main queue.
final class Screen: MainScreen, @unchecked Sendable {
  private let clock: any MonotonicClock
  private let commit: () -> Void
  private(set) var frameNeededSince: Instant?
  var isScrolling = false

  init(clock: any MonotonicClock, commit: @escaping () -> Void = {}) {
    self.clock = clock
    self.commit = commit
  }

  func invalidate() { frameNeededSince = frameNeededSince ?? clock.now() }

  func layoutAndCommit() {
    frameNeededSince = nil
    commit()
  }
}
