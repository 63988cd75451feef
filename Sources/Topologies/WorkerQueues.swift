public import Queues

/// A private queue for each worker. Any thread may use it.
public final class WorkerQueues: Sendable {
  private let queues: Lock<[PrivateQueue]>

  /// Starts the first worker's thread.
  public init() {
    queues = Lock([PrivateQueue(label: "worker", isWarm: true)])
  }

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
