import Queues
import Testing

@testable import Harness
@testable import Repeats

@Suite("The self-check, on a manual clock")
struct SelfCheckTests {
  private func measure(_ work: SelfCheckCase) -> (
    spans: [BlockSpan], recording: MainQueueRecording?
  ) {
    let clock = ManualClock()
    let main = SimulatedMainQueue(clock: clock)
    let blocks = SelfCheckBlocks(work, on: main) { clock.advance(by: $0) }
    let recording = Lock<MainQueueRecording?>(nil)
    // In its own turn, so that opening the window is not part of the blocks' gap.
    main.async {
      main.openWindow()
      main.async {
        blocks.submit {
          let closed = main.closeWindow()
          recording.withLock { $0 = closed }
        }
      }
    }
    main.run(turning: clock, until: Instant(nanoseconds: 2_000_000_000))
    return (blocks.spans, recording.withLock { $0 })
  }

  @Test(arguments: SelfCheckCase.all)
  func `gaps, busy periods, beats and taps are exact`(work: SelfCheckCase) throws {
    let (spans, recording) = measure(work)
    #expect(spans.map(\.duration) == Array(repeating: work.length, count: work.count))
    let checks = SelfCheckJudge(work: work, spans: spans, recording: try #require(recording)).checks
    for check in checks where check.what != "frame presented" {
      #expect(abs(check.measured - check.expected) < 1e-6, "\(check)")
      #expect(check.holds)
    }
  }

  @Test(arguments: SelfCheckCase.all)
  func `the self-check finds wrong recordings`(work: SelfCheckCase) throws {
    let (spans, recording) = measure(work)
    var wrong = try #require(recording)
    // Makes each recorded gap 5 % and 0.3 ms too long.
    for index in wrong.gaps.indices {
      let gap = wrong.gaps[index]
      wrong.gaps[index].end = gap.end + (gap.end - gap.start) / 20 + .microseconds(300)
    }
    let checks = SelfCheckJudge(work: work, spans: spans, recording: wrong).checks
    #expect(checks.first { $0.what == "longest service gap" }?.holds == false)
    #expect(checks.first { $0.what == "tap, longest" }?.holds == false)
  }

  @Test func `run-queue delay is subtracted from a surplus, never from a shortfall`() {
    #expect(SelfCheckResult(what: "", expected: 5, measured: 8, runqueue: 3).holds)
    #expect(!SelfCheckResult(what: "", expected: 5, measured: 8, runqueue: 2).holds)
    #expect(!SelfCheckResult(what: "", expected: 5, measured: 4, runqueue: 3).holds)
  }
}
