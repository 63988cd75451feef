import DequeModule

/// A lock that records each wait for it under a `WaitCause`. First come, first served. Taking a
/// free lock reads no clock.
public final class ChargedLock: Sendable {
  private let semaphore: ChargedSemaphore

  /// - Parameter call: the calls that hold the lock, for messages of the checked mode.
  public init(for call: String = "a call with a lock") {
    semaphore = ChargedSemaphore(value: 1, for: call)
  }

  public func lock(waitingAs cause: WaitCause) { semaphore.wait(as: cause) }
  public func unlock() { semaphore.signal() }

  public func withLock<R>(waitingAs cause: WaitCause, _ body: () throws -> R) rethrows -> R {
    try semaphore.holding(waitingAs: cause, body)
  }
}

/// A counting semaphore that records each wait under a `WaitCause`. `signal` wakes the thread that
/// has waited longest.
public final class ChargedSemaphore: Holdable, Sendable {
  private struct State {
    var free: Int
    var waiting: Deque<Parker> = []
  }

  private let state: Lock<State>
  let heldCall: String
  let capacity: Int
  private let isChecked = ConcurrencyDebug.isOn

  /// - Parameter call: the calls that hold it, for messages of the checked mode.
  /// - Precondition: `value` is not negative.
  public init(value: Int, for call: String = "a call with a semaphore") {
    guard value >= 0 else { fatalError("a semaphore starts at 0 or more, not \(value)") }
    state = Lock(State(free: value))
    heldCall = call
    // Without calls that hold it, any thread may signal it.
    capacity = value > 0 ? value : .max
  }

  /// Waits, runs `body`, and signals. The checked mode finds deadlocks among such calls.
  @inline(__always)
  public func holding<R>(waitingAs cause: WaitCause, _ body: () throws -> R) rethrows -> R {
    wait(as: cause)
    defer { signal() }
    guard isChecked else { return try body() }
    return try HeldQueues.current.whileHolding(self, body)
  }

  @inline(__always)
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
    Activity.waiting(for: cause) { WaitGraph.waiting(for: self) { parker.park() } }
  }

  public func signal() {
    #if TOPOBENCH_PLANTED_BUGS
      if PlantedBug.wakeTwice.isActive, let next = state.withLock(\.waiting.first) {
        _ = state.withLock { $0.waiting.popFirst() }
        return next.unpark()
      }
    #endif
    let next = state.withLock { state -> Parker? in
      if let next = state.waiting.popFirst() { return next }
      state.free += 1
      return nil
    }
    next?.unpark()
  }
}
