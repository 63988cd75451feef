import Testing

@testable import Queues

@Suite("A grid")
struct GridTests {
  private let grid = Grid(origin: at(5), period: .milliseconds(10))

  @Test func `the next instant does not depend on when it is asked for`() {
    // grid   5    15    25    35
    #expect(grid.first(atOrAfter: at(0)) == at(5))
    #expect(grid.first(atOrAfter: at(5)) == at(5))
    #expect(grid.first(atOrAfter: at(6)) == at(15))
    #expect(grid.next(after: at(5)) == at(15))
    #expect(grid.next(after: at(24)) == at(25))
  }

  @Test func `count includes both ends`() {
    #expect(grid.count(from: at(5), through: at(35)) == 4)
    #expect(grid.count(from: at(6), through: at(34)) == 2)
    #expect(grid.count(from: at(6), through: at(14)) == 0)
    #expect(grid.count(from: at(20), through: at(10)) == 0)
  }
}

@Suite("The slice ledger")
struct SliceLedgerTests {
  /// In milliseconds.
  private func use(until end: Int64, _ steps: (inout SliceLedger) -> Void) -> TimeUse {
    var ledger = SliceLedger()
    steps(&ledger)
    ledger.account(until: at(end))
    return ledger.use
  }

  @Test func `time is charged to the innermost slice only`() {
    // perform ├──┐  ┌──┤
    // save       ├──┤          ui ├──┤
    let use = use(until: 20) { ledger in
      ledger.begin(.perform, at: at(0))
      ledger.begin(.save, at: at(2))
      ledger.end(at: at(5))
      ledger.end(at: at(9))
      ledger.begin(.ui, at: at(11))
      ledger.end(at: at(12))
    }
    #expect(use[.perform] == 6_000_000)
    #expect(use[.save] == 3_000_000)
    #expect(use[.ui] == 1_000_000)
    #expect(use.total == 10_000_000)
  }

  @Test func `of nested waits the innermost is charged`() {
    // fetch        ├─┐                 ┌─┤
    // coordinator    ├───┐       ┌─────┤
    // sqlite             ├───────┤
    //              0 1   3       7     10 11
    let use = use(until: 11) { ledger in
      ledger.begin(.fetch, at: at(0))
      ledger.willWait(for: .coordinator, at: at(1))
      ledger.willWait(for: .sqlite, at: at(3))
      ledger.end(at: at(7))
      ledger.end(at: at(10))
      ledger.end(at: at(11))
    }
    #expect(use[.fetch] == 2_000_000)
    #expect(use[WaitCause.coordinator] == 5_000_000)
    #expect(use[WaitCause.sqlite] == 4_000_000)
    #expect(use.databaseWaiting == 9_000_000)
  }

  @Test func `a slice inside a wait counts as execution`() {
    let use = use(until: 6) { ledger in
      ledger.begin(.save, at: at(0))
      ledger.willWait(for: .parent, at: at(1))
      ledger.begin(.pushUp, at: at(3))
      ledger.end(at: at(5))
      ledger.end(at: at(6))
    }
    #expect(use[WaitCause.parent] == 3_000_000)
    #expect(use[.pushUp] == 2_000_000)
  }

  @Test func `a wait outside the database counts as execution of its slice`() {
    let use = use(until: 9) { ledger in
      ledger.begin(.ui, at: at(0))
      ledger.willWait(for: .queue, at: at(1))
      ledger.end(at: at(4))
    }
    #expect(use[.ui] == 9_000_000)
    #expect(use.databaseWaiting == 0)
  }

  @Test func `clear keeps the open slices`() {
    var ledger = SliceLedger()
    ledger.begin(.merge, at: at(0))
    ledger.account(until: at(4))
    ledger.clear()
    ledger.end(at: at(5))
    #expect(ledger.use[.merge] == 1_000_000)
    #expect(ledger.use.mostly == "merge")
  }

  @Test(arguments: WaitCause.allCases)
  func `a wait with the most time names the use`(cause: WaitCause) {
    let use = use(until: 4) { ledger in
      ledger.begin(.save, at: at(0))
      ledger.willWait(for: cause, at: at(1))
      ledger.end(at: at(4))
    }
    #expect(use.mostly == "wait-\(cause.name)")
  }
}

@Suite("Due frames")
struct FrameScheduleTests {
  private func schedule() -> FrameSchedule {
    FrameSchedule(ticks: Grid(origin: at(0), period: .milliseconds(10)))
  }

  @Test func `no frame is due on an idle screen`() {
    let schedule = schedule()
    #expect(!schedule.isDue(at: at(1_000)))
    #expect(schedule.outstanding(at: at(1_000), isScrolling: false, windowOpened: nil) == nil)
  }

  @Test func `a change is one frame at the next tick, even if it is presented late`() {
    var schedule = schedule()
    schedule.need(since: at(3))
    schedule.need(since: at(12))
    #expect(!schedule.isDue(at: at(9)))
    #expect(schedule.isDue(at: at(10)))
    let frame = schedule.present(at: at(47), isScrolling: false, windowOpened: nil)
    #expect(frame == .init(due: at(10), count: 1, late: 1))
    #expect(schedule.due == nil)
  }

  @Test func `a frame of a scrolling screen presents every tick that it missed`() {
    var schedule = schedule()
    schedule.need(since: at(3))
    let late = schedule.present(at: at(47), isScrolling: true, windowOpened: nil)
    #expect(late == .init(due: at(10), count: 4, late: 3))
    #expect(schedule.due == at(50))
    let next = schedule.present(at: at(51), isScrolling: true, windowOpened: nil)
    #expect(next == .init(due: at(50), count: 1))
  }

  @Test func `a frame that is presented when the next is due is not late`() {
    var schedule = schedule()
    schedule.need(since: at(3))
    #expect(schedule.outstanding(at: at(20), isScrolling: false, windowOpened: nil)?.late == 0)
    #expect(schedule.outstanding(at: at(20), isScrolling: true, windowOpened: nil)?.late == 0)
    #expect(schedule.outstanding(at: at(21), isScrolling: false, windowOpened: nil)?.late == 1)
  }

  @Test func `a frame due before the window counts from the window's start`() {
    var schedule = schedule()
    schedule.need(since: at(3))
    let frame = schedule.present(at: at(47), isScrolling: true, windowOpened: at(25))
    #expect(frame == .init(due: at(25), count: 2, late: 1))
  }
}

@Suite("The two clocks that watch main")
struct TwoClocksTests {
  private let period: Int64 = 1_000_000
  private let tolerance = TwoClocks.tolerance

  private func agrees(
    due: Int64, answered: Instant, gap: (start: Int64, end: Int64)? = nil
  ) -> Bool {
    var clocks = TwoClocks()
    if let gap { clocks.recorded(gapFrom: at(gap.start), to: at(gap.end)) }
    return clocks.unexplained(beatDue: at(due), answered: answered, period: period) <= 0
  }

  @Test func `a beat may be late by its gap plus one beat period`() {
    let latest = Instant(nanoseconds: at(51).nanoseconds + tolerance)
    #expect(agrees(due: 10, answered: at(50), gap: (5, 50)))
    #expect(agrees(due: 10, answered: latest, gap: (5, 50)))
    #expect(!agrees(due: 10, answered: latest + .nanoseconds(1), gap: (5, 50)))
  }

  @Test func `a gap recorded too short is found`() {
    #expect(!agrees(due: 10, answered: at(50), gap: (5, 12)))
  }

  @Test func `a gap not recorded is found`() {
    #expect(!agrees(due: 10, answered: at(50)))
    #expect(!agrees(due: 10, answered: at(50), gap: (1, 9)))
    #expect(agrees(due: 10, answered: at(11)))
  }
}
