package import ObjectGraph
import Queues
package import SQLiteStore

/// Its reads fail on request, like those of a disk that does not respond.
package final class FailingStore: Sendable {
  package struct Failure: Error, Equatable {
    package let read: WatchedCoordinator.Read

    package init(read: WatchedCoordinator.Read) { self.read = read }
  }

  private let coordinator: WatchedCoordinator
  private let failing = Lock<Set<WatchedCoordinator.Read>>([])

  package init(_ base: SQLiteCoordinator) {
    coordinator = WatchedCoordinator(
      base,
      willRead: { [failing] read in
        if failing.withLock({ $0.contains(read) }) { throw Failure(read: read) }
      })
  }

  /// Makes only these reads fail.
  package func fail(_ reads: Set<WatchedCoordinator.Read>) { failing.withLock { $0 = reads } }

  /// On its own private queue.
  package func context(_ name: String = "context") -> ManagedObjectContext {
    ManagedObjectContext(
      name: name, queue: PrivateQueue(label: name), parent: .coordinator(coordinator))
  }
}
