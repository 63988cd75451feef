import Foundation
import ObjectGraph
import Queues
import TestSupport
import Testing
import Topologies

@testable import SQLiteStore

@Suite("Behaviour of each wiring")
struct WiringTests {
  private func descriptor(_ name: String) throws -> TopologyDescriptor {
    try #require(Topologies.builtIn.first { $0.name == name })
  }

  /// Of the first batch, until it has settled.
  private func recording(
    _ name: String, _ mode: StoreMode = .pool, _ batches: [[Change]] = [Stream.batches[0]]
  ) async throws -> MainQueueRecording {
    let recorded = Lock<MainQueueRecording?>(nil)
    try await Bench.with(try descriptor(name), mode) { bench in
      bench.main.sync { bench.main.openWindow() }
      for batch in batches { try await bench.topology.apply(batch) }
      try await bench.topology.settle()
      let recording = bench.main.sync { bench.main.closeWindow() }
      recorded.withLock { $0 = recording }
    }
    return try #require(recorded.withLock { $0 })
  }

  // The first batch has two inserts, two updates and one delete.

  @Test(arguments: ["notification-merge", "container", "thread-confinement"])
  func `a merge needs no SQL on main, as the row cache is shared`(name: String) async throws {
    let recording = try await recording(name)
    #expect(recording.counts[.statements] == nil)
    #expect(recording.counts[.commits] == nil)
    #expect(recording.counts[.objectsRefreshed] == 2)
    #expect(recording.counts[.objectsCopied] == nil)
  }

  @Test func `root-hybrid merges into main, which copies and writes nothing`() async throws {
    let recording = try await recording("root-hybrid")
    #expect(recording.counts[.objectsCopied] == nil)
    #expect(recording.counts[.objectsRefreshed] == 2)
    #expect(recording.counts[.commits] == nil)
  }

  @Test(arguments: ["root-hybrid", "notification-merge", "thread-confinement"])
  func `main's own saves are not merged back`(name: String) async throws {
    try await Bench.with(try descriptor(name)) { bench in
      let topology = bench.topology
      let edit = Change.update(
        key: .int64(20), fields: [FieldChange(index: 2, value: .int64(1))])
      bench.main.sync { bench.main.openWindow() }
      try bench.main.sync { try topology.editOnMain([edit]) }
      try await topology.settle()
      let recording = bench.main.sync { bench.main.closeWindow() }
      #expect(recording.counts[.objectsRefreshed] == nil)
      #expect((recording.counts[.commits] == nil) == (name == "root-hybrid"), "root writes there")
      #expect(try bench.stored().contains { $0[0] == .int64(20) && $0[2] == .int64(1) })
    }
  }

  @Test func `a list learns of a push into main before anything is on disk`() async throws {
    try await Bench.with(try descriptor("parent-child")) { bench in
      let topology = try #require(bench.topology as? any ContextTopology)
      let child = ManagedObjectContext(
        name: "child", queue: PrivateQueue(label: "child"), parent: .context(topology.main))
      try await child.perform {
        _ = child.insert(City.entity, values: City.values(900, "pushed"))
        try child.save()
      }
      #expect(bench.shown().contains { $0[0] == .int64(900) })
      #expect(!(try bench.stored().contains { $0[0] == .int64(900) }))
    }
  }

  @Test(arguments: StoreMode.allCases)
  func `two coordinators share no row cache: main's merge reads SQLite`(
    mode: StoreMode
  ) async throws {
    let recording = try await recording("two-coordinators", mode)
    // Two updated and two inserted rows.
    #expect(recording.counts[.rowsRead] == 4)
    #expect(recording.counts[.objectsRefreshed] == 2)
    #expect(recording.counts[.commits] == nil)
  }

  @Test func `two coordinators have one writer: a save on main waits for SQLite`() async throws {
    let edit = Change.update(key: .int64(20), fields: [FieldChange(index: 2, value: .int64(1))])
    var waited: Set<WaitCause> = []
    // Main meets the held lock if the lock is held long enough.
    for patience in 8..<26 where waited.isEmpty {
      try await Bench.with(try descriptor("two-coordinators")) { bench in
        let held = try HeldWriter(bench.file)
        bench.main.sync { bench.main.openWindow() }
        held.release(after: 1 << patience)
        try bench.main.sync { try bench.topology.editOnMain([edit]) }
        let use = bench.main.sync { bench.main.closeWindow() }.use
        held.release()
        waited = Set(WaitCause.allCases.filter { use[$0] > 0 })
      }
    }
    #expect(waited == [.sqlite])
  }

  @Test func `refetch tells its screen to reload, and fetches the whole list`() async throws {
    let events = Lock<[String]>([])
    let bench = try Bench(try descriptor("refetch")) { event in
      events.withLock { events in
        switch event {
        case .changes: events.append("changes")
        case .reload: events.append("reload")
        }
      }
    }
    try await bench.topology.load()
    for batch in Stream.batches { try await bench.topology.apply(batch) }
    try await bench.topology.settle()
    #expect(events.withLock { $0 } == ["reload", "reload"])
    #expect(bench.shown() == Stream.expected)
    try await bench.close()
    let recording = try await recording("refetch")
    #expect(recording.counts[.statements] == 1)
    // 40 rows, with one deleted and two inserted.
    #expect(recording.counts[.rowsRead] == 41)
    #expect(recording.counts[.listChanges] == nil)
  }

  @Test func `batch-insert makes no managed object on the worker`() async throws {
    try await Bench.with(try descriptor("batch-insert")) { bench in
      let topology = try #require(bench.topology as? BatchInsert)
      for batch in Stream.batches { try await topology.apply(batch) }
      let (inserted, registered) = topology.worker.performAndWait {
        (topology.worker.insertedObjects.count, topology.worker.registeredObjects.count)
      }
      #expect(inserted == 0 && registered == 0)
      try await topology.settle()
      #expect(bench.shown() == Stream.expected)
    }
  }

  @Test func `batch-insert writes a history, and main merges all but its own transactions`()
    async throws
  {
    try await Bench.with(try descriptor("batch-insert")) { bench in
      let topology = bench.topology
      let edit = Change.update(
        key: .int64(20), fields: [FieldChange(index: 2, value: .int64(1))])
      try bench.main.sync { try topology.editOnMain([edit]) }
      bench.main.sync { bench.main.openWindow() }
      try await topology.apply(Stream.batches[0])
      try await topology.settle()
      let recording = bench.main.sync { bench.main.closeWindow() }
      #expect(recording.counts[.objectsRefreshed] == 2)
      var configuration = StoreConfiguration(url: bench.file, mode: .pool)
      configuration.keepsHistory = true
      let store = try SQLiteCoordinator(configuration, model: City.model)
      let authors = try store.history().map(\.author)
      try store.close()
      // Main's edit, one request for the inserts, one for each update, one for the delete.
      #expect(authors == ["main", nil, nil, nil, nil])
    }
  }

  @Test func `a purge leaves batch-insert the history that main has not merged`() async throws {
    try await Bench.with(try descriptor("batch-insert")) { bench in
      let topology = bench.topology
      // Main's own transactions follow the last one that the worker has read.
      for population in 1...3 as ClosedRange<Int64> {
        let field = FieldChange(index: 2, value: .int64(population))
        try bench.main.sync {
          try topology.editOnMain([.update(key: .int64(20), fields: [field])])
        }
      }
      try await topology.use(.purge)
      for batch in Stream.batches { try await topology.apply(batch) }
      try await topology.settle()
      let stored = try bench.stored()
      #expect(bench.shown() == stored)
    }
  }

  @Test(arguments: ["notification-merge", "thread-confinement"], [false, true])
  func `a worker's context lives for a batch, or for the whole run`(
    name: String, reusesWorkers: Bool
  ) async throws {
    let bench = try Bench(try descriptor(name), reusesWorkers: reusesWorkers)
    let topology = try #require(bench.topology as? any ContextTopology)
    try await topology.load()
    let contexts = Lock<[ManagedObjectContext]>([])
    for _ in 1...2 {
      try await topology.saveInBackground(by: 0) { context in
        contexts.withLock { $0.append(context) }
      }
    }
    let isSame = contexts.withLock { $0[0] === $0[1] }
    #expect(isSame == reusesWorkers)
    for batch in Stream.batches { try await topology.apply(batch) }
    try await topology.settle()
    #expect(bench.shown() == Stream.expected)
    try await bench.close()
  }

  @Test func `private-from-main does all its work on main's thread`() async throws {
    let recording = try await recording("private-from-main")
    #expect(recording.counts[.commits] == 1)
    #expect(recording.counts[.rowsWritten] == 5)
    #expect(recording.use[.save] > 0)
    // Main then merges the rows that it wrote itself.
    #expect(recording.counts[.objectsRefreshed] == 2)
  }

  @Test(arguments: ["background-snapshot", "background-snapshot-waiting"])
  func `snapshots reach main with their difference, and main merges and reads nothing`(
    name: String
  ) async throws {
    let recording = try await recording(name)
    #expect(recording.counts.filter { $0.value > 0 } == [.listChanges: 5])
  }

  @Test(arguments: ["background-snapshot", "background-snapshot-waiting"])
  func `main shows its snapshot until it is handed the next, or the observer's rows at once`(
    name: String
  ) async throws {
    try await Bench.with(try descriptor(name)) { bench in
      let topology = try #require(bench.topology as? BackgroundSnapshot)
      try bench.main.sync {
        let worker = ManagedObjectContext(
          name: "worker", queue: PrivateQueue(label: "worker"), parent: topology.main.parent)
        try worker.performAndWait {
          worker.delete(try worker.city(40))
          try worker.save()
        }
        topology.observer.performAndWait {}
        let isWaiting = name.hasSuffix("waiting")
        #expect(topology.list.count == (isWaiting ? 39 : 40))
        #expect(topology.list.row(at: 39).isEmpty == isWaiting)
      }
      try await topology.settle()
      #expect(bench.shown().count == 39)
    }
  }

  @Test func `two-coordinators closes main's coordinator if the worker's stays open`()
    async throws
  {
    let bench = try Bench(try descriptor("two-coordinators"))
    let topology = try #require(bench.topology as? any ContextTopology)
    try await topology.load()
    let workers = Lock<SQLiteCoordinator?>(nil)
    try await topology.saveInBackground(by: 0) { worker in
      workers.withLock { $0 = worker.coordinator as? SQLiteCoordinator }
    }
    let second = try #require(workers.withLock { $0 })
    // SQLite closes no connection that has an unfinalised statement.
    let statement = try second.pool.write { try $0.statement(.sql("SELECT 1")) }
    await #expect(throws: StoreError.self) { try await topology.close() }
    _ = bench.main.sync {
      #expect(throws: StoreError.self) { try topology.fetchOnMain([.int64(1)]) }
    }
    withExtendedLifetime(statement) {}
  }
}
