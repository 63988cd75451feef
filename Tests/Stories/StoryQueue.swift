import Queues

/// A private queue whose blocks run when the story says so. A context's own work then always has
/// the same place among the steps.
final class StoryQueue: SerialQueue {
  let label: String
  private let queue: PrivateQueue
  private let submitted = Lock<[@Sendable () -> Void]>([])

  init(label: String) {
    self.label = label
    queue = PrivateQueue(label: label)
  }

  var isCurrent: Bool { queue.isCurrent }

  func async(_ block: @escaping @Sendable () -> Void) {
    submitted.withLock { $0.append(block) }
  }

  func sync<R>(waitingAs cause: WaitCause, _ block: () throws -> R) rethrows -> R {
    try queue.sync(waitingAs: cause, block)
  }

  /// Runs on the calling thread.
  func runSubmitted() {
    let blocks = submitted.withLock { blocks in
      defer { blocks = [] }
      return blocks
    }
    for block in blocks { queue.sync(block) }
  }
}
