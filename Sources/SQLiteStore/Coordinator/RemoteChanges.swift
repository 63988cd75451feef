import ObjectGraph
import Queues

/// Observes a store's transactions until it is deallocated.
public final class RemoteChangeObservation: Sendable {
  private let end: @Sendable () -> Void

  fileprivate init(end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }
}

enum RemoteChanges {
  private struct Observers {
    var lastNumber = 0
    var bodies: [Int32: [Int: @Sendable (HistoryToken) -> Void]] = [:]
  }

  private static let observers = Lock(Observers())

  static func observe(
    _ store: Int32, _ body: @escaping @Sendable (HistoryToken) -> Void
  ) -> RemoteChangeObservation {
    let number = observers.withLock { observers in
      observers.lastNumber += 1
      observers.bodies[store, default: [:]][observers.lastNumber] = body
      return observers.lastNumber
    }
    return RemoteChangeObservation {
      // The observer's closure is released outside the lock.
      _ = observers.withLock { $0.bodies[store]?.removeValue(forKey: number) }
    }
  }

  static func tell(_ store: Int32, _ token: HistoryToken) {
    let bodies = observers.withLock { $0.bodies[store] ?? [:] }
    for body in bodies.sorted(by: { $0.key < $1.key }) { body.value(token) }
  }
}
