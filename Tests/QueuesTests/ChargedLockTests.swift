import Queues
import Testing

@Suite("Locks whose waits are charged")
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

  @Test func `a wait is charged to its cause, and who came first goes first`() {
    let lock = ChargedLock()
    let story = Story<Int>()
    let charged = Story<WaitCause>()
    lock.lock(waitingAs: .other)
    let causes: [WaitCause] = [.coordinator, .sqlite, .parent]
    let waiters = causes.enumerated().map { number, cause in
      let isWaiting = Gate()
      let thread = TestThread {
        let recorder = WaitRecorder(isWaiting)
        recorder.watch { lock.withLock(waitingAs: cause) { story.tell(number) } }
        for cause in recorder.ended { charged.tell(cause) }
      }
      isWaiting.wait()
      return thread
    }
    #expect(story.all.isEmpty)
    lock.unlock()
    for waiter in waiters { waiter.join() }
    #expect(story.all == [0, 1, 2])
    #expect(Set(charged.all) == Set(causes))
    #expect(charged.all.count == 3)
  }

  @Test func `a semaphore lets in as many as it has, and a unit goes to who waited longest`() {
    let semaphore = ChargedSemaphore(value: 2)
    let story = Story<Int>()
    semaphore.wait(as: .other)
    semaphore.wait(as: .other)
    let first = threadThatWaits {
      semaphore.wait(as: .coordinator)
      story.tell(1)
    }
    let second = threadThatWaits {
      semaphore.wait(as: .coordinator)
      story.tell(2)
    }
    semaphore.signal()
    first.join()
    #expect(story.all == [1])
    semaphore.signal()
    second.join()
    #expect(story.all == [1, 2])
  }

  @Test func `an error lets go of the lock`() {
    let lock = ChargedLock()
    #expect(throws: Refusal.self) { try lock.withLock(waitingAs: .other) { throw Refusal() } }
    TestThread { lock.withLock(waitingAs: .other) {} }.join()
  }
}
