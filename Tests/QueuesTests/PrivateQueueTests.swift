import Queues
import Testing

@Suite("Private queues")
struct PrivateQueueTests {
  private struct Refusal: Error {}

  /// A queue that a thread holds until `letGo`.
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
  func `blocks run in order of submission, on one thread that is not the caller's`(isWarm: Bool) {
    let queue = PrivateQueue(label: "q", isWarm: isWarm)
    let story = Story<Int>()
    let threads = Story<ObjectIdentifier>()
    for number in 0..<1_000 {
      queue.async {
        story.tell(number)
        threads.tell(currentThread())
      }
    }
    queue.sync {}
    #expect(story.all == Array(0..<1_000))
    #expect(Set(threads.all).count == 1)
    #expect(threads.all.first != currentThread())
  }

  @Test func `async never runs inline, not even from the queue itself`() {
    let queue = PrivateQueue(label: "q")
    let story = Story<String>()
    let done = Gate()
    queue.async {
      queue.async {
        story.tell("inner")
        done.open()
      }
      queue.sync { queue.async { story.tell("innermost") } }
      story.tell("outer")
    }
    done.wait()
    queue.sync {}
    #expect(story.all == ["outer", "inner", "innermost"])
  }

  @Test func `sync borrows the caller's thread`() {
    let queue = PrivateQueue(label: "q")
    #expect(!queue.isCurrent)
    queue.async { #expect(queue.isCurrent) }
    let ran = queue.sync { (thread: currentThread(), isCurrent: queue.isCurrent) }
    #expect(ran.thread == currentThread())
    #expect(ran.isCurrent)
    #expect(!queue.isCurrent)
  }

  @Test func `sync runs inline where the thread holds the queue, however deep`() {
    let (a, b) = (PrivateQueue(label: "a"), PrivateQueue(label: "b"))
    let recorder = WaitRecorder()
    let answer = recorder.watch {
      a.sync { b.sync { a.sync { b.sync { a.isCurrent && b.isCurrent } } } }
    }
    #expect(answer)
    #expect(!a.isCurrent && !b.isCurrent)
    #expect(recorder.begun.isEmpty)
  }

  @Test func `the queue is current on the thread that holds it, and on no other`() {
    let queue = PrivateQueue(label: "q")
    let (letGo, holder) = held(queue)
    #expect(!queue.isCurrent)
    letGo.open()
    holder.join()
  }

  @Test func `blocks and callers are served in the order in which they came`() {
    //  line   held │ block 1 │ caller 2 │ block 3 │ caller 4 │ caller 5
    let queue = PrivateQueue(label: "q")
    let story = Story<Int>()
    let threads = Story<ObjectIdentifier>()
    let (letGo, holder) = held(queue)
    let tell: @Sendable (Int) -> Void = { number in
      story.tell(number)
      threads.tell(currentThread())
    }
    queue.async { tell(1) }
    let second = threadThatWaits { queue.sync { tell(2) } }
    queue.async { tell(3) }
    let fourth = threadThatWaits { queue.sync { tell(4) } }
    let fifth = threadThatWaits { queue.sync { tell(5) } }
    #expect(story.all.isEmpty)
    letGo.open()
    for thread in [holder, second, fourth, fifth] { thread.join() }
    #expect(story.all == [1, 2, 3, 4, 5])
    let ran = threads.all
    #expect(ran[0] == ran[2], "both blocks ran on the queue's thread")
    #expect(Set(ran).count == 4, "each caller on its own")
  }

  @Test func `callers hand the queue to each other in order`() {
    let queue = PrivateQueue(label: "q")
    let story = Story<Int>()
    let (letGo, holder) = held(queue)
    let callers = (0..<8).map { number in
      threadThatWaits { queue.sync { story.tell(number) } }
    }
    letGo.open()
    for thread in callers + [holder] { thread.join() }
    #expect(story.all == Array(0..<8))
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

  @Test func `results and errors come back, and an error gives the queue back`() throws {
    let queue = PrivateQueue(label: "q")
    #expect(queue.sync { 7 } == 7)
    #expect(throws: Refusal.self) { try queue.sync { throw Refusal() } }
    #expect(!queue.isCurrent)
    let other = TestThread { queue.sync {} }
    other.join()
  }
}

@Suite("The life of a private queue's thread")
struct PrivateQueueThreadTests {
  /// Lets go of what it holds of its thread when the thread ends.
  private final class LastWords: ActivityRecorder {
    private let gate: Gate

    init(_ gate: Gate) {
      self.gate = gate
      super.init()
    }

    deinit { gate.open() }
  }

  @Test(arguments: [false, true])
  func `the thread ends when the queue is gone`(isWarm: Bool) {
    let ended = Gate()
    do {
      let queue = PrivateQueue(label: "q", isWarm: isWarm)
      queue.async { Activity.install(LastWords(ended)) }
      queue.sync {}
    }
    ended.wait()
  }

  @Test func `a queue that is dropped runs its blocks first, the last of which may drop it`() {
    let (ended, letGo) = (Gate(), Gate())
    let story = Story<Int>()
    do {
      let queue = PrivateQueue(label: "q")
      queue.async {
        Activity.install(LastWords(ended))
        letGo.wait()
      }
      for number in 0..<10 { queue.async { story.tell(number) } }
      queue.async { story.tell(queue.isCurrent ? 10 : -1) }
    }
    letGo.open()
    ended.wait()
    #expect(story.all == Array(0...10))
  }

  @Test func `an idle thread does not keep what its last block held`() {
    let queue = PrivateQueue(label: "q")
    let gone = Gate()
    do {
      let held = LastWords(gone)
      // The proof: only the queue's thread touches it, to let it go.
      nonisolated(unsafe) let passed = held
      queue.async { _ = passed }
    }
    gone.wait()
    queue.sync {}
  }
}
