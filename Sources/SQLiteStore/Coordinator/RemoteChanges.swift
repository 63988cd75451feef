public import ObjectGraph
import Queues

/// Observes a store's transactions until it is deallocated.
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

/// The observers of stores that keep their history. A transaction of any coordinator of the file in
/// this process reaches them.
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
    // The observer's closure is released outside the lock.
    _ = observers.withLock { $0.bodies[store]?.removeValue(forKey: number) }
  }

  static func tell(_ store: Int32, _ token: HistoryToken) {
    let bodies = observers.withLock { $0.bodies[store] ?? [:] }
    for body in bodies.sorted(by: { $0.key < $1.key }) { body.value(token) }
  }
}

extension SQLiteCoordinator {
  /// Calls `body` after each save or batch request that any coordinator of this file in this
  /// process makes. It runs on the requesting thread, with no lock held. A store without history
  /// calls nobody.
  ///
  /// Core Data's notification also reports other processes. This one does not: all contexts of a
  /// cell live in one process, and polling SQLite's `data_version` would add reads to the measured
  /// work. A process that shares its file with another can read the history after its last token.
  ///
  /// - Returns: an observation, which ends when it is deallocated.
  public func observeRemoteChanges(
    _ body: @escaping @Sendable (HistoryToken) -> Void
  ) -> RemoteChangeObservation {
    RemoteChanges.observe(storeNumber, body)
  }
}
