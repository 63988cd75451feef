import Testing

@testable import Queues

@Suite("Main's recorder")
struct MainRecorderTests {
  /// Main is busy from 0 ms on.
  private func busyRecorder() -> MainRecorder {
    let recorder = MainRecorder(clock: ManualClock())
    recorder.woke(at: at(0))
    recorder.stoppedServing(at: at(0), work: true)
    recorder.open(at: at(0))
    return recorder
  }

  /// Main was busy from 0 to 50 ms and answered a beat at `answered`.
  private func disagreements(beatAnswered answered: Int64, foundMainWaiting: Bool = false) -> Int {
    let recorder = busyRecorder()
    recorder.closeGap(at: at(50))
    recorder.answered(
      beatDue: at(10), at: at(answered), every: 1_000_000, foundMainWaiting: foundMainWaiting)
    recorder.willWait(at: at(100))
    return recorder.close(at: at(100)).disagreements
  }

  @Test func `the clocks disagree if a beat is answered long after its gap`() {
    #expect(disagreements(beatAnswered: 50) == 0)
    #expect(disagreements(beatAnswered: 51) == 0)
    #expect(disagreements(beatAnswered: 52) == 1)
  }

  @Test func `unexplained time counts once for all beats answered together`() {
    let recorder = busyRecorder()
    recorder.closeGap(at: at(50))
    for (due, answered) in [(10, 53), (11, 53), (12, 53), (60, 64), (61, 64), (62, 64)] {
      recorder.answered(
        beatDue: at(Int64(due)), at: at(Int64(answered)), every: 1_000_000, foundMainWaiting: false)
    }
    let recording = recorder.close(at: at(100))
    #expect(recording.disagreements == 6)
    #expect(recording.unexplained == 7_000_000, "3 ms, and from 60 to 64")
  }

  /// Main is busy for 5 ms, polls for events at `looked` and serves events at `served`.
  private func recording(
    lookedAt looked: Int64, isDue: Bool, servedAt served: Int64
  ) -> MainQueueRecording {
    let recorder = busyRecorder()
    recorder.willWait(at: at(looked), isDue: isDue)
    recorder.woke(at: at(served))
    recorder.closeGap(at: at(served))
    recorder.answered(beatDue: at(1), at: at(served), every: 1_000_000, foundMainWaiting: false)
    return recorder.close(at: at(served))
  }

  @Test func `with an event due main only polls, and the gap lasts until the event is served`() {
    let recording = recording(lookedAt: 5, isDue: true, servedAt: 8)
    #expect(recording.gaps.map(\.end) == [at(8)])
    #expect(recording.gaps.first?.use.total == 8_000_000)
    #expect(recording.use.total == 8_000_000)
    #expect(recording.busyPeriods.map(\.end) == [at(5)], "as CFRunLoop tells: it was about to wait")
    #expect(recording.disagreements == 0)
  }

  @Test func `with no event due main serves from the start of its wait`() {
    let recording = recording(lookedAt: 5, isDue: false, servedAt: 8)
    #expect(recording.gaps.map(\.end) == [at(5)])
    #expect(recording.use.total == 5_000_000)
  }

  @Test func `a turn without work is a gap if it was held up`() {
    func gaps(ofNanoseconds length: Int64) -> [Int64] {
      let recorder = MainRecorder(clock: ManualClock())
      recorder.open(at: at(0))
      recorder.woke(at: at(1))
      recorder.stoppedServing(at: at(1), work: false)
      recorder.willWait(at: Instant(nanoseconds: 1_000_000 + length))
      return recorder.close(at: at(9)).gaps.map(\.duration.wholeNanoseconds)
    }
    #expect(gaps(ofNanoseconds: 100_000) == [])
    #expect(gaps(ofNanoseconds: 100_001) == [100_001])
  }

  @Test func `a late wake-up is the machine's, not a disagreement`() {
    #expect(disagreements(beatAnswered: 80, foundMainWaiting: true) == 0)
  }

  @Test func `outside a window the recorder tracks open slices and reads no clock`() {
    let clock = CountingClock()
    let recorder = MainRecorder(clock: clock)
    recorder.woke(at: at(0))
    recorder.begin(.save)
    recorder.begin(.fetch)
    recorder.end()
    #expect(clock.readings == 0)
    recorder.open(at: at(5))
    recorder.stoppedServing(at: at(5), work: true)
    recorder.closeGap(at: at(9))
    #expect(recorder.close(at: at(9)).use[.save] == 4_000_000)
  }

  @Test func `the recording holds all entries in order, and the next window begins empty`() {
    let recorder = MainRecorder(clock: ManualClock())
    recorder.open(at: at(0))
    for index in 0..<2_500 as Range<Int64> {
      recorder.woke(at: at(2 * index))
      recorder.stoppedServing(at: at(2 * index), work: true)
      recorder.closeGap(at: at(2 * index + 1))
      recorder.answered(beatDue: at(index), at: at(index), every: 1_000_000, foundMainWaiting: true)
      recorder.presented(.init(due: at(index), count: 1), at: at(index))
      recorder.willWait(at: at(2 * index + 1))
    }
    let recording = recorder.close(at: at(5_000))
    let indices = (0..<2_500).map(Int64.init)
    #expect(recording.gaps.map(\.start) == indices.map { at(2 * $0) })
    #expect(recording.busyPeriods.map(\.end) == indices.map { at(2 * $0 + 1) })
    #expect(recording.beats.map(\.due) == indices.map(at))
    #expect(recording.frames.map(\.due) == indices.map(at))
    recorder.open(at: at(6_000))
    let next = recorder.close(at: at(6_001))
    #expect(next.gaps.isEmpty && next.busyPeriods.isEmpty && next.beats.isEmpty)
    #expect(next.frames.isEmpty)
  }

  @Test func `checkpoint times add up`() {
    let recorder = MainRecorder(clock: ManualClock())
    recorder.checkpointed(from: at(0), to: at(1))
    recorder.open(at: at(1))
    recorder.checkpointed(from: at(2), to: at(5))
    recorder.checkpointed(from: at(7), to: at(8))
    #expect(recorder.close(at: at(9)).checkpoints == 4_000_000)
  }
}
