/// A queue that runs one block at a time, in order of submission.
///
/// The contract follows Dispatch and Core Data's context queues:
/// - `async` returns at once and never runs the block inline, not even from a block on this queue;
/// - `sync` runs the block when everything submitted before it has run, and runs it inline where
///   the caller is on this queue already;
/// - a private queue lends itself to the calling thread for `sync` (the block runs *on the
///   caller's thread*, with the queue held); a main queue's blocks run on its own thread only.
///
/// Waiting in a circle (A waits for B while B waits for A) is a deadlock, as it is in Dispatch.
public protocol SerialQueue: AnyObject, Sendable {
  var label: String { get }

  /// Whether the calling thread is executing a block of this queue, on its own thread or a
  /// borrowed one.
  var isCurrent: Bool { get }

  func async(_ block: @escaping @Sendable () -> Void)

  /// Runs `block` on this queue and returns what it returns. A wait of the calling thread is
  /// charged to `cause`.
  func sync<R>(waitingAs cause: WaitCause, _ block: () throws -> R) rethrows -> R
}

extension SerialQueue {
  public func sync<R>(_ block: () throws -> R) rethrows -> R {
    try sync(waitingAs: .queue, block)
  }
}

/// A queue whose thread is a run loop, as an app's main queue is.
public protocol RunLoopQueue: SerialQueue {
  /// Calls `body` on this queue in each turn, after the turn's blocks: where changes that were made
  /// outside `perform` are processed. For the life of the queue.
  func addPendingChangesObserver(_ body: @escaping @Sendable () -> Void)

  /// What the time is here.
  var clock: any MonotonicClock { get }

  /// When the display next wants a frame after this instant; nil if nothing is shown. On this queue.
  func nextTick(after instant: Instant) -> Instant?

  /// Runs `handler` on this queue once `instant` has come, as an event of its own: before the blocks
  /// of that turn. A block that it submits runs in the next turn, after the frame that is due.
  func schedule(at instant: Instant, _ handler: @escaping @Sendable () -> Void)
}
