import DequeModule

/// What others want of the main queue: blocks, and events of the user at a given time. The only part
/// of it that other threads touch.
final class Inbox: Sendable {
  private struct Event {
    let due: Instant
    let handler: @Sendable () -> Void
  }

  private struct State {
    var blocks: Deque<@Sendable () -> Void> = []
    /// The earliest last.
    var events: [Event] = []
    var isStopped = false
  }

  private let state = Lock(State())
  private let parker = Parker()
  private let ended = Parker()

  func post(_ block: @escaping @Sendable () -> Void) {
    state.withLock { $0.blocks.append(block) }
    parker.unpark()
  }

  func schedule(at due: Instant, _ handler: @escaping @Sendable () -> Void) {
    state.withLock { state in
      let place = state.events.firstIndex { $0.due <= due } ?? state.events.endIndex
      state.events.insert(Event(due: due, handler: handler), at: place)
    }
    parker.unpark()
  }

  /// The handlers of events that are due, then the blocks that are queued.
  func take(dueBefore now: Instant) -> [@Sendable () -> Void] {
    state.withLock { state in
      var taken: [@Sendable () -> Void] = []
      while let event = state.events.last, event.due <= now {
        taken.append(event.handler)
        state.events.removeLast()
      }
      taken += state.blocks
      state.blocks.removeAll(keepingCapacity: true)
      return taken
    }
  }

  var hasBlocks: Bool { state.withLock { !$0.blocks.isEmpty } }
  var nextEvent: Instant? { state.withLock { $0.events.last?.due } }

  /// Runs `block` on main while the caller's thread waits for it.
  func run<R>(_ block: () throws -> R, waitingAs cause: WaitCause) rethrows -> R {
    try run(block, waitingAs: cause) { throw $0 }
  }

  /// - Parameter rescue: throws what `block` threw: a function that rethrows may not do it itself.
  private func run<R>(
    _ block: () throws -> R, waitingAs cause: WaitCause, rescue: (any Error) throws -> R
  ) rethrows -> R {
    // Safe although neither the block nor its result is Sendable: the caller's thread stands still
    // until main is done with both, and the parker orders the one before the other.
    nonisolated(unsafe) var result: Result<R, any Error>?
    withoutActuallyEscaping(block) { block in
      // As above: only this thread's stand-still makes it safe.
      nonisolated(unsafe) let work = block
      let done = Parker()
      post {
        result = Result { try work() }
        done.unpark()
      }
      Activity.waiting(for: cause) { done.park() }
    }
    switch result {
    case .success(let value): return value
    case .failure(let error): return try rescue(error)
    case nil: preconditionFailure("main went on without running the block")
    }
  }

  // MARK: The loop's own thread

  func wait(until deadline: Instant?) {
    if let deadline { parker.park(until: deadline) } else { parker.park() }
  }

  var isStopped: Bool { state.withLock { $0.isStopped && $0.blocks.isEmpty } }

  func stop() {
    state.withLock { $0.isStopped = true }
    parker.unpark()
  }

  func didStop() { ended.unpark() }
  func waitUntilStopped() { ended.park() }
}
