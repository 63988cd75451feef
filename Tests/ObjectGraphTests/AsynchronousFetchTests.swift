import Dispatch
import ObjectGraph
import Queues
import SQLiteStore
import TestSupport
import Testing

// Semantics 15
@Suite("Asynchronous fetches") struct AsynchronousFetchTests {
  private let store: TestStore
  private let context: ManagedObjectContext

  init() throws {
    store = try TestStore()
    context = store.context()
    try store.fill((1...5).map { City.values($0, "city \($0)", population: $0) })
  }

  private final class Outcome: Sendable {
    private let names = Lock<Result<[String], any Error>?>(nil)
    private let semaphore = DispatchSemaphore(value: 0)

    func tell(_ result: Result<[String], any Error>) {
      names.withLock { $0 = result }
      semaphore.signal()
    }

    var isTold: Bool { names.withLock { $0 != nil } }

    func wait() throws -> [String] {
      semaphore.wait()
      return try #require(names.withLock { $0 }).get()
    }
  }

  private func start(
    _ request: FetchRequest, in context: ManagedObjectContext
  ) -> (AsynchronousFetch, Outcome) {
    let outcome = Outcome()
    let fetch = context.fetchAsynchronously(request) { result in
      #expect(context.queue.isCurrent)
      outcome.tell(result.map { $0.map { $0[City.name] } })
    }
    return (fetch, outcome)
  }

  @Test func `the context is usable meanwhile, and pending changes are those at the end`() throws {
    let request = FetchRequest(
      City.entity, where: City.population > 2, sortedBy: [City.name.ascending])
    let outcome = try context.performAndWait {
      let (_, outcome) = start(request, in: context)
      // The completion cannot run before this block ends.
      try context.city(1)[City.population] = 9
      context.delete(try context.city(3))
      _ = context.insert(City.entity, values: City.values(6, "new", population: 7))
      #expect(!outcome.isTold)
      return outcome
    }
    #expect(try outcome.wait() == ["city 1", "city 4", "city 5", "new"])
  }

  // Semantics 97
  @Test func `a limited fetch finds enough objects though others are deleted meanwhile`() throws {
    let request = FetchRequest(City.entity, sortedBy: [City.name.ascending], limit: 2)
    let outcome = try context.performAndWait {
      let (_, outcome) = start(request, in: context)
      for key in [1, 2] as [Int64] { context.delete(try context.city(key)) }
      return outcome
    }
    #expect(try outcome.wait() == ["city 3", "city 4"])
  }

  @Test func `a child's asynchronous fetch passes through its parent`() throws {
    let child = context.child()
    context.performAndWait {
      _ = context.insert(City.entity, values: City.values(6, "new", population: 7))
    }
    let request = FetchRequest(
      City.entity, where: City.population > 4, sortedBy: [City.name.ascending])
    let outcome = child.performAndWait { start(request, in: child).1 }
    #expect(try outcome.wait() == ["city 5", "new"])
  }

  @Test func `a cancelled fetch ends with an error and leaves nothing registered`() throws {
    let outcome = context.performAndWait {
      let (fetch, outcome) = start(FetchRequest(City.entity), in: context)
      fetch.cancel()
      return outcome
    }
    #expect(throws: CancellationError.self) { try outcome.wait() }
    #expect(context.performAndWait { context.registeredObjects.isEmpty })
    #expect(store.coordinator.cachedObjectCount == 0)
  }
}
