import Foundation
import Queues
import TestSupport
import Testing

// An alarm ends a program whose deadlock nobody notices. Its test then fails instead of waiting.

@Suite("Deadlocks in checked mode") struct DeadlockTests {
  private func expectStop(
    _ text: String, _ result: ExitTest.Result?, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(output.contains(text), "\(output)", sourceLocation: sourceLocation)
  }

  @Test func `two queues that wait for each other stop the program`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      alarm(60)
      let (one, two) = (PrivateQueue(label: "one"), PrivateQueue(label: "two"))
      let (oneIsHeld, twoIsHeld) = (Gate(), Gate())
      let other = TestThread {
        two.sync {
          twoIsHeld.open()
          oneIsHeld.wait()
          one.sync {}
        }
      }
      one.sync {
        oneIsHeld.open()
        twoIsHeld.wait()
        two.sync {}
      }
      other.join()
    }
    expectStop("a block of queue 'one' waits for a block of queue 'two'", result)
    expectStop("a block of queue 'two' waits for a block of queue 'one'", result)
  }

  @Test func `main and a queue that wait for each other stop the program`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      alarm(60)
      let (main, queue) = (SimulatedMainQueue.unwatched(), PrivateQueue(label: "worker"))
      main.start()
      queue.sync { main.sync { queue.sync {} } }
    }
    expectStop("a block of queue 'main' waits for a block of queue 'worker'", result)
  }

  @Test func `a call that takes its own lock again stops the program`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      alarm(60)
      let slots = ChargedSemaphore(value: 2, for: "a read")
      slots.holding(waitingAs: .other) {
        slots.holding(waitingAs: .other) { slots.holding(waitingAs: .other) {} }
      }
    }
    expectStop("deadlock: a read waits for a read; end the outer call first", result)
  }

  /// Runs its jobs in blocks of a queue, on the thread that enqueues them.
  private final class QueueExecutor: SerialExecutor {
    let queue: PrivateQueue

    init(_ label: String) { queue = PrivateQueue(label: label) }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.sync { job.runSynchronously(on: asUnownedSerialExecutor()) }
    }
  }

  private actor Model {
    let executor: QueueExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ label: String) { executor = QueueExecutor(label) }

    func call(_ other: Model, opening isCalled: Gate) async {
      isCalled.open()
      await other.answer()
    }

    func answer() {}
  }

  @Test func `an actor whose executor waits for a queue stops the program in a deadlock`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      alarm(60)
      let (one, two) = (Model("one"), Model("two"))
      let (isHeld, isCalled) = (Gate(), Gate())
      let other = TestThread {
        two.executor.queue.sync {
          isHeld.open()
          isCalled.wait()
          one.executor.queue.sync {}
        }
      }
      isHeld.wait()
      await one.call(two, opening: isCalled)
      other.join()
    }
    expectStop("a block of queue 'one' waits for a block of queue 'two'", result)
  }

  @Test func `main may wait for a queue whose block has just waited for main`() async {
    await #expect(processExitsWith: .success) {
      alarm(60)
      let (main, queue) = (SimulatedMainQueue.unwatched(), PrivateQueue(label: "worker"))
      main.start()
      for _ in 0..<200 {
        queue.sync { main.sync { main.async { queue.sync {} } } }
        main.sync {}
      }
      main.stop()
    }
  }

  @Test func `a thread that waits for a busy queue is no deadlock`() {
    let (one, two) = (PrivateQueue(label: "one"), PrivateQueue(label: "two"))
    let (isHeld, letGo) = (Gate(), Gate())
    let holder = TestThread {
      one.sync {
        isHeld.open()
        letGo.wait()
      }
    }
    isHeld.wait()
    let waiters = (0..<2).map { _ in TestThread.waiting { two.sync { one.sync {} } } }
    letGo.open()
    for thread in waiters + [holder] { thread.join() }
  }
}
