import DequeModule

// Blocks and synchronous callers wait in one line, first come, first served. One entry at a
// time has the *turn*.
//
//   line   [block] [caller A] [block] [block] [caller B]
//             │        └ caller A's own thread runs it, once it has the turn
//             └ the queue's thread runs it
//
// When a turn ends, the next entry gets it. The queue's thread wakes only for a block.

/// A serial queue with its own thread, which starts with the first block. The thread ends when the
/// queue is deallocated and its blocks have run.
///
/// Example: `Snippets/merge-two-contexts.swift`.
public final class PrivateQueue: SerialQueue {
  public let label: String
  private let line: Line

  /// - Parameter isWarm: whether the thread starts now, like the threads of a system queue.
  public init(label: String, isWarm: Bool = false) {
    self.label = label
    self.line = Line(label: label)
    if isWarm { line.warmUp() }
  }

  deinit {
    line.close()
  }

  public var isCurrent: Bool { HeldQueues.current.contains(line) }

  public func async(_ block: @escaping @Sendable () -> Void) {
    line.enter(line.timeline?.carryingChange(block) ?? block)
  }

  public func sync<R>(waitingAs cause: WaitCause, _ block: () throws -> R) rethrows -> R {
    let held = HeldQueues.current
    if held.contains(line) { return try block() }
    if let parker = line.enterSynchronously() {
      Activity.waiting(for: cause) { WaitGraph.waiting(for: line) { parker.park() } }
    }
    defer { line.endTurn() }
    return try line.hold(by: held, block)
  }
}

/// The queue's thread retains the line, not the queue.
private final class Line: Labelled, Sendable {
  private enum Entry {
    case block(@Sendable () -> Void)
    case caller(Parker)
  }

  private struct State {
    var entries: Deque<Entry> = []
    /// Whether an entry has the turn or is about to get it.
    var isTaken = false
    var threadHasTurn = false
    var hasThread = false
    var isClosed = false
    var depth: QueueDepth?
  }

  /// How to pass the turn on, outside the lock.
  private enum Step {
    case nothing
    case resume(Parker)
    case wakeThread
    case startThread
  }

  let label: String
  let timeline: Timeline?
  private let prices = Prices.current
  private let number: Int
  private let state: Lock<State>
  private let threadParker = Parker()

  init(label: String) {
    self.label = label
    timeline = Timeline.current
    let number = timeline?.register(queue: label) ?? 0
    self.number = number
    state = Lock(State(depth: timeline.map { QueueDepth($0, .depth(queue: number)) }))
  }

  func hold<R>(by held: HeldQueues, _ body: () throws -> R) rethrows -> R {
    guard let prices else { return try recordedHold(by: held, body) }
    return try prices.charging { try recordedHold(by: held, body) }
  }

  private func recordedHold<R>(by held: HeldQueues, _ body: () throws -> R) rethrows -> R {
    guard timeline != nil, let thread = Activity.recorder?.timeline else {
      return try held.whileHolding(self, body)
    }
    return try thread.span(.hold, subject: number) { try held.whileHolding(self, body) }
  }

  func enter(_ block: @escaping @Sendable () -> Void) {
    let step = state.withLock { state -> Step in
      state.entries.append(.block(block))
      state.depth?.note(state.entries.count)
      guard !state.isTaken else { return .nothing }
      state.isTaken = true
      return Self.giveToThread(&state)
    }
    take(step)
  }

  func warmUp() {
    state.withLock { $0.hasThread = true }
    take(.startThread)
  }

  /// Returns where to wait for the turn; nil if the caller has it at once.
  func enterSynchronously() -> Parker? {
    #if TOPOBENCH_PLANTED_BUGS
      if PlantedBug.splitTurn.isActive, !state.withLock(\.isTaken) {
        state.withLock { $0.isTaken = true }
        return nil
      }
    #endif
    return state.withLock { state in
      guard state.isTaken else {
        state.isTaken = true
        return nil
      }
      let parker = Parker()
      state.entries.append(.caller(parker))
      state.depth?.note(state.entries.count)
      return parker
    }
  }

  func endTurn() {
    let step = state.withLock { state -> Step in
      switch state.entries.first {
      case nil:
        state.isTaken = false
        return .nothing
      case .caller(let parker):
        state.entries.removeFirst()
        state.depth?.note(state.entries.count)
        return .resume(parker)
      case .block:
        return Self.giveToThread(&state)
      }
    }
    take(step)
  }

  /// Lets the thread end when the blocks have run.
  func close() {
    let step = state.withLock { state -> Step in
      state.isClosed = true
      return state.hasThread && !state.threadHasTurn ? .wakeThread : .nothing
    }
    take(step)
  }

  private static func giveToThread(_ state: inout State) -> Step {
    state.threadHasTurn = true
    guard !state.hasThread else { return .wakeThread }
    state.hasThread = true
    return .startThread
  }

  private func take(_ step: Step) {
    switch step {
    case .nothing: break
    case .resume(let parker): parker.unpark()
    case .wakeThread: threadParker.unpark()
    case .startThread: StartedThread.run { self.serve() }
    }
  }

  // MARK: The queue's thread

  private enum Next {
    case run(@Sendable () -> Void)
    case resume(Parker)
    case wait
    case end
  }

  private func serve() {
    ThreadTimes.nameThread(label)
    let held = HeldQueues.current
    if let timeline { Activity.install(ThreadRecorder(timeline, queue: number)) }
    prices?.watchThread()
    while true {
      switch next() {
      case .run(let block): CountedWindow.count { hold(by: held, block) }
      case .resume(let parker): parker.unpark()
      case .wait: threadParker.park()
      case .end: return
      }
    }
  }

  private func next() -> Next {
    state.withLock { state in
      guard state.threadHasTurn else { return state.isClosed ? .end : .wait }
      let entry = state.entries.popFirst()
      if entry != nil { state.depth?.note(state.entries.count) }
      switch entry {
      case .block(let block):
        return .run(block)
      case .caller(let parker):
        state.threadHasTurn = false
        return .resume(parker)
      case nil:
        state.threadHasTurn = false
        state.isTaken = false
        #if TOPOBENCH_PLANTED_BUGS
          if PlantedBug.endlessThread.isActive { return .wait }
        #endif
        return state.isClosed ? .end : .wait
      }
    }
  }
}
