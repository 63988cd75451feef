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
    var phase = Phase.open
    var depth: LineDepth?
  }

  /// Of the loop that empties this box.
  private enum Phase { case open, running, stopping, ended }

  private let state: Lock<State>
  private let timeline: Timeline?
  private let parker = Parker()
  private let ended = Parker()

  init(_ timeline: Timeline? = nil) {
    self.timeline = timeline
    state = Lock(State(depth: timeline.map { LineDepth($0, .mainDepth) }))
  }

  /// - Returns: whether the block will run; not after the loop has ended.
  @discardableResult
  func post(_ block: @escaping @Sendable () -> Void) -> Bool {
    let isTaken = state.withLock { state in
      guard state.phase != .ended else { return false }
      state.blocks.append(block)
      state.depth?.note(state.blocks.count)
      return true
    }
    if isTaken { parker.unpark() }
    return isTaken
  }

  func schedule(at due: Instant, _ handler: @escaping @Sendable () -> Void) {
    state.withLock { state in
      guard state.phase != .ended else { return }
      let later = state.events.lastIndex { $0.due > due }
      state.events.insert(Event(due: due, handler: handler), at: later.map { $0 + 1 } ?? 0)
    }
    parker.unpark()
  }

  /// The handlers of events that are due, then the blocks that are queued.
  func take(dueBy now: Instant) -> Deque<@Sendable () -> Void> {
    state.withLock { state in
      var taken: Deque<@Sendable () -> Void> = []
      if !state.blocks.isEmpty { state.depth?.note(0) }
      while let event = state.events.last, event.due <= now {
        taken.append(event.handler)
        state.events.removeLast()
      }
      guard !taken.isEmpty else {
        swap(&taken, &state.blocks)
        return taken
      }
      taken.append(contentsOf: state.blocks)
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
      let run = { @Sendable in visit.run() }
      let isTaken = post(timeline?.handingOn(run) ?? run)
      precondition(isTaken, "main has stopped: who waits for it would wait for ever")
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

  /// - Precondition: there was no loop before.
  func start() {
    state.withLock { state in
      precondition(state.phase == .open, "a main queue is started once")
      state.phase = .running
    }
  }

  /// Whether the loop goes on; if not, it must not take anything any more. Events that are not due
  /// yet go with it, and with them what they hold.
  func goesOn() -> Bool {
    let dropped = state.withLock { state -> [Event]? in
      guard state.phase == .stopping, state.blocks.isEmpty else { return nil }
      state.phase = .ended
      defer { state.events = [] }
      return state.events
    }
    return dropped == nil
  }

  func didStop() { ended.unpark() }

  // MARK: Other threads

  /// Lets the loop end when the blocks have run, and waits until it has.
  func stop() {
    let isRunning = state.withLock { state in
      if state.phase == .running { state.phase = .stopping }
      return state.phase != .open
    }
    guard isRunning else { return }
    parker.unpark()
    ended.park()
    // For whoever else stops it.
    ended.unpark()
  }
}

/// A block that runs on main while its caller's thread waits.
// @unchecked although neither the block nor its result is Sendable: the caller's thread stands still
// until main is done with both, and the parker's lock orders the one before the other. Main lets go
// of the block before it says so; the caller takes the result, so that main, which may be the last
// to hold this object, releases nothing of either. That the block does not escape holds for the
// same reason.
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
    guard let outcome = outcome.take() else {
      preconditionFailure("main went on without running the block")
    }
    return outcome
  }
}
