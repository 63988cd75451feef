import Foundation
import Queues

extension Story {
  static let queues: [Story] = [turns, closing, inbox, visits, waits, stopping, slots, signals]

  /// A thread that others wait for.
  static func thread(_ body: @escaping @Sendable () -> Void) -> ChargedSemaphore {
    let isDone = ChargedSemaphore(value: 0)
    Thread {
      body()
      isDone.signal()
    }.start()
    return isDone
  }

  private static let turns = Story(
    name: "queues,private-queue", isSmall: true,
    body: .thread { checks in
      let queue = PrivateQueue(label: "queue")
      let log = Log()
      checks.begin()
      let other = thread {
        queue.async { log.hold("b1") }
        queue.sync { log.hold("b2") }
        queue.async { log.hold("b3") }
      }
      queue.async { log.hold("a1") }
      queue.sync { log.hold("a2") }
      queue.async { log.hold("a3") }
      other.wait(as: .other)
      queue.sync { log.hold("end") }
      checks.end()
      log.check(checks, ["a": 3, "b": 3], last: "end")
    })

  /// The last block runs although nobody else holds the queue.
  private static let closing = Story(
    name: "queues,private-queue-closing", isSmall: true,
    body: .thread { checks in
      let ran = ChargedSemaphore(value: 0)
      checks.begin()
      do {
        let queue = PrivateQueue(label: "queue", isWarm: true)
        let other = thread { [queue] in queue.async { ran.signal() } }
        queue.async { ran.signal() }
        other.wait(as: .other)
      }
      for _ in 0..<2 { ran.wait(as: .other) }
      checks.end()
    })

  private static let inbox = Story(
    name: "queues,main-inbox", isSmall: true,
    body: .thread { checks in
      let (main, log) = (SimulatedMainQueue.unwatched(), Log())
      main.start()
      checks.begin()
      let other = thread {
        main.async { log.hold("b1") }
        main.sync { log.hold("b2") }
      }
      main.async { log.hold("a1") }
      main.schedule(at: Instant(nanoseconds: 0)) { log.hold("e1") }
      main.sync { log.hold("a2") }
      other.wait(as: .other)
      main.sync { log.hold("end") }
      checks.end()
      main.stop()
      log.check(checks, ["a": 2, "b": 2, "e": 1], last: "end")
    })

  /// Main borrows a private queue while its blocks go to main.
  private static let visits = Story(
    name: "queues,main-and-private-queue", isSmall: true,
    body: .thread { checks in
      let (main, queue) = (SimulatedMainQueue.unwatched(), PrivateQueue(label: "queue"))
      let (log, mainLog) = (Log(), Log())
      main.start()
      checks.begin()
      main.async {
        queue.sync { log.hold("a1") }
        queue.async { log.hold("a2") }
      }
      queue.async {
        main.async { mainLog.hold("m1") }
        log.hold("b1")
      }
      main.sync {}
      queue.sync {}
      main.sync { mainLog.hold("end") }
      checks.end()
      main.stop()
      log.check(checks, ["a": 2, "b": 1], last: nil)
      mainLog.check(checks, ["m": 1], last: "end")
    })

  /// Main waits for a queue whose block has just waited for main. No thread waits for ever.
  private static let waits = Story(
    name: "queues,main-waits-in-turn", isSmall: true,
    body: .thread { checks in
      let (main, queue, log) = (SimulatedMainQueue.unwatched(), PrivateQueue(label: "q"), Log())
      main.start()
      checks.begin()
      let other = thread {
        queue.sync { main.sync { main.async { queue.sync { log.hold("a1") } } } }
      }
      other.wait(as: .other)
      main.sync {}
      checks.end()
      main.stop()
      log.check(checks, ["a": 1], last: nil)
    })

  private static let stopping = Story(
    name: "queues,main-stop", isSmall: true,
    body: .thread { checks in
      let (main, log) = (SimulatedMainQueue.unwatched(), Log())
      main.start()
      checks.begin()
      let other = thread { main.async { log.hold("b1") } }
      main.async { log.hold("a1") }
      other.wait(as: .other)
      let stop = thread { main.stop() }
      main.stop()
      stop.wait(as: .other)
      checks.end()
      log.check(checks, ["a": 1, "b": 1], last: nil)
    })

  /// Never more threads are inside than there are slots, and no thread waits for ever.
  private static let slots = Story(
    name: "queues,charged-semaphore", isSmall: true,
    body: .thread { checks in
      let slots = ChargedSemaphore(value: 2, for: "a read")
      let inside = Lock((now: 0, most: 0))
      let step: @Sendable () -> Void = {
        for _ in 0..<2 {
          slots.holding(waitingAs: .other) {
            inside.withLock {
              $0.now += 1
              $0.most = max($0.most, $0.now)
            }
            inside.withLock { $0.now -= 1 }
          }
        }
      }
      checks.begin()
      let others = (0..<2).map { _ in thread(step) }
      step()
      for other in others { other.wait(as: .other) }
      checks.end()
      if inside.withLock({ $0.most }) > 2 { checks.fail("more than two threads were inside") }
    })
}

extension Story {
  /// Each signal wakes another thread.
  fileprivate static let signals = Story(
    name: "queues,signals", isSmall: true,
    body: .thread { checks in
      let semaphore = ChargedSemaphore(value: 0)
      checks.begin()
      let waiters = (0..<2).map { _ in thread { semaphore.wait(as: .other) } }
      let other = thread { semaphore.signal() }
      semaphore.signal()
      for thread in waiters + [other] { thread.wait(as: .other) }
      checks.end()
    })
}

/// Blocks that ran, in order. Each takes a while.
private final class Log: Sendable {
  private struct State {
    var entries: [String] = []
    var isHeld = false
    var overlaps = 0
  }

  private let state = Lock(State())

  func hold(_ entry: String) {
    state.withLock {
      if $0.isHeld { $0.overlaps += 1 }
      $0.isHeld = true
    }
    state.withLock {
      $0.entries.append(entry)
      $0.isHeld = false
    }
  }

  /// Each block ran once, one at a time, in each thread's order.
  ///
  /// - Parameter counts: the blocks of each thread.
  func check(_ checks: Checks, _ counts: [Character: Int], last: String?) {
    let (entries, overlaps) = state.withLock { ($0.entries, $0.overlaps) }
    checks.expect("blocks at the same time", overlaps, 0)
    if let last { checks.expect("the last block", entries.last, last) }
    for (thread, count) in counts {
      let own = entries.filter { $0.first == thread && $0 != last }
      checks.expect("the blocks of \(thread)", own, (1...count).map { "\(thread)\($0)" })
    }
  }
}
