import Foundation
import ObjectGraph
import Queues
import SQLiteStore
import TestSupport
import Testing
import Topologies

@Suite("Waits of main")
struct WaitTests {
  private func record(
    on main: SimulatedMainQueue, _ work: @escaping @Sendable () throws -> Void
  ) throws -> MainQueueRecording {
    try main.sync {
      main.openWindow()
      try work()
      return main.closeWindow()
    }
  }

  private func waits(_ recording: MainQueueRecording) -> Set<WaitCause> {
    Set(WaitCause.allCases.filter { recording.use[$0] > 0 })
  }

  /// Holds a lock for longer each time, until main was waiting before its release. So the outcome
  /// does not depend on timing.
  private func untilMainWaited(
    _ attempt: (_ release: @escaping @Sendable (Gate) -> Void) throws -> MainQueueRecording
  ) throws -> MainQueueRecording {
    for patience in 0..<24 {
      let recording = try attempt { gate in
        for _ in 0..<(1 << patience) { sched_yield() }
        gate.open()
      }
      if !waits(recording).isEmpty { return recording }
    }
    throw NeverWaited()
  }

  private struct NeverWaited: Error {}

  /// Main fetches while a sibling's save is stopped within its SQL.
  private func fetchDuringSave(
    _ mode: StoreMode, _ release: @escaping @Sendable (Gate) -> Void
  ) throws -> MainQueueRecording {
    let store = try TestStore(mode)
    try store.fill([City.values(1, "Agra")])
    let main = SimulatedMainQueue(heartbeat: nil)
    main.start()
    defer { main.stop() }
    let view = ManagedObjectContext(
      name: "main", queue: main, parent: .coordinator(store.coordinator))
    let (isHeld, mayContinue, isDone) = (Gate(), Gate(), Gate())
    let saver = Thread {
      Activity.install(HoldingRecorder(isHeld, mayContinue))
      let sibling = store.context("sibling")
      sibling.performAndWait {
        _ = sibling.insert(City.entity, values: City.values(2, "Bern"))
        try? sibling.save()
      }
      Activity.install(nil)
      isDone.open()
    }
    saver.start()
    isHeld.wait()
    let releaser = Thread { release(mayContinue) }
    releaser.start()
    let recording = try record(on: main) { _ = try view.fetch(FetchRequest(City.entity)) }
    mayContinue.open()
    isDone.wait()
    return recording
  }

  @Test func `main's fetch waits for a sibling's save in serial mode, on the coordinator`() throws {
    let recording = try untilMainWaited { try fetchDuringSave(.serial, $0) }
    #expect(waits(recording) == [.coordinator])
    #expect(recording.use.databaseWaiting == recording.use[WaitCause.coordinator])
  }

  @Test func `main's fetch does not wait for a sibling's save in pool mode`() throws {
    // The save is held until main has fetched.
    let recording = try fetchDuringSave(.pool) { _ in }
    #expect(waits(recording) == [])
    #expect(recording.counts[.rowsRead] == 1)
  }

  @Test func `main's save waits for its parent while root is at work`() throws {
    let recording = try untilMainWaited { release in
      let store = try TestStore()
      try store.fill([City.values(1, "Agra")])
      let main = SimulatedMainQueue(heartbeat: nil)
      main.start()
      defer { main.stop() }
      let root = store.context("root")
      let view = ManagedObjectContext(name: "main", queue: main, parent: .context(root))
      try main.sync {
        try view.city(1)[City.name] = "Agadir"
        view.processPendingChanges()
      }
      let (isHeld, mayEnd) = (Gate(), Gate())
      root.perform {
        isHeld.open()
        mayEnd.wait()
      }
      isHeld.wait()
      let releaser = Thread { release(mayEnd) }
      releaser.start()
      return try record(on: main) { try view.save() }
    }
    #expect(waits(recording) == [.parent])
    #expect(recording.use.databaseWaiting == recording.use[WaitCause.parent])
  }

  @Test func `a worker that fetches through main occupies main, in database time`() throws {
    let store = try TestStore()
    try store.fill((1...500).map { City.values($0, "n\($0)") })
    let main = SimulatedMainQueue(heartbeat: nil)
    main.start()
    defer { main.stop() }
    let view = ManagedObjectContext(
      name: "main", queue: main, parent: .coordinator(store.coordinator))
    let worker = view.child("worker")
    main.sync { main.openWindow() }
    let fetched = try worker.performAndWait { try worker.fetch(FetchRequest(City.entity)).count }
    #expect(fetched == 500)
    let recording = main.sync { main.closeWindow() }
    #expect(recording.counts[.statements] == 1)
    #expect(recording.counts[.rowsRead] == 500)
    #expect(recording.use[.fetch] > 0)
    #expect(waits(recording) == [])
  }

  @Test func `main's work for a worker's fetch during its own is database time too`() throws {
    let store = try TestStore()
    try store.fill([City.values(1, "Agra")])
    let clock = ManualClock()
    let main = SimulatedMainQueue(clock: clock, heartbeat: nil)
    main.start()
    defer { main.stop() }
    let coordinator = WatchedCoordinator(store.coordinator) { _ in
      clock.advance(by: .milliseconds(1))
    }
    let view = ManagedObjectContext(name: "main", queue: main, parent: .coordinator(coordinator))
    let worker = view.child("worker")
    main.sync { main.openWindow() }
    _ = try worker.performAndWait { try worker.fetch(FetchRequest(City.entity)).count }
    let recording = main.sync { main.closeWindow() }
    #expect(recording.use.databaseExecuting == 1_000_000)
    #expect(recording.use.total == 1_000_000)
  }

  @Test func `a private context's performAndWait from main is main's time`() throws {
    let store = try TestStore()
    let main = SimulatedMainQueue(heartbeat: nil)
    main.start()
    defer { main.stop() }
    let background = store.context("background")
    let recording = try record(on: main) {
      try background.performAndWait {
        #expect(main.isCurrent && background.queue.isCurrent)
        _ = background.insert(City.entity, values: City.values(1, "Agra"))
        try background.save()
      }
    }
    #expect(recording.counts[.commits] == 1)
    #expect(recording.use[.save] > 0)
  }

  @Test func `main waits for an observer at work only if it has no snapshot`() async throws {
    for name in ["background-snapshot", "background-snapshot-waiting"] {
      let descriptor = try #require(Topologies.builtIn.first { $0.name == name })
      try await Bench.with(descriptor) { bench in
        let topology = try #require(bench.topology as? BackgroundSnapshot)
        let read = { (release: @escaping @Sendable (Gate) -> Void) in
          let (isHeld, mayEnd) = (Gate(), Gate())
          topology.observer.perform {
            isHeld.open()
            mayEnd.wait()
          }
          isHeld.wait()
          Thread { release(mayEnd) }.start()
          defer { mayEnd.open() }
          return try record(on: bench.main) { #expect(topology.list.row(at: 0).count == 5) }
        }
        if name == "background-snapshot" {
          // The observer is held until main has read.
          #expect(waits(try read { _ in }) == [])
        } else {
          #expect(waits(try untilMainWaited(read)) == [.queue])
        }
      }
    }
  }
}
