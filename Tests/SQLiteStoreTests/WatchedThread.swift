import Foundation
import Queues
import Synchronization

struct ActivityLog: Sendable {
  var waits: [WaitCause] = []
  var counts: [ActivityCounter: Int] = [:]
  var checkpoints: [Duration] = []

  subscript(counter: ActivityCounter) -> Int { counts[counter] ?? 0 }
}

private final class LoggingRecorder: ActivityRecorder {
  var log = ActivityLog()
  let onCount: @Sendable (ActivityCounter) -> Void
  let onWait: @Sendable (WaitCause) -> Void

  init(
    onCount: @escaping @Sendable (ActivityCounter) -> Void,
    onWait: @escaping @Sendable (WaitCause) -> Void
  ) {
    self.onCount = onCount
    self.onWait = onWait
  }

  override func waited(_ cause: WaitCause, from start: Instant, to end: Instant) {
    log.waits.append(cause)
    onWait(cause)
  }

  override func count(_ counter: ActivityCounter, _ amount: Int) {
    log.counts[counter, default: 0] += amount
    onCount(counter)
  }

  override func checkpointed(from start: Instant, to end: Instant) {
    log.checkpoints.append(end - start)
  }
}

final class WatchedThread<Success: Sendable>: Sendable {
  private let outcome = Lock<(Result<Success, any Error>, ActivityLog)?>(nil)
  private let ended = DispatchSemaphore(value: 0)

  init(
    onCount: @escaping @Sendable (ActivityCounter) -> Void = { _ in },
    onWait: @escaping @Sendable (WaitCause) -> Void = { _ in },
    _ body: @escaping @Sendable () throws -> Success
  ) {
    Thread { [self] in
      let recorder = LoggingRecorder(onCount: onCount, onWait: onWait)
      Activity.install(recorder)
      let result = Result { try body() }
      Activity.install(nil)
      let log = recorder.log
      outcome.withLock { $0 = (result, log) }
      ended.signal()
    }.start()
  }

  /// Call it once.
  func join() throws -> (Success, ActivityLog) {
    ended.wait()
    let (result, log) = outcome.withLock { $0 }!
    return (try result.get(), log)
  }
}

func watched<Success: Sendable>(
  _ body: @escaping @Sendable () throws -> Success
) throws -> (Success, ActivityLog) {
  try WatchedThread(body).join()
}

/// Stops the first thread that passes, until it is released. Later threads pass.
final class Gate: Sendable {
  private let isArmed = Atomic(true)
  private let reached = DispatchSemaphore(value: 0)
  private let released = DispatchSemaphore(value: 0)

  func pass() {
    guard isArmed.exchange(false, ordering: .relaxed) else { return }
    reached.signal()
    released.wait()
  }

  func waitUntilReached() { reached.wait() }
  func release() { released.signal() }
}
