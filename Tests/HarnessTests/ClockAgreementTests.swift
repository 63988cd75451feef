import Harness
import Queues
import Testing

@Suite("The two clocks of a cell")
struct ClockAgreementTests {
  private func clocks(busy: Int64, lateBeats: Int = 0, unexplained: Int64 = 0) -> ClockAgreement {
    let recorder = MainRecorder(clock: ManualClock())
    recorder.open(at: Instant(nanoseconds: 0))
    var recording = recorder.close(at: Instant(nanoseconds: 0))
    recording.use[.merge] = busy * 1_000_000
    recording.disagreements = lateBeats
    recording.unexplained = unexplained * 1_000_000
    return ClockAgreement(recording)
  }

  @Test func `in a short cell one late beat is too many`() {
    #expect(clocks(busy: 40).holds)
    #expect(!clocks(busy: 40, lateBeats: 1, unexplained: 2).holds)
    #expect(!clocks(busy: 0, lateBeats: 1, unexplained: 2).holds)
  }

  @Test func `in a cell of minutes a thousandth of main's busy time may be unexplained`() {
    #expect(clocks(busy: 120_000, lateBeats: 5, unexplained: 120).holds)
    #expect(!clocks(busy: 120_000, lateBeats: 5, unexplained: 121).holds)
  }

  @Test func `the repeats of a cell are one`() {
    let cell = ClockAgreement([
      clocks(busy: 1000, lateBeats: 2, unexplained: 2), clocks(busy: 900), clocks(busy: 50),
    ])
    #expect(cell.lateBeats == 2)
    #expect(cell.busy == 1_950_000_000)
    #expect(!cell.holds)
    #expect(
      cell.doubt == "2 beat(s) were answered too long after the gap that they came due in, which"
        + " leaves 2.0 ms of main's time unexplained")
  }
}
