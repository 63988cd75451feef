import Foundation
import Queues
import Testing

/// @unchecked: only the queue or lock under test protects it, as ThreadSanitizer shows.
private final class Unprotected: @unchecked Sendable {
  var count = 0
}

/// Long enough for ThreadSanitizer to find a race: `scripts/test --tsan`.
@Suite("Contention")
struct ContentionTests {
  private let threads = 4
  private let rounds = 10_000

  @Test func `a private queue alone orders the blocks and callers of many threads`() {
    let queue = PrivateQueue(label: "q")
    let number = Unprotected()
    concurrently(threads) { _ in
      for round in 0..<rounds {
        if round.isMultiple(of: 3) {
          queue.async { number.count += 1 }
        } else {
          queue.sync { number.count += 1 }
        }
      }
    }
    #expect(queue.sync { number.count } == threads * rounds)
  }

  @Test func `nested queues each order the data that they protect`() {
    let (parent, child) = (PrivateQueue(label: "parent"), PrivateQueue(label: "child"))
    let (above, below) = (Unprotected(), Unprotected())
    concurrently(threads) { _ in
      for round in 0..<rounds / 2 {
        child.sync {
          below.count += 1
          parent.sync(waitingAs: .parent) { above.count += 1 }
        }
        if round.isMultiple(of: 7) { parent.async { above.count += 1 } }
      }
    }
    #expect(child.sync { below.count } == threads * rounds / 2)
    #expect(parent.sync { above.count } > threads * rounds / 2)
  }

  @Test func `short-lived queues lose no block`() {
    let number = Lock(0)
    let ran = ChargedSemaphore(value: 0)
    for _ in 0..<500 {
      let queue = PrivateQueue(label: "short-lived")
      for _ in 0..<3 {
        queue.async {
          number.withLock { $0 += 1 }
          ran.signal()
        }
      }
    }
    for _ in 0..<1_500 { ran.wait(as: .other) }
    #expect(number.withLock { $0 } == 1_500)
  }

  @Test func `the main queue alone orders the blocks and callers of many threads`() {
    let main = SimulatedMainQueue()
    main.start()
    defer { main.stop() }
    let number = Unprotected()
    main.sync { main.openWindow() }
    concurrently(threads) { _ in
      for round in 0..<rounds {
        if round.isMultiple(of: 10) {
          main.sync { number.count += 1 }
        } else {
          main.async { number.count += 1 }
        }
      }
    }
    let recording = main.sync { main.closeWindow() }
    #expect(main.sync { number.count } == threads * rounds)
    #expect(!recording.gaps.isEmpty)
  }

  @Test func `a charged lock and a semaphore of one order the data that they protect`() {
    let (lock, semaphore) = (ChargedLock(), ChargedSemaphore(value: 1))
    let (locked, counted) = (Unprotected(), Unprotected())
    concurrently(threads) { _ in
      for _ in 0..<rounds {
        lock.withLock(waitingAs: .coordinator) { locked.count += 1 }
        semaphore.wait(as: .sqlite)
        counted.count += 1
        semaphore.signal()
      }
    }
    #expect(locked.count == threads * rounds)
    #expect(counted.count == threads * rounds)
  }

  /// The negative control: two queues order nothing between them. A script checks that
  /// ThreadSanitizer reports it.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["TOPOBENCH_RACE_ON_PURPOSE"] != nil))
  func `race on purpose: two queues do not order each other`() {
    let queues = [PrivateQueue(label: "a"), PrivateQueue(label: "b")]
    let number = Unprotected()
    concurrently(2) { place in
      for _ in 0..<rounds { queues[place].sync { number.count += 1 } }
    }
    #expect(number.count > 0)
  }
}
