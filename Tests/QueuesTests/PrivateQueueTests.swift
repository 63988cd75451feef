import Queues
import TestSupport
import Testing

@Suite("Private queues")
struct PrivateQueueTests {
  private struct Refusal: Error {}

  /// A thread holds the queue until `letGo` opens.
  private func held(_ queue: PrivateQueue) -> (letGo: Gate, holder: TestThread) {
    let (isHeld, letGo) = (Gate(), Gate())
    let holder = TestThread {
      queue.sync {
        isHeld.open()
        letGo.wait()
      }
    }
    isHeld.wait()
    return (letGo, holder)
  }

  @Test(arguments: [false, true])
  func `blocks run in order of submission on one thread, not the caller's`(isWarm: Bool) {
    let queue = PrivateQueue(label: "q", isWarm: isWarm)
    let events = Story<Int>()
    let threads = Story<ObjectIdentifier>()
    for number in 0..<1_000 {
      queue.async {
        events.tell(number)
        threads.tell(currentThread())
      }
    }
    queue.sync {}
    #expect(events.all == Array(0..<1_000))
    #expect(Set(threads.all).count == 1)
    #expect(threads.all.first != currentThread())
  }

  @Test func `async never runs inline, not even on the queue itself`() {
    let queue = PrivateQueue(label: "q")
    let events = Story<String>()
    let done = Gate()
    queue.async {
      queue.async {
        events.tell("inner")
        done.open()
      }
      queue.sync { queue.async { events.tell("innermost") } }
      events.tell("outer")
    }
    done.wait()
    queue.sync {}
    #expect(events.all == ["outer", "inner", "innermost"])
  }

  @Test func `sync runs on the caller's thread`() {
    let queue = PrivateQueue(label: "q")
    #expect(!queue.isCurrent)
    queue.async { #expect(queue.isCurrent) }
    let ran = queue.sync { (thread: currentThread(), isCurrent: queue.isCurrent) }
    #expect(ran.thread == currentThread())
    #expect(ran.isCurrent)
    #expect(!queue.isCurrent)
  }

  @Test func `nested sync on a held queue runs inline`() {
    let (a, b) = (PrivateQueue(label: "a"), PrivateQueue(label: "b"))
    let recorder = WaitRecorder()
    let answer = recorder.watch {
      a.sync { b.sync { a.sync { b.sync { a.isCurrent && b.isCurrent } } } }
    }
    #expect(answer)
    #expect(!a.isCurrent && !b.isCurrent)
    #expect(recorder.begun.isEmpty)
  }

  @Test func `the queue is current only on the thread that holds it`() {
    let queue = PrivateQueue(label: "q")
    let (letGo, holder) = held(queue)
    #expect(!queue.isCurrent)
    letGo.open()
    holder.join()
  }

  @Test func `blocks and callers are served in order of arrival`() {
    //  line   held │ block 1 │ caller 2 │ block 3 │ caller 4 │ caller 5
    let queue = PrivateQueue(label: "q")
    let events = Story<Int>()
    let threads = Story<ObjectIdentifier>()
    let (letGo, holder) = held(queue)
    let tell: @Sendable (Int) -> Void = { number in
      events.tell(number)
      threads.tell(currentThread())
    }
    queue.async { tell(1) }
    let second = TestThread.waiting { queue.sync { tell(2) } }
    queue.async { tell(3) }
    let fourth = TestThread.waiting { queue.sync { tell(4) } }
    let fifth = TestThread.waiting { queue.sync { tell(5) } }
    #expect(events.all.isEmpty)
    letGo.open()
    for thread in [holder, second, fourth, fifth] { thread.join() }
    #expect(events.all == [1, 2, 3, 4, 5])
    let ran = threads.all
    #expect(ran[0] == ran[2], "both blocks ran on the queue's thread")
    #expect(Set(ran).count == 4, "each caller on its own")
  }

  @Test func `waiting callers get the queue in order`() {
    let queue = PrivateQueue(label: "q")
    let events = Story<Int>()
    let (letGo, holder) = held(queue)
    let callers = (0..<8).map { number in
      TestThread.waiting { queue.sync { events.tell(number) } }
    }
    letGo.open()
    for thread in callers + [holder] { thread.join() }
    #expect(events.all == Array(0..<8))
  }

  @Test func `a wait is charged to its cause`() {
    let queue = PrivateQueue(label: "q")
    let (letGo, holder) = held(queue)
    let (isWaiting, waits) = (Gate(), Story<WaitCause>())
    let waiter = TestThread {
      let recorder = WaitRecorder(isWaiting)
      recorder.watch { queue.sync(waitingAs: .parent) {} }
      for cause in recorder.begun + recorder.ended { waits.tell(cause) }
    }
    isWaiting.wait()
    letGo.open()
    waiter.join()
    holder.join()
    #expect(waits.all == [.parent, .parent])
  }

  @Test func `a free queue charges nothing and reads no clock`() {
    let queue = PrivateQueue(label: "q")
    let clock = CountingClock()
    let recorder = WaitRecorder(clock: clock)
    recorder.watch { for _ in 0..<10 { queue.sync {} } }
    #expect(recorder.begun.isEmpty)
    #expect(clock.readings == 0)
  }

  @Test func `sync returns results and errors, and an error releases the queue`() throws {
    let queue = PrivateQueue(label: "q")
    #expect(queue.sync { 7 } == 7)
    #expect(throws: Refusal.self) { try queue.sync { throw Refusal() } }
    #expect(!queue.isCurrent)
    let other = TestThread { queue.sync {} }
    other.join()
  }
}

@Suite("The thread of a private queue")
struct PrivateQueueThreadTests {
  /// Counts the deinitialisation of a thread-local object when the thread ends.
  private final class LastWords: ActivityRecorder {
    private let gate: Gate

    init(_ gate: Gate) {
      self.gate = gate
      super.init()
    }

    deinit { gate.open() }
  }

  @Test(arguments: [false, true])
  func `the thread ends when the queue is deallocated`(isWarm: Bool) {
    let ended = Gate()
    do {
      let queue = PrivateQueue(label: "q", isWarm: isWarm)
      queue.async { Activity.install(LastWords(ended)) }
      queue.sync {}
    }
    ended.wait()
  }

  @Test func `a released queue first runs its blocks, and the last block may release it`() {
    let (ended, letGo) = (Gate(), Gate())
    let events = Story<Int>()
    do {
      let queue = PrivateQueue(label: "q")
      queue.async {
        Activity.install(LastWords(ended))
        letGo.wait()
      }
      for number in 0..<10 { queue.async { events.tell(number) } }
      queue.async { events.tell(queue.isCurrent ? 10 : -1) }
    }
    letGo.open()
    ended.wait()
    #expect(events.all == Array(0...10))
  }

  @Test func `an idle thread does not retain the objects of its last block`() {
    let queue = PrivateQueue(label: "q")
    let gone = Gate()
    do {
      let held = LastWords(gone)
      // @unchecked: only the queue's thread touches it, to release it.
      nonisolated(unsafe) let passed = held
      queue.async { _ = passed }
    }
    gone.wait()
    queue.sync {}
  }
}
