import DequeModule
import Foundation

// One line for everyone: asynchronous blocks and synchronous callers stand in it in the order in
// which they came, and one at a time has the *turn*.
//
//   line   [block] [caller A] [block] [block] [caller B]
//             │        └ its own thread runs it, the turn is handed to it
//             └ the queue's thread runs it
//
// Whoever ends a turn hands it on: to the caller's thread directly, without waking the queue's
// thread; to the queue's thread only if a block is next.

/// A serial queue with a thread of its own, which it starts when it first needs it and which ends
/// when the queue is gone and its blocks have run.
public final class PrivateQueue: SerialQueue {
  public let label: String
  private let line: Line

  /// - Parameter isWarm: whether its thread stands ready for the first block, as the threads that
  ///   a system's queues share do when an app begins to use one; otherwise the first block starts it.
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
    line.enter(line.timeline?.handingOn(block) ?? block)
  }

  public func sync<R>(waitingAs cause: WaitCause, _ block: () throws -> R) rethrows -> R {
    let held = HeldQueues.current
    if held.contains(line) { return try block() }
    if let parker = line.enterSynchronously() {
      Activity.waiting(for: cause) { parker.park() }
    }
    defer { line.endTurn() }
    return try line.hold(by: held, block)
  }
}

/// The line of a private queue, and whose turn it is. Its thread holds the line and not the queue,
/// so that the queue can go.
private final class Line: Labelled, Sendable {
  private enum Place {
    case block(@Sendable () -> Void)
    case caller(Parker)
  }

  private struct State {
    var places: Deque<Place> = []
    /// Whether somebody has the turn, or is being told that it is theirs.
    var isTaken = false
    var threadHasTurn = false
    var hasThread = false
    var isClosed = false
    var depth: LineDepth?
  }

  /// What has to be done, outside the lock, for the turn to reach who is next.
  private enum Step {
    case nothing
    case tell(Parker)
    case tellThread
    case startThread
  }

  let label: String
  let timeline: Timeline?
  /// Among the timeline's queues.
  private let number: Int
  private let state: Lock<State>
  private let threadParker = Parker()

  init(label: String) {
    self.label = label
    timeline = Timeline.current
    let number = timeline?.register(queue: label) ?? 0
    self.number = number
    state = Lock(State(depth: timeline.map { LineDepth($0, .depth(queue: number)) }))
  }

  /// Runs `body` while the thread has the turn.
  func hold<R>(by held: HeldQueues, _ body: () throws -> R) rethrows -> R {
    guard timeline != nil, let thread = Activity.recorder?.timeline else {
      return try held.whileHolding(self, body)
    }
    return try thread.span(.hold, subject: number) { try held.whileHolding(self, body) }
  }

  func enter(_ block: @escaping @Sendable () -> Void) {
    let step = state.withLock { state -> Step in
      state.places.append(.block(block))
      state.depth?.note(state.places.count)
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

  /// - Returns: where to wait for the turn; nil if it is the caller's at once.
  func enterSynchronously() -> Parker? {
    state.withLock { state in
      guard state.isTaken else {
        state.isTaken = true
        return nil
      }
      let parker = Parker()
      state.places.append(.caller(parker))
      state.depth?.note(state.places.count)
      return parker
    }
  }

  /// Hands the turn from a caller's thread to who is next.
  func endTurn() {
    let step = state.withLock { state -> Step in
      switch state.places.first {
      case nil:
        state.isTaken = false
        return .nothing
      case .caller(let parker):
        state.places.removeFirst()
        state.depth?.note(state.places.count)
        return .tell(parker)
      case .block:
        return Self.giveToThread(&state)
      }
    }
    take(step)
  }

  /// The queue is gone; its thread ends when the blocks have run.
  func close() {
    let step = state.withLock { state -> Step in
      state.isClosed = true
      return state.hasThread && !state.threadHasTurn ? .tellThread : .nothing
    }
    take(step)
  }

  private static func giveToThread(_ state: inout State) -> Step {
    state.threadHasTurn = true
    guard !state.hasThread else { return .tellThread }
    state.hasThread = true
    return .startThread
  }

  private func take(_ step: Step) {
    switch step {
    case .nothing: break
    case .tell(let parker): parker.unpark()
    case .tellThread: threadParker.unpark()
    case .startThread:
      let thread = Thread { self.serve() }
      thread.name = label
      thread.start()
    }
  }
}

// MARK: - The queue's own thread

extension Line {
  private enum Next {
    case run(@Sendable () -> Void)
    case tell(Parker)
    case wait
    case end
  }

  private func serve() {
    let held = HeldQueues.current
    if let timeline { Activity.install(ThreadRecorder(timeline, queue: number)) }
    while true {
      switch next() {
      case .run(let block): hold(by: held, block)
      case .tell(let parker): parker.unpark()
      case .wait: threadParker.park()
      case .end: return
      }
    }
  }

  private func next() -> Next {
    state.withLock { state in
      guard state.threadHasTurn else { return state.isClosed ? .end : .wait }
      let place = state.places.popFirst()
      if place != nil { state.depth?.note(state.places.count) }
      switch place {
      case .block(let block):
        return .run(block)
      case .caller(let parker):
        state.threadHasTurn = false
        return .tell(parker)
      case nil:
        state.threadHasTurn = false
        state.isTaken = false
        return state.isClosed ? .end : .wait
      }
    }
  }
}
