import Foundation
import ObjectGraph
import Queues
import SQLiteStore
import TestSupport
import Testing

// Main waits for a worker that waits for main. Each test is one of the ways that articles and bug
// reports tell of. An alarm ends a program whose deadlock nobody notices.

@Suite("Main and a worker that wait for each other, in checked mode") struct WaitCycleTests {
  private func expectStop(_ sentences: [String], _ result: ExitTest.Result?) {
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    for sentence in sentences { #expect(output.contains(sentence), "\(output)") }
  }

  // Semantics w
  @Test func `a did-save that is merged by performAndWait while main waits is named`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      alarm(60)
      try await Cycle().run { cycle, isBusy in
        cycle.worker.performAndWait {
          cycle.worker.observeDidSave { save in
            isBusy.open()
            cycle.view.performAndWait { try? cycle.view.mergeChanges(fromContextDidSave: save) }
          }
          try? cycle.worker.save()
        }
      } onMain: {
        $0.worker.performAndWait {}
      }
    }
    expectStop(
      [
        "a block of queue 'worker' waits for a block of queue 'main' in performAndWait of context"
          + " 'view'",
        "a block of queue 'main' waits for a block of queue 'worker' in performAndWait of context"
          + " 'worker'",
        "end the outer call first, or make the inner one with async or perform",
      ], result)
  }

  // Semantics 20
  @Test func `a worker below main that fetches while main waits for it is named`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      alarm(60)
      try await Cycle().run { cycle, isBusy in
        cycle.child.performAndWait {
          isBusy.open()
          _ = try? cycle.child.names()
        }
      } onMain: {
        $0.child.performAndWait {}
      }
    }
    expectStop(
      [
        "a block of queue 'child' waits for a block of queue 'main' in a request of context 'child'"
          + " to its parent 'view'",
        "a block of queue 'main' waits for a block of queue 'child' in performAndWait of context"
          + " 'child'",
      ], result)
  }

  // Semantics v
  @Test func `a list's fetch on main while its private parent waits for main is named`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      alarm(60)
      try await Cycle().run { cycle, isBusy in
        cycle.root.performAndWait {
          isBusy.open()
          cycle.aboveRoot.performAndWait {}
        }
      } onMain: {
        let request = FetchRequest(City.entity, sortedBy: [City.name.ascending])
        try? FetchedResultsController(request, in: $0.aboveRoot).performFetch()
      }
    }
    expectStop(
      [
        "a block of queue 'root' waits for a block of queue 'main' in performAndWait of context"
          + " 'list'",
        "a block of queue 'main' waits for a block of queue 'root' in a request of context 'list'"
          + " to its parent 'root'",
      ], result)
  }

  @Test func `a conflict that is settled on main while main fetches is named`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      alarm(60)
      try await Cycle(.serial).run { cycle, isBusy in
        cycle.settle {
          isBusy.open()
          cycle.view.performAndWait {}
        }
      } onMain: {
        _ = try? $0.view.names()
      }
    }
    expectStop(
      [
        "a request to '", "waits for a block of queue 'main' in performAndWait of context 'view'",
        "a block of queue 'main' waits for a request to '",
      ], result)
  }
}

/// Contexts that can wait for each other in a circle.
private final class Cycle: Sendable {
  let store: TestStore
  let main = SimulatedMainQueue(heartbeat: nil)
  let view: ManagedObjectContext
  let worker: ManagedObjectContext
  let child: ManagedObjectContext
  let root: ManagedObjectContext
  let aboveRoot: ManagedObjectContext

  init(_ mode: StoreMode = .pool) throws {
    store = try TestStore(mode, of: "Agra")
    main.start()
    view = ManagedObjectContext(
      name: "view", queue: main, parent: .coordinator(store.coordinator))
    worker = store.context("worker")
    child = view.child("child")
    root = store.context("root")
    aboveRoot = ManagedObjectContext(name: "list", queue: main, parent: .context(root))
  }

  /// Runs one block on a thread and, once that is busy, the other on main. Main is taken before
  /// the thread's block begins: no block of the thread runs on main in between.
  func run(
    _ work: @escaping @Sendable (Cycle, Gate) -> Void,
    onMain: @escaping @Sendable (Cycle) -> Void
  ) async throws {
    let mainIsTaken = Gate()
    let isBusy = Gate()
    let thread = TestThread {
      mainIsTaken.wait()
      work(self, isBusy)
    }
    main.sync {
      mainIsTaken.open()
      isBusy.wait()
      onMain(self)
    }
    thread.join()
  }

  /// Calls `body` while a save holds the coordinator. Three earlier attempts do not hold it.
  func settle(_ body: @escaping @Sendable () -> Void) {
    let rival = store.context("rival")
    let rounds = Lock(0)
    worker.conflictHandler = { _, _, applyPolicy in
      try applyPolicy()
      let round = rounds.withLock {
        $0 += 1
        return $0
      }
      if round > 3 { return body() }
      try rival.performAndWait {
        rival.stalenessInterval = .zero
        let city = try rival.city(1)
        try rival.refresh(city, mergeChanges: false)
        city[City.population] += 1
        try rival.save()
      }
    }
    worker.performAndWait {
      worker.mergePolicy = .objectTrump
      let city = try? worker.city(1)
      city?[City.name] = "Agadir"
      try? rival.performAndWait {
        try rival.city(1)[City.population] = 7
        try rival.save()
      }
      try? worker.save()
    }
  }
}
