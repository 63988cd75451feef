import Measurement
import Queues
import Testing

@testable import Harness
@testable import Repeats

@Suite("A frozen screen")
struct FrozenScreenTests {
  // @unchecked: only the thread that runs the main queue uses it.
  private final class Scrolling: MainScreen, @unchecked Sendable {
    let frameNeededSince: Instant? = Instant(nanoseconds: 0)
    let isScrolling = true
    func layoutAndCommit() {}
  }

  /// A list scrolls at 60 Hz for 12 s. Main stops for `freeze` from the first 25 ms on.
  private func metrics(freeze: Duration, horizon: Double) throws -> MetricValues {
    let clock = ManualClock()
    let main = SimulatedMainQueue(clock: clock, heartbeat: nil)
    let screen = Scrolling()
    main.show(screen)
    main.async { main.openWindow() }
    main.schedule(at: Instant(nanoseconds: 25_000_000)) { clock.advance(by: freeze) }
    main.run(turning: clock, until: Instant(nanoseconds: 12_000_000_000))
    let closed = Lock<MainQueueRecording?>(nil)
    main.async {
      let recording = main.closeWindow()
      closed.withLock { $0 = recording }
    }
    main.run(turning: clock, until: clock.now())
    let recording = try #require(closed.withLock { $0 })
    let sample = WindowSample(
      recording, frameInterval: .microseconds(16_667), total: 12_000, changes: 1)
    return CellMetrics(samples: [sample], horizon: horizon, process: ProcessSample()).values
  }

  @Test func `of the frames due, those are late that miss the next one`() throws {
    let values = try metrics(freeze: .milliseconds(9_900), horizon: 2_000)
    #expect(values["frames_due"] == 721)
    // From 33.3 ms to 9,925 ms 594 frames are due. Only the last of them is not late.
    #expect(values["frames_late"] == 593)
  }

  @Test(arguments: [500.0, 2_000, 12_000, 48_000])
  func `hitches per second are taken over the span that they happen in`(horizon: Double) throws {
    let values = try metrics(freeze: .milliseconds(9_900), horizon: horizon)
    let hitch = try #require(values["hitch_ms"])
    // The frame of 33.3 ms came at 9,925 ms.
    #expect(abs(hitch - 9_891.7) < 0.1)
    let rate = try #require(values["hitch_ms_per_s"])
    #expect(abs(rate - hitch / max(horizon, 12_000) * 1000) < 1e-9)
  }

  @Test func `a screen that keeps up has no late frame`() throws {
    let values = try metrics(freeze: .milliseconds(8), horizon: 2_000)
    #expect(values["frames_due"] == 721)
    #expect(values["frames_late"] == 0 && values["hitch_ms"] == 0)
  }
}
