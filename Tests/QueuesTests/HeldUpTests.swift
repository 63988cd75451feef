import Queues
import Testing

/// The machine takes main's processor away for 5 ms, at every possible point.
@Suite("Main held up")
struct HeldUpTests {
  private static let pause = Duration.milliseconds(5)

  /// Main's waits advance it. A pause follows one of its readings.
  private final class PausingClock: MonotonicClock {
    let manual = ManualClock()
    /// With the reading that the pause follows.
    private let readings: Lock<(count: Int, pause: Int?)>

    init(pauseAfter reading: Int?) { readings = Lock((0, reading)) }

    var count: Int { readings.withLock { $0.count } }

    func now() -> Instant {
      let now = manual.now()
      let isPaused = readings.withLock { readings in
        defer { readings.count += 1 }
        return readings.pause == readings.count
      }
      if isPaused { manual.advance(by: HeldUpTests.pause) }
      return now
    }
  }

  /// Main works for 3 ms twice, idles for 10 ms and draws a frame.
  private func recording(_ clock: PausingClock) -> MainQueueRecording {
    let queue = SimulatedMainQueue(clock: clock)
    let screen = Screen(clock: clock.manual) { clock.manual.advance(by: .milliseconds(2)) }
    queue.show(screen)
    queue.async {
      queue.openWindow()
      for work in [5_500_000, 17_200_000] as [Int64] {
        queue.schedule(at: Instant(nanoseconds: work)) {
          Activity.slice(.merge) { clock.manual.advance(by: .milliseconds(3)) }
          screen.invalidate()
        }
      }
    }
    queue.run(turning: clock.manual, until: at(40))
    return queue.closeWindow(turning: clock.manual)
  }

  @Test func `both clocks of main notice a pause, except while main answers beats`() {
    let undisturbed = PausingClock(pauseAfter: nil)
    let kept = recording(undisturbed).beats.filter { !$0.foundMainWaiting }
    let answers = Set(kept.map(\.answered)).count
    let disagreeing = (0..<undisturbed.count).filter {
      recording(PausingClock(pauseAfter: $0)).disagreements > 0
    }
    // The clock is read twice between a gap's end and the answer of its beats.
    #expect(answers > 2 && disagreeing.count == 2 * answers, "after readings \(disagreeing)")
  }
}
