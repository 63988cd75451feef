/// A queue that runs one block at a time, in order of submission.
///
/// The contract follows Dispatch and Core Data's context queues:
/// - `async` returns at once and never runs the block inline, not even on this queue.
/// - `sync` waits for everything submitted before it. On this queue it runs the block inline.
/// - A private queue runs a `sync` block on the caller's thread, a main queue on its own thread.
///
/// Two queues that wait for each other deadlock, as in Dispatch.
public protocol SerialQueue: AnyObject, Sendable {
  var label: String { get }

  /// Whether the calling thread is executing a block of this queue, on the queue's thread or as the
  /// caller of `sync`.
  var isCurrent: Bool { get }

  func async(_ block: @escaping @Sendable () -> Void)

  /// The wait is recorded under `cause`.
  func sync<R>(waitingAs cause: WaitCause, _ block: () throws -> R) rethrows -> R
}

extension SerialQueue {
  public func sync<R>(_ block: () throws -> R) rethrows -> R {
    try sync(waitingAs: .queue, block)
  }
}

/// A queue whose thread is a run loop, as an app's main queue is.
public protocol RunLoopQueue: SerialQueue {
  /// Calls `body` in each turn, after the turn's blocks, until it is removed. In `body`, contexts
  /// process changes that were made outside `perform`.
  ///
  /// - Returns: the observer's number, for `removePendingChangesObserver`.
  @discardableResult
  func addPendingChangesObserver(_ body: @escaping @Sendable () -> Void) -> Int

  /// Any thread may call this. A turn in progress may still call the observer.
  func removePendingChangesObserver(_ number: Int)

  /// Times this queue's events.
  var clock: any MonotonicClock { get }

  /// The display's next tick; nil if nothing is displayed. Call it on this queue.
  func nextTick(after instant: Instant) -> Instant?

  /// Runs `handler` on this queue at `instant` or later, before the blocks of that turn. A block
  /// that `handler` submits runs in the next turn, after the due frame.
  func schedule(at instant: Instant, _ handler: @escaping @Sendable () -> Void)
}
