import Queues
import TestSupport
import Testing

@Suite("The main queue on its thread")
struct MainQueueThreadTests {
  private struct Refusal: Error {}

  private func withMain(_ body: (SimulatedMainQueue) throws -> Void) rethrows {
    let main = SimulatedMainQueue()
    main.start()
    defer { main.stop() }
    try body(main)
  }

  @Test func `a worker's sync block runs on main and returns its result or error`() {
    withMain { main in
      // Catches main releasing a block too late.
      for number in 0..<2_000 {
        #expect(main.sync { main.isCurrent ? number : -1 } == number)
      }
      #expect(!main.isCurrent)
      #expect(throws: Refusal.self) { try main.sync { throw Refusal() } }
    }
  }

  @Test func `everything runs on one thread, in order of submission`() {
    withMain { main in
      let (events, threads) = (Story<Int>(), Story<ObjectIdentifier>())
      for number in 0..<500 {
        main.async {
          events.tell(number)
          threads.tell(currentThread())
        }
      }
      threads.tell(main.sync { currentThread() })
      #expect(events.all == Array(0..<500))
      #expect(Set(threads.all).count == 1)
      #expect(threads.all.first != currentThread())
    }
  }

  @Test func `a worker's wait for main is charged to the worker, not to main`() {
    withMain { main in
      main.sync { main.openWindow() }
      let recorder = WaitRecorder()
      recorder.watch { main.sync(waitingAs: .parent) {} }
      #expect(recorder.begun == [.parent])
      #expect(recorder.ended == [.parent])
      let recording = main.sync { main.closeWindow() }
      #expect(recording.use.databaseWaiting == 0)
    }
  }

  @Test func `sync from main to a private queue runs on main's thread`() {
    withMain { main in
      let queue = PrivateQueue(label: "q")
      let ran = main.sync {
        queue.sync { (currentThread(), main.isCurrent && queue.isCurrent, main.sync { true }) }
      }
      #expect(ran.0 == main.sync { currentThread() })
      #expect(ran.1 && ran.2)
    }
  }

  @Test func `an event is not served before its time`() {
    withMain { main in
      let (events, served) = (Story<Bool>(), Gate())
      let due = main.clock.now() + .milliseconds(5)
      main.schedule(at: due) {
        events.tell(main.isCurrent && main.clock.now() >= due)
        served.open()
      }
      served.wait()
      #expect(events.all == [true])
    }
  }

  @Test func `idle main answers every beat of the grid, none of them early`() {
    withMain { main in
      let served = Gate()
      main.sync { main.openWindow() }
      main.schedule(at: main.clock.now() + .milliseconds(20)) { served.open() }
      served.wait()
      let recording = main.sync { main.closeWindow() }
      let dues = recording.beats.map(\.due.nanoseconds)
      #expect(dues.count >= 19)
      #expect(zip(dues, dues.dropFirst()).allSatisfy { $1 - $0 == 1_000_000 })
      #expect(recording.beats.allSatisfy { $0.lateness >= .zero })
    }
  }
}

@Suite("Start and stop of the main queue's thread")
struct MainQueueLifeTests {
  @Test func `queued blocks run even if stop comes before the thread's first turn`() {
    for _ in 0..<200 {
      let main = SimulatedMainQueue()
      let events = Story<Int>()
      main.async { events.tell(1) }
      main.start()
      main.stop()
      #expect(events.all == [1])
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `stop ends a loop that a block has just woken`() {
    for _ in 0..<200 {
      // Without heartbeats, nothing else wakes the loop.
      let main = SimulatedMainQueue(heartbeat: nil)
      main.start()
      main.sync {}
      main.async {}
      main.stop()
    }
  }

  @Test func `stop runs the queued blocks and may be called again`() {
    let main = SimulatedMainQueue()
    let events = Story<Int>()
    main.async { main.async { events.tell(2) } }
    main.async { events.tell(1) }
    main.start()
    concurrently(3) { _ in main.stop() }
    main.stop()
    #expect(events.all == [1, 2])
    main.async { events.tell(3) }
    #expect(events.all == [1, 2])
  }

  @Test func `stopping a queue that never started does nothing`() {
    SimulatedMainQueue().stop()
  }

  @Test func `a stopped queue is deallocated`() {
    let gone = Gate()
    final class Held: Sendable {
      let gate: Gate
      init(_ gate: Gate) { self.gate = gate }
      deinit { gate.open() }
    }
    do {
      let main = SimulatedMainQueue()
      let held = Held(gone)
      _ = main.addPendingChangesObserver { _ = held }
      main.start()
      main.stop()
    }
    gone.wait()
  }

  @Test func `a thread that the system cannot start stops the program with the reason`()
    async throws
  {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { StartedThread.run(stackSize: 1 << 60) {} }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("the system cannot start another thread: "), "\(text)")
  }
}
