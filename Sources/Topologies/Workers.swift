public import Queues

/// A private queue for each worker. Any thread may use it.
///
/// Example: `Snippets/own-topology.swift`.
public final class WorkerQueues: Sendable {
  private let queues = Lock([PrivateQueue(label: "worker", isWarm: true)])

  /// Starts the first worker's thread.
  public init() {}

  /// Starts the worker's thread on first use.
  public subscript(writer: Int) -> PrivateQueue {
    queues.withLock { queues in
      while queues.count <= writer {
        queues.append(PrivateQueue(label: "worker \(queues.count + 1)", isWarm: true))
      }
      return queues[writer]
    }
  }
}

/// Keeps the first error of work that nobody awaits. Any thread may use it.
public final class FirstError: Sendable {
  private let firstError = Lock<(any Error)?>(nil)

  public init() {}

  /// Keeps the error of `work` if it is the first.
  public func run(_ work: () throws -> Void) {
    do {
      try work()
    } catch {
      firstError.withLock { $0 = $0 ?? error }
    }
  }

  /// - Throws: the first error.
  public func check() throws {
    if let error = firstError.withLock({ $0 }) { throw error }
  }
}
