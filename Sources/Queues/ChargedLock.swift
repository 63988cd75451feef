import DequeModule

/// A lock that records each wait for it under a `WaitCause`. First come, first served. Taking a
/// free lock reads no clock.
public final class ChargedLock: Sendable {
  private let semaphore = ChargedSemaphore(value: 1)

  public init() {}

  public func lock(waitingAs cause: WaitCause) { semaphore.wait(as: cause) }
  public func unlock() { semaphore.signal() }

  public func withLock<R>(waitingAs cause: WaitCause, _ body: () throws -> R) rethrows -> R {
    lock(waitingAs: cause)
    defer { unlock() }
    return try body()
  }
}

/// A counting semaphore that records each wait under a `WaitCause`. `signal` wakes the thread that
/// has waited longest.
public final class ChargedSemaphore: Sendable {
  private struct State {
    var free: Int
    var waiting: Deque<Parker> = []
  }

  private let state: Lock<State>

  /// - Precondition: `value` is not negative.
  public init(value: Int) {
    guard value >= 0 else { fatalError("a semaphore starts at 0 or more, not \(value)") }
    state = Lock(State(free: value))
  }

  public func wait(as cause: WaitCause) {
    let parker = state.withLock { state -> Parker? in
      if state.free > 0 {
        state.free -= 1
        return nil
      }
      let parker = Parker()
      state.waiting.append(parker)
      return parker
    }
    guard let parker else { return }
    Activity.waiting(for: cause) { parker.park() }
  }

  public func signal() {
    let next = state.withLock { state -> Parker? in
      if let next = state.waiting.popFirst() { return next }
      state.free += 1
      return nil
    }
    next?.unpark()
  }
}
