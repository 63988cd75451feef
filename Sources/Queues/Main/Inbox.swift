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
    let result = withoutActuallyEscaping(block) { block in
      let visit = Visit(block)
      post { visit.run() }
      return visit.result(waitingAs: cause)
    }
    switch result {
    case .success(let value): return value
    case .failure(let error): return try rescue(error)
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

/// A block that runs on main while its caller's thread waits.
// @unchecked although neither the block nor its result is Sendable: the caller's thread stands still
// until main is done with both, and the parker orders the one before the other. Main lets go of the
// block before it says so.
private final class Visit<R>: @unchecked Sendable {
  private var block: (() throws -> R)?
  private var outcome: Result<R, any Error>?
  private let done = Parker()

  init(_ block: @escaping () throws -> R) {
    self.block = block
  }

  /// On main.
  func run() {
    runBlock()
    done.unpark()
  }

  @inline(never)
  private func runBlock() {
    guard let block = block.take() else { return }
    outcome = Result(catching: block)
  }

  /// On the caller's thread.
  func result(waitingAs cause: WaitCause) -> Result<R, any Error> {
    Activity.waiting(for: cause) { done.park() }
    guard let outcome else { preconditionFailure("main went on without running the block") }
    return outcome
  }
}
