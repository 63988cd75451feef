import Support
import Queues
import Testing

@Suite("Sums of a recording")
struct RecordingPropertyTests {
  /// Blocks, chains, taps, screen changes and waits.
  private func recording(seed: UInt64) -> MainQueueRecording {
    var numbers = SplitMix64(seed: seed)
    let main = ManualMain(frameRate: 120)
    let screen = Screen(clock: main.clock) { [clock = main.clock] in
      clock.advance(by: .microseconds(300))
    }
    screen.isScrolling = Bool.random(using: &numbers)
    main.queue.show(screen)
    return main.record(untilMilliseconds: 300) { queue, clock in
      for _ in 0..<40 {
        let due = Instant(nanoseconds: .random(in: 0..<250_000_000, using: &numbers))
        let work = Duration.microseconds(Int64.random(in: 0..<9_000, using: &numbers))
        let cause = WaitCause.allCases.randomElement(using: &numbers)!
        let tag = SliceTag.allCases.randomElement(using: &numbers)!
        let kind = Int.random(in: 0..<4, using: &numbers)
        queue.schedule(at: due) {
          switch kind {
          case 0: clock.advance(by: work)
          case 1: Activity.slice(tag) { clock.advance(by: work) }
          case 2: queue.async { screen.invalidate() }
          default:
            Activity.slice(tag) { Activity.waiting(for: cause) { clock.advance(by: work) } }
          }
        }
      }
    }
  }

  @Test(arguments: UInt64(1)...60)
  func `gaps do not overlap, uses add up, and every beat is explained`(seed: UInt64) {
    let recording = recording(seed: seed)
    expectGapsAddUp(recording)
    expectBeatsAreExplained(recording)
    let gaps = recording.gaps.reduce(0) { $0 + $1.duration.wholeNanoseconds }
    let busy = recording.busyPeriods.reduce(0) { $0 + $1.duration.wholeNanoseconds }
    #expect(gaps == busy, "main does nothing between the gaps of a busy period")
    #expect(recording.use.total == busy)
  }

  private func expectGapsAddUp(_ recording: MainQueueRecording) {
    #expect(!recording.gaps.isEmpty)
    for gap in recording.gaps {
      #expect(gap.use.total == gap.duration.wholeNanoseconds)
      #expect(recording.opened <= gap.start && gap.end <= recording.closed)
    }
    for (gap, next) in zip(recording.gaps, recording.gaps.dropFirst()) {
      #expect(gap.end <= next.start)
    }
  }

  private func expectBeatsAreExplained(_ recording: MainQueueRecording) {
    let grid = Grid(origin: Instant(nanoseconds: 0), period: .milliseconds(1))
    #expect(
      recording.beats.count
        == grid.count(from: recording.opened, through: recording.closed)
        - (recording.opened.nanoseconds == 0 ? 1 : 0),
      "every beat is counted")
    for beat in recording.beats {
      let gap = recording.gaps.first { $0.start <= beat.due && beat.due < $0.end }
      #expect(beat.answered == gap?.end ?? beat.due)
    }
    #expect(recording.disagreements == 0)
  }
}
