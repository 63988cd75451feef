import Queues
import Testing

@testable import Harness

struct SaveTimetableTests {
  @Test func `a long save makes those behind it late, and the grid does not move`() async throws {
    // due      0    10    20    30    40 ms
    // save     ├─ 25 ms ─┤
    //                    ├5┤ ├5┤
    let clock = ManualClock()
    var timetable = SaveTimetable(
      due: [0, 10, 20, 30, 40].map { Instant(nanoseconds: $0 * 1_000_000) }, clock: clock)
    timetable.sleep = { clock.advance(by: $0) }
    for (number, length) in [25, 5, 5, 5, 5].enumerated() {
      try await timetable.begin(number)
      clock.advance(by: .milliseconds(length))
    }
    #expect(timetable.lateness == [0, 15, 10, 5, 0].map { .milliseconds($0) })
  }

  @Test func `without times nothing waits`() async throws {
    var timetable = SaveTimetable(due: [], clock: ManualClock())
    timetable.sleep = { _ in Issue.record("it slept") }
    try await timetable.begin(3)
    #expect(timetable.lateness.isEmpty)
  }
}
