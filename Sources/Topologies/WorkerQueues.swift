public import Queues

/// The private queues of a topology's workers, one for each. Any thread may use it.
public final class WorkerQueues: Sendable {
  private let queues: Lock<[PrivateQueue]>

  /// Starts the first worker's thread.
  public init() {
    queues = Lock([PrivateQueue(label: "worker", isWarm: true)])
  }

  /// The queue of a worker, created with its thread on first use.
  ///
  /// - Parameter writer: the worker's number, from 0.
  public subscript(writer: Int) -> PrivateQueue {
    queues.withLock { queues in
      while queues.count <= writer {
        queues.append(PrivateQueue(label: "worker \(queues.count + 1)", isWarm: true))
      }
      return queues[writer]
    }
  }
}
