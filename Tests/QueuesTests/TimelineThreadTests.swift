import Queues
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct TimelineThreadTests {
  private let timeline = Timeline()

  /// Runs `body` while main's thread has an open window.
  private func whileRecording(_ body: (SimulatedMainQueue) -> Void) -> RecordedWindow {
    Timeline.$current.withValue(timeline) {
      let main = SimulatedMainQueue()
      main.start()
      main.sync { main.openWindow(isRecorded: true) }
      body(main)
      main.sync { _ = main.closeWindow() }
      main.stop()
    }
    return timeline.recorded
  }

  private func run(_ queue: PrivateQueue, _ body: @escaping @Sendable () -> Void) {
    let done = Gate()
    queue.async {
      body()
      done.open()
    }
    done.wait()
    // The block's end is written before the next caller's turn.
    queue.sync {}
  }

  private func marks(_ tape: RecordedWindow.Tape?) -> [TimelineMark] {
    (tape?.events ?? []).map(\.mark)
  }

  @Test func `a queue's tape has its blocks, their slices and their waits`() {
    let window = whileRecording { main in
      run(PrivateQueue(label: "worker")) {
        Activity.slice(.fetch) { Activity.count(.statements, 3) }
        main.sync(waitingAs: .parent) {}
      }
    }
    let tape = window.tape(.thread(queue: 0))
    #expect(
      marks(tape) == [.hold, .carries, .slice, .end, .wait, .end, .end]
        || marks(tape) == [.hold, .slice, .end, .wait, .end, .end])
    #expect(tape?.events.filter { $0.mark == .end }.first?.value == 3)
    #expect(window.queues == ["worker"])
  }

  @Test func `a sync caller writes the queue's turn on its own tape`() {
    let window = whileRecording { _ in
      let root = PrivateQueue(label: "root")
      run(PrivateQueue(label: "worker")) { root.sync {} }
    }
    let holds = window.tape(.thread(queue: 1))?.events.filter { $0.mark == .hold }.map(\.subject)
    #expect(holds == [1, 0])
    #expect(window.tape(.thread(queue: 0)) == nil, "its own thread was never needed")
  }

  @Test func `a change number passes to the blocks that its work submits`() {
    let window = whileRecording { main in
      let queue = PrivateQueue(label: "worker")
      let done = Gate()
      Timeline.$change.withValue(7) {
        queue.async {
          main.async {
            Activity.slice(.merge) {}
            done.open()
          }
        }
      }
      done.wait()
      Timeline.$change.withValue(TimelineEvent.noChange) { main.sync { Activity.slice(.fetch) {} } }
    }
    func changes(_ tag: SliceTag) -> [UInt32] {
      (window.tape(.main)?.events ?? []).filter { $0.mark == .slice && $0.code == tag.rawValue }
        .map(\.change)
    }
    #expect(changes(.merge) == [7])
    #expect(changes(.fetch) == [TimelineEvent.noChange])
    #expect(
      window.tape(.thread(queue: 0))?.events.contains { $0.mark == .carries && $0.change == 7 }
        == true)
  }

  @Test func `an actor's work is recorded for the change of the task that calls it`() async {
    let (main, actor) = mainAndActor()
    main.start()
    main.sync { main.openWindow(isRecorded: true) }
    await Timeline.$change.withValue(7) { await actor.save() }
    main.sync { _ = main.closeWindow() }
    main.stop()
    let slices = timeline.recorded.tape(.thread(queue: 0))?.events.filter { $0.mark == .slice }
    #expect(slices?.map(\.change) == [7])
  }

  private func mainAndActor() -> (SimulatedMainQueue, Saver) {
    Timeline.$current.withValue(timeline) {
      (SimulatedMainQueue(), Saver(PrivateQueue(label: "actor")))
    }
  }

  @Test func `tapes can be read while queues are still writing`() {
    let queues = Timeline.$current.withValue(timeline) {
      (0..<3).map { PrivateQueue(label: "queue \($0)") }
    }
    let reads = Lock<[Int]>([])
    let window = whileRecording { _ in
      concurrently(4) { number in
        guard number < 3 else {
          for _ in 0..<50 {
            let count = timeline.recorded.tapes.reduce(0) { $0 + $1.events.count }
            reads.withLock { $0.append(count) }
          }
          return
        }
        for _ in 0..<200 { queues[number].sync { Activity.slice(.fetch) {} } }
        run(queues[number]) { for _ in 0..<500 { Activity.slice(.fault) {} } }
      }
    }
    let counts = reads.withLock { $0 }
    #expect(counts == counts.sorted())
    for tape in window.tapes {
      let times = tape.events.map(\.time)
      #expect(times == times.sorted())
    }
  }
}

/// Runs on a queue.
private actor Saver {
  private let executor: QueueExecutor

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ queue: PrivateQueue) { executor = QueueExecutor(queue) }

  func save() { QueueExecutor.carryingChange { Activity.slice(.save) {} } }
}
