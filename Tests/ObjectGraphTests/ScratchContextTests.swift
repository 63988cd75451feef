import Queues
import TestSupport
import Testing

@testable import ObjectGraph

@Suite("Contexts that come and go")
struct ScratchContextTests {
  /// Counts the observers of its turns.
  private final class CountingMain: RunLoopQueue {
    private let main = SimulatedMainQueue.unwatched()
    private let numbers = Lock<Set<Int>>([])

    var observerCount: Int { numbers.withLock { $0.count } }
    var label: String { main.label }
    var isCurrent: Bool { true }
    var clock: any MonotonicClock { main.clock }

    func async(_ block: @escaping @Sendable () -> Void) { main.async(block) }
    func sync<R>(waitingAs cause: WaitCause, _ block: () throws -> R) rethrows -> R {
      try block()
    }
    func addPendingChangesObserver(_ body: @escaping @Sendable () -> Void) -> Int {
      let number = main.addPendingChangesObserver(body)
      numbers.withLock { _ = $0.insert(number) }
      return number
    }
    func removePendingChangesObserver(_ number: Int) {
      main.removePendingChangesObserver(number)
      numbers.withLock { _ = $0.remove(number) }
    }
    func nextTick(after instant: Instant) -> Instant? { nil }
    func schedule(at instant: Instant, _ handler: @escaping @Sendable () -> Void) {}
  }

  // Semantics 8
  @Test func `a main context leaves its queue's turns when it is released`() throws {
    let (store, main) = (try TestStore(of: "Agra"), CountingMain())
    let view = ManagedObjectContext(
      name: "view", queue: main, parent: .coordinator(store.coordinator))
    for _ in 0..<10 {
      let scratch = ManagedObjectContext(name: "scratch", queue: main, parent: .context(view))
      #expect(try scratch.names() == ["Agra"])
      #expect(main.observerCount == 2)
    }
    #expect(main.observerCount == 1)
  }
}
