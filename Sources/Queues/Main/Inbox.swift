import DequeModule

/// The main queue's waiting blocks and timed user events. Any thread may use it.
final class Inbox: Sendable {
  private struct Event {
    let due: Instant
    let handler: @Sendable () -> Void
  }

  private struct State {
    var blocks: Deque<@Sendable () -> Void> = []
    /// In descending order of `due`.
    var events: [Event] = []
    var phase = Phase.open
    var depth: QueueDepth?
  }

  private enum Phase { case open, running, stopping, ended }

  private let state: Lock<State>
  private let timeline: Timeline?
  private let parker = Parker()
  private let ended = Parker()

  init(_ timeline: Timeline? = nil) {
    self.timeline = timeline
    state = Lock(State(depth: timeline.map { QueueDepth($0, .mainDepth) }))
  }

  /// - Returns: whether the block will run. It does not once the loop has ended.
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

  /// Takes the handlers of due events, then the queued blocks.
  func take(dueBy now: Instant) -> Deque<@Sendable () -> Void> {
    #if TOPOBENCH_PLANTED_BUGS
      if PlantedBug.lostBlock.isActive {
        let blocks = state.withLock(\.blocks)
        state.withLock { $0.blocks = blocks }
      }
    #endif
    return state.withLock { state in
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

  func run<R>(
    _ block: () throws -> R, waitingAs cause: WaitCause, _ wait: WaitGraph.Wait?
  ) rethrows -> R {
    try run(block, waitingAs: cause, wait) { throw $0 }
  }

  /// - Parameter rescue: rethrows an error. A rethrowing function may throw only through a closure.
  private func run<R>(
    _ block: () throws -> R, waitingAs cause: WaitCause, _ wait: WaitGraph.Wait?,
    rescue: (any Error) throws -> R
  ) rethrows -> R {
    let result = withoutActuallyEscaping(block) { block in
      let visit = Visit(block, wait)
      let run = { @Sendable in visit.run() }
      let isTaken = post(timeline?.carryingChange(run) ?? run)
      guard isTaken else {
        fatalError("the main queue has stopped and runs no more blocks: call sync before stop()")
      }
      return visit.result(waitingAs: cause)
    }
    switch result {
    case .success(let value): return value
    case .failure(let error): return try rescue(error)
    }
  }

  // MARK: The loop's thread

  func wait(until deadline: Instant?) {
    if let deadline { parker.park(until: deadline) } else { parker.park() }
  }

  /// - Precondition: the loop was not started before.
  func start() {
    state.withLock { state in
      guard state.phase == .open else {
        fatalError("the main queue was already started: call start() once")
      }
      state.phase = .running
    }
  }

  /// Ends the loop if it was stopped and no blocks are left. Drops events that are not yet due.
  func finishIfStopped() -> Bool {
    let dropped = state.withLock { state -> [Event]? in
      guard state.phase == .stopping, state.blocks.isEmpty else { return nil }
      state.phase = .ended
      defer { state.events = [] }
      return state.events
    }
    return dropped != nil
  }

  func didStop() { ended.unpark() }

  // MARK: Other threads

  /// Lets the loop end after the queued blocks, and waits for its end.
  func stop() {
    let isRunning = state.withLock { state in
      if state.phase == .running { state.phase = .stopping }
      return state.phase != .open
    }
    guard isRunning else { return }
    parker.unpark()
    ended.park()
    // Another thread may also wait in `stop`.
    ended.unpark()
  }
}

// @unchecked: the caller waits until main is done with the block, and the parker's lock orders
// their accesses. Main releases the block before it signals the end, and the caller takes the
// result, so neither block nor result outlives the wait.
private final class Visit<R>: @unchecked Sendable {
  private var block: (() throws -> R)?
  private var outcome: Result<R, any Error>?
  private let wait: WaitGraph.Wait?
  private let done = Parker()

  init(_ block: @escaping () throws -> R, _ wait: WaitGraph.Wait?) {
    self.block = block
    self.wait = wait
  }

  /// Call it on main.
  func run() {
    runBlock()
    Activity.pay()
    // Main's next block may wait for what the caller holds. The caller goes on.
    WaitGraph.end(wait)
    done.unpark()
  }

  @inline(never)
  private func runBlock() {
    guard let block = block.take() else { return }
    outcome = Result(catching: block)
  }

  /// Call it on the caller's thread.
  func result(waitingAs cause: WaitCause) -> Result<R, any Error> {
    Activity.waiting(for: cause) { done.park() }
    guard let outcome = outcome.take() else {
      fatalError("the main queue signalled a block's end without running the block")
    }
    return outcome
  }
}
