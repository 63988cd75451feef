import TestSupport
import Testing

@testable import Queues

@Suite("Prices")
struct PriceTests {
  private let prices = Prices([.fault: .microseconds(10), .commit: .microseconds(2.5)])

  private func charging<R>(_ body: () throws -> R) rethrows -> R {
    prices.open()
    return try Prices.$current.withValue(prices, operation: body)
  }

  @Test func `10,000 events of 10 µs are 100 ms of main, with a cause of their own`() {
    charging {
      let main = ManualMain()
      let recording = main.record(untilMilliseconds: 200) { queue, _ in
        queue.async {
          Activity.slice(.perform) {
            for _ in 0..<10_000 { Activity.slice(.fault) { Activity.count(.faultsFired) } }
          }
        }
      }
      #expect(recording.priced == 100_000_000)
      #expect(recording.use[.priced] == 100_000_000)
      #expect(recording.use.databaseExecuting == 100_000_000)
      #expect(recording.gaps.map(\.duration) == [.milliseconds(100)])
      #expect(recording.gaps.first?.use.mostly == "priced")
      #expect(prices.counts.main == [.fault: 10_000])
    }
  }

  @Test func `fractions of a nanosecond add up`() {
    let prices = Prices([.statement: .nanoseconds(1) / 4])
    prices.open()
    let main = Prices.$current.withValue(prices) { ManualMain() }
    let recording = main.record(untilMilliseconds: 20) { queue, _ in
      for _ in 0..<1_000 {
        queue.async { Activity.slice(.perform) { Activity.count(.statements) } }
      }
    }
    #expect(recording.priced == 250)
  }

  @Test func `a caller waits for what the events before it cost`() {
    //          ├── 10,000 events ──┤ 100 ms ├
    // waiter      ├─────────────────────────┤
    let clock = ManualClock()
    let prices = Prices([.fault: .microseconds(10)], clock: clock)
    prices.open()
    let queue = Prices.$current.withValue(prices) { PrivateQueue(label: "q") }
    let (isWaiting, waited) = (Gate(), Story<Duration>())
    queue.async {
      isWaiting.wait()
      Activity.charge(.fault, 10_000)
    }
    TestThread { WaitTimer(isWaiting, waited, clock: clock).watch { queue.sync {} } }.join()
    #expect(waited.all == [.milliseconds(100)])
  }

  @Test func `threads of queues, their callers and unwatched threads pay for their own events`() {
    let queue = charging { PrivateQueue(label: "q") }
    queue.async { Activity.charge(.commit, 2) }
    queue.sync { Activity.charge(.commit, 3) }
    prices.charging { Activity.charge(.commit, 5) }
    #expect(prices.counts.others == [.commit: 10])
    #expect(Activity.recorder == nil)
  }

  @Test func `events cost nothing before the prices apply and after`() {
    let prices = Prices([.fault: .seconds(1_000)])
    let queue = Prices.$current.withValue(prices) { PrivateQueue(label: "q") }
    queue.sync { Activity.charge(.fault) }
    prices.open()
    prices.close()
    queue.sync { Activity.charge(.fault) }
    #expect(prices.counts == Prices.Counts())
  }

  @Test func `work keeps the thread busy for its CPU time`() {
    let clock = SystemClock()
    let start = clock.now()
    clock.work(for: .milliseconds(2))
    #expect(clock.now() - start >= .milliseconds(2))
  }
}

private final class WaitTimer: ActivityRecorder {
  private let isWaiting: Gate
  private let waited: Story<Duration>

  init(_ isWaiting: Gate, _ waited: Story<Duration>, clock: any MonotonicClock) {
    (self.isWaiting, self.waited) = (isWaiting, waited)
    super.init(clock: clock)
  }

  override func willWait(for cause: WaitCause, at start: Instant) { isWaiting.open() }

  override func waited(_ cause: WaitCause, from start: Instant, to end: Instant) {
    waited.tell(end - start)
  }
}
