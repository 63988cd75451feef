import Queues
import TestSupport
import Testing

@Suite("Charged locks")
struct ChargedLockTests {
  private struct Refusal: Error {}

  @Test func `a free lock charges nothing and reads no clock`() {
    let (lock, semaphore) = (ChargedLock(), ChargedSemaphore(value: 2))
    let clock = CountingClock()
    let recorder = WaitRecorder(clock: clock)
    recorder.watch {
      #expect(lock.withLock(waitingAs: .coordinator) { 7 } == 7)
      semaphore.wait(as: .sqlite)
      semaphore.wait(as: .sqlite)
      semaphore.signal()
      semaphore.wait(as: .sqlite)
    }
    #expect(recorder.begun.isEmpty)
    #expect(clock.readings == 0)
  }

  @Test func `waits are charged to their cause and end in order of arrival`() {
    let lock = ChargedLock()
    let events = Story<Int>()
    let charged = Story<WaitCause>()
    lock.lock(waitingAs: .other)
    let causes: [WaitCause] = [.coordinator, .sqlite, .parent]
    let waiters = causes.enumerated().map { number, cause in
      let isWaiting = Gate()
      let thread = TestThread {
        let recorder = WaitRecorder(isWaiting)
        recorder.watch { lock.withLock(waitingAs: cause) { events.tell(number) } }
        for cause in recorder.ended { charged.tell(cause) }
      }
      isWaiting.wait()
      return thread
    }
    #expect(events.all.isEmpty)
    lock.unlock()
    for waiter in waiters { waiter.join() }
    #expect(events.all == [0, 1, 2])
    #expect(Set(charged.all) == Set(causes))
    #expect(charged.all.count == 3)
  }

  @Test func `a semaphore admits as many as its value, and then in order of arrival`() {
    let semaphore = ChargedSemaphore(value: 2)
    let events = Story<Int>()
    semaphore.wait(as: .other)
    semaphore.wait(as: .other)
    let first = TestThread.waiting {
      semaphore.wait(as: .coordinator)
      events.tell(1)
    }
    let second = TestThread.waiting {
      semaphore.wait(as: .coordinator)
      events.tell(2)
    }
    semaphore.signal()
    first.join()
    #expect(events.all == [1])
    semaphore.signal()
    second.join()
    #expect(events.all == [1, 2])
  }

  @Test func `an error releases the lock`() {
    let lock = ChargedLock()
    #expect(throws: Refusal.self) { try lock.withLock(waitingAs: .other) { throw Refusal() } }
    TestThread { lock.withLock(waitingAs: .other) {} }.join()
  }
}
