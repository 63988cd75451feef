import Queues

/// The private queues of a topology's workers, one each. Any thread may ask for one.
final class WorkerQueues: Sendable {
  private let queues: Lock<[PrivateQueue]>

  /// That of the first worker is there from the beginning, its thread started.
  init() {
    queues = Lock([PrivateQueue(label: "worker", isWarm: true)])
  }

  /// - Parameter writer: from 0.
  subscript(writer: Int) -> PrivateQueue {
    queues.withLock { queues in
      while queues.count <= writer {
        queues.append(PrivateQueue(label: "worker \(queues.count + 1)", isWarm: true))
      }
      return queues[writer]
    }
  }
}
