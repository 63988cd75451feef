import Queues

extension ManagedObjectContext {
  /// Runs `block` after all earlier blocks, then processes pending changes. Returns at once.
  public func perform(_ block: @escaping @Sendable () -> Void) {
    // The block runs once, on the queue. Taking it releases captured objects inside the slice: a
    // captured did-save retains the saved objects.
    nonisolated(unsafe) var block: (@Sendable () -> Void)? = block
    queue.async { [self] in
      Activity.slice(.perform) {
        block.take()?()
        processPendingChanges()
      }
    }
  }

  /// When `perform(schedule:)` runs a block if it is called on the context's queue.
  public enum ScheduledTaskType: Sendable {
    /// At once, inline.
    case immediate
    /// After everything submitted before.
    case enqueued
  }

  /// On the context's queue, `.immediate` runs `block` inline.
  public func perform(schedule: ScheduledTaskType, _ block: @escaping @Sendable () -> Void) {
    guard schedule == .immediate, queue.isCurrent else { return perform(block) }
    block()
  }

  /// Runs `block` and waits for it. On the queue itself, it runs inline. A private queue runs it on
  /// the calling thread. Does *not* process pending changes.
  public func performAndWait<R>(_ block: () throws -> R) rethrows -> R {
    try Activity.slice(.perform) {
      guard link.isChecked else { return try runAndWait(block) }
      return try CurrentQueues.naming("performAndWait of context '\(name)'", waitingFor: queue) {
        try runAndWait(block)
      }
    }
  }

  @inline(__always)
  private func runAndWait<R>(_ block: () throws -> R) rethrows -> R {
    try queue.sync(waitingAs: .queue) { try Activity.slice(.perform, block) }
  }

  /// Returns the block's result or error. Blocks no thread.
  public func perform<R: Sendable>(_ block: @escaping @Sendable () throws -> R) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
      perform { continuation.resume(with: Result(catching: block)) }
    }
  }
}

// MARK: - Checks

extension ManagedObjectContext {
  /// In checked mode, stops the program if called off this context's queue.
  @inline(__always)
  func assertOnQueue(_ operation: StaticString = #function) {
    if link.isChecked && !queue.isCurrent { stop(operation) }
  }

  /// Any thread may set up a context that has no objects yet, as in Core Data's samples.
  func assertMaySetUp(_ operation: StaticString = #function) {
    if link.isChecked && !queue.isCurrent && link.slotCount > 0 { stop(operation) }
  }

  private func stop(_ operation: StaticString) -> Never {
    let here = CurrentQueues.labels.last.map { "queue '\($0)'" } ?? "a thread of no queue"
    fatalError(
      "\(operation) of context '\(name)', which belongs to queue '\(queue.label)', was called on"
        + " \(here); use perform or performAndWait of the context")
  }
}

extension ManagedObjectContext {
  /// Runs `body` on the parent's queue and occupies that queue meanwhile.
  ///
  /// Only children may wait for their parents. If a private parent's block waits for a child that
  /// calls its parent, Core Data's queues deadlock, or libdispatch stops the program. Checked mode
  /// stops the program instead. A main-queue parent is exempt: work that main runs for a child does
  /// not wait for main.
  func onQueue<R>(of parent: ManagedObjectContext, _ body: () throws -> R) rethrows -> R {
    require(
      !link.isChecked || !parent.queue.isCurrent || parent.queue is any RunLoopQueue,
      "deadlock: context '\(name)' needs its parent '\(parent.name)', which waits for it; end the"
        + " block of '\(parent.name)' first, or use perform of '\(name)'")
    guard link.isChecked else { return try visit(parent, body) }
    let call = "a request of context '\(name)' to its parent '\(parent.name)'"
    return try CurrentQueues.naming(call, waitingFor: parent.queue) { try visit(parent, body) }
  }

  @inline(__always)
  private func visit<R>(
    _ parent: ManagedObjectContext, _ body: () throws -> R
  ) rethrows -> R {
    try parent.queue.sync(waitingAs: .parent) {
      adoptPermanentIDs(of: parent)
      // The parent may have obtained more permanent IDs from its own parent.
      defer { adoptPermanentIDs(of: parent) }
      return try body()
    }
  }

  /// Asks the store, or the parent on its queue. For calls that a request makes once. Faults avoid
  /// the closures with their own code.
  func below<R>(
    _ askStore: (any PersistentStoreCoordinator) throws -> R,
    orParent askParent: (ManagedObjectContext) throws -> R
  ) throws -> R {
    switch parent {
    case .coordinator(let coordinator): try askStore(reader(coordinator))
    case .context(let parent): try onQueue(of: parent) { try askParent(parent) }
    }
  }

}

extension ManagedObject {
  @inline(__always)
  func assertOnQueue(_ operation: StaticString) {
    if link.isChecked { link.context?.assertOnQueue(operation) }
  }
}
