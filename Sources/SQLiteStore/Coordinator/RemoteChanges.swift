public import ObjectGraph
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

extension SQLiteCoordinator {
  /// Calls `body` after each transaction in the history, by any coordinator of this file in this
  /// process. It runs on the requesting thread with no lock held. A store without history calls
  /// nobody.
  ///
  /// Core Data's notification also reports other processes. Polling SQLite's `data_version` for
  /// them would add reads to the measured work. Read the history after the last token instead.
  public func observeRemoteChanges(
    _ body: @escaping @Sendable (HistoryToken) -> Void
  ) -> RemoteChangeObservation { RemoteChanges.observe(storeNumber, body) }
}
