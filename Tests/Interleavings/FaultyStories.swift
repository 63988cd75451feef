import Queues
import SQLiteStore
import Topologies

// For tests of this program: the checks must find what these stories do wrong.

extension Story {
  /// Only `--story` chooses one of them.
  static let faulty: [Story] = [lostIncrement, mergedTwice]

  /// In the usual order nothing is lost.
  private static let lostIncrement = Story(
    name: "faulty,lost-increment",
    body: .thread { checks in
      let number = Lock(0)
      let increment: @Sendable () -> Void = {
        let old = number.withLock { $0 }
        number.withLock { $0 = old + 1 }
      }
      checks.begin()
      let other = thread(increment)
      increment()
      other.wait(as: .other)
      checks.end()
      checks.expect("increments", number.withLock { $0 }, 2)
    })

  private static let mergedTwice = Story(
    name: "faulty,merged-twice", prepare: { try SmallStore.prepare() },
    body: .task { checks in
      guard let container = Topologies.builtIn.first(where: { $0.name == "container" }) else {
        return checks.fail("no topology has the name container")
      }
      try await TopologyStory(container, .pool, checks, repeatsUpdates: true).tellOfTwoWriters()
    })
}
