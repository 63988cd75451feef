public import ObjectGraph
import Queues

/// Ends an observation of a store when it is let go of.
public final class RemoteChangeObservation: Sendable {
  private let store: Int32
  private let number: Int

  fileprivate init(store: Int32, number: Int) {
    self.store = store
    self.number = number
  }

  deinit {
    RemoteChanges.remove(number, of: store)
  }
}

/// Who is told of the transactions of stores that keep their history: of every coordinator of the file
/// in this process. (Core Data's remote change notification comes from other processes too.)
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
    return RemoteChangeObservation(store: store, number: number)
  }

  fileprivate static func remove(_ number: Int, of store: Int32) {
    // The body goes outside the lock.
    _ = observers.withLock { $0.bodies[store]?.removeValue(forKey: number) }
  }

  static func tell(_ store: Int32, _ token: HistoryToken) {
    let bodies = observers.withLock { $0.bodies[store] ?? [:] }
    for body in bodies.sorted(by: { $0.key < $1.key }) { body.value(token) }
  }
}

extension SQLiteCoordinator {
  /// Calls `body` after each save or batch request of any coordinator of this file in this process, on
  /// the thread that made it, with no lock held. Nothing is told of a store that keeps no history.
  ///
  /// Other processes are not heard of, as they are by Core Data's notification: all contexts of a
  /// benchmark's cell live in one process, and polling SQLite's `data_version` would add reads to what
  /// is measured. Whoever shares a file with another process asks for the history behind its last
  /// token when it suits it.
  ///
  /// - Returns: what ends it when it is let go of.
  public func observeRemoteChanges(
    _ body: @escaping @Sendable (HistoryToken) -> Void
  ) -> RemoteChangeObservation {
    RemoteChanges.observe(storeNumber, body)
  }
}
