import Queues
import TestSupport
import Testing

@Suite("The main queue's account of its time")
struct MainQueueTests {
  @Test func `300 chained blocks of 1 ms are one busy period of 300 ms with gaps of 1 ms`() {
    let recording = ManualMain().record(untilMilliseconds: 400) { queue, clock in
      chain(300, on: queue, clock)
    }
    #expect(milliseconds(recording.busyPeriods.map(\.duration)) == [300])
    #expect(milliseconds(recording.gaps.map(\.duration)) == [Double](repeating: 1, count: 300))
    // A beat that came due in a block waited for one block at most.
    #expect(recording.beats.map(\.lateness).max() ?? .zero <= .milliseconds(1))
    #expect(recording.disagreements == 0)
  }

  @Test func `a tap waits for one block of a chain at most, and for all blocks queued at once`() {
    func taps(_ submit: @escaping (SimulatedMainQueue, ManualClock) -> Void) -> [Double] {
      let waits = Story<Double>()
      let main = ManualMain()
      for due in stride(from: Int64(100_000), to: 300_000_000, by: 700_000) {
        let tap = Instant(nanoseconds: due)
        main.queue.schedule(at: tap) { [clock = main.clock] in
          waits.tell((clock.now() - tap).milliseconds)
        }
      }
      _ = main.record(untilMilliseconds: 400, submit)
      return waits.all
    }
    let chained = taps { queue, clock in chain(300, on: queue, clock) }
    #expect(chained.count == 429)
    #expect(chained.max().map { $0 <= 1 } == true)
    let together = taps { queue, clock in
      for _ in 0..<300 { queue.async { clock.advance(by: .milliseconds(1)) } }
    }
    #expect(together.first == 299.9)
  }

  @Test func `300 blocks queued at once are one gap of 300 ms`() {
    let recording = ManualMain().record(untilMilliseconds: 400) { queue, clock in
      for _ in 0..<300 { queue.async { clock.advance(by: .milliseconds(1)) } }
    }
    #expect(milliseconds(recording.gaps.map(\.duration)) == [300])
    #expect(milliseconds(recording.busyPeriods.map(\.duration)) == [300])
  }

  @Test func `a long freeze does not hide the beats that it missed`() {
    let recording = ManualMain().record(untilMilliseconds: 10) { queue, clock in
      // due at      1   2   3   4   5   6 ms
      // main        ├── block ────────┤
      // answered at 5   5   5   5   5   6
      queue.async { clock.advance(by: .milliseconds(5)) }
    }
    #expect(milliseconds(recording.beats.map(\.lateness)) == [4, 3, 2, 1, 0, 0, 0, 0, 0, 0])
  }

  @Test func `idle main makes no gaps and no busy periods`() {
    let recording = ManualMain().record(untilMilliseconds: 50) { _, _ in }
    #expect(recording.gaps.allSatisfy { $0.duration == .zero })
    #expect(recording.beats.count == 50)
    #expect(recording.beats.allSatisfy { $0.foundMainWaiting })
  }

  @Test func `time is charged to the innermost slice, and a database wait to its cause`() {
    let recording = ManualMain(heartbeat: nil).record(untilMilliseconds: 50) { queue, clock in
      queue.async {
        Activity.slice(.perform) {
          clock.advance(by: .milliseconds(2))
          Activity.slice(.save) {
            clock.advance(by: .milliseconds(1))
            Activity.waiting(for: .parent) { clock.advance(by: .milliseconds(4)) }
            queue.slice(.ui) { clock.advance(by: .milliseconds(8)) }
          }
          clock.advance(by: .milliseconds(3))
        }
      }
    }
    let use = recording.use
    #expect(use[.perform] == 5_000_000)
    #expect(use[.save] == 1_000_000)
    #expect(use[.ui] == 8_000_000)
    #expect(use[WaitCause.parent] == 4_000_000)
    #expect(use.databaseExecuting == 6_000_000)
    #expect(use.databaseWaiting == 4_000_000)
    #expect(recording.gaps.map(\.use.mostly) == ["ui"])
  }

  @Test(arguments: [(9, 7.0), (3, 10)])
  func `the longest gap contains the longest work, also where the harness takes longer`(
    harness: Int, longest: Double
  ) {
    let recording = ManualMain(heartbeat: nil).record(untilMilliseconds: 50) { queue, clock in
      queue.async {
        clock.advance(by: .milliseconds(harness))
        Activity.slice(.fetch) { clock.advance(by: .milliseconds(3)) }
        Activity.slice(.save) {
          Activity.waiting(for: .sqlite) { clock.advance(by: .milliseconds(4)) }
        }
      }
    }
    #expect(recording.gaps.map(\.use.mostly) == [harness > 4 ? "harness" : "wait-sqlite"])
    #expect(milliseconds(recording.gaps.map(\.duration)) == [Double(harness + 7)])
    #expect(recording.longestGap.milliseconds == longest)
  }

  @Test func `a gap or busy period that crosses an edge of the window is cut`() {
    let main = ManualMain()
    let recording = Lock<MainQueueRecording?>(nil)
    main.queue.async { [queue = main.queue, clock = main.clock] in
      clock.advance(by: .milliseconds(10))
      queue.openWindow()
      clock.advance(by: .milliseconds(3))
      let closed = queue.closeWindow()
      recording.withLock { $0 = closed }
      clock.advance(by: .milliseconds(10))
    }
    main.run(untilMilliseconds: 30)
    let found = recording.withLock { $0 }
    #expect(found.map { milliseconds($0.gaps.map(\.duration)) } == [3])
    #expect(found.map { milliseconds($0.busyPeriods.map(\.duration)) } == [3])
    #expect(
      found?.beats.map(\.due.nanoseconds) == [10_000_000, 11_000_000, 12_000_000, 13_000_000])
  }

  @Test func `a turn without blocks makes a gap if observers work, and none if they do not`() {
    let main = ManualMain()
    let hasNews = Lock(false)
    let screen = Screen(clock: main.clock) { hasNews.withLock { $0 = true } }
    main.queue.show(screen)
    _ = main.queue.addPendingChangesObserver { [clock = main.clock] in
      guard
        hasNews.withLock({ news in
          defer { news = false }; return news
        })
      else { return }
      Activity.slice(.changes) { clock.advance(by: .milliseconds(3)) }
    }
    let recording = main.record(untilMilliseconds: 60) { queue, _ in
      queue.async { screen.invalidate() }
    }
    #expect(milliseconds(recording.gaps.map(\.duration)) == [3])
    #expect(recording.gaps.map(\.use.mostly) == ["changes"])
    #expect(recording.disagreements == 0)
  }

  @Test func `a new window starts from zero`() {
    let main = ManualMain()
    let first = main.record(untilMilliseconds: 50) { queue, clock in
      queue.async {
        Activity.count(.statements, 3)
        Activity.slice(.save) { clock.advance(by: .milliseconds(7)) }
      }
    }
    main.queue.async { [clock = main.clock] in
      Activity.count(.statements, 100)
      Activity.slice(.save) { clock.advance(by: .milliseconds(20)) }
    }
    main.run(untilMilliseconds: 80)
    let second = main.record(untilMilliseconds: 100) { queue, clock in
      queue.async {
        Activity.count(.commits)
        Activity.slice(.fetch) { clock.advance(by: .milliseconds(2)) }
      }
    }
    #expect(first.counts == [.statements: 3])
    #expect(second.counts == [.commits: 1])
    #expect(second.use[.save] == 0)
    #expect(second.use[.fetch] == 2_000_000)
    #expect(milliseconds(second.gaps.map(\.duration)) == [2])
    #expect(second.beats.allSatisfy { $0.due >= second.opened })
  }

  @Test func `a window that opens inside a slice counts the slice from there`() {
    let main = ManualMain()
    let recording = Lock<MainQueueRecording?>(nil)
    main.queue.async { [queue = main.queue, clock = main.clock] in
      Activity.slice(.save) {
        clock.advance(by: .milliseconds(10))
        queue.openWindow()
        clock.advance(by: .milliseconds(3))
      }
      Activity.slice(.fetch) {
        clock.advance(by: .milliseconds(4))
        let closed = queue.closeWindow()
        recording.withLock { $0 = closed }
        clock.advance(by: .milliseconds(5))
      }
    }
    main.run(untilMilliseconds: 30)
    let use = recording.withLock { $0?.use }
    #expect(use?[.save] == 3_000_000)
    #expect(use?[.fetch] == 4_000_000)
    #expect(use?.total == 7_000_000)
  }
}
