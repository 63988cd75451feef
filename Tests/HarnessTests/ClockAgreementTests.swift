import Queues
import Testing

@testable import Harness

@Suite("The two clocks of a cell")
struct ClockAgreementTests {
  private func clocks(lateBeats: Int = 0, unexplained: Int64 = 0) -> ClockAgreement {
    let recorder = MainRecorder(clock: ManualClock())
    recorder.open(at: Instant(nanoseconds: 0))
    var recording = recorder.close(at: Instant(nanoseconds: 0))
    recording.disagreements = lateBeats
    recording.unexplained = unexplained * 1_000_000
    return ClockAgreement(recording)
  }

  @Test func `one late beat is a disagreement`() {
    #expect(clocks().holds)
    #expect(!clocks(lateBeats: 1, unexplained: 2).holds)
  }

  @Test func `the repeats of a cell are added up`() {
    let cell = ClockAgreement([clocks(lateBeats: 2, unexplained: 2), clocks(), clocks()])
    #expect(cell.lateBeats == 2)
    #expect(!cell.holds)
    #expect(
      cell.doubt == "2 beat(s) were answered too long after the gap that they came due in, which"
        + " leaves 2.0 ms of main's time unexplained")
  }
}
