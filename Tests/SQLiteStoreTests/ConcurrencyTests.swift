import Baseline
import Foundation
import GRDB
import ObjectGraph
import Queues
import Synchronization
import Testing

@testable import SQLiteStore

@Suite struct ConcurrencyTests {
  /// A save that stops inside its transaction, with SQLite's write lock.
  private func heldSave(
    _ request: SaveRequest, to store: TestStore, at gate: Gate
  ) -> WatchedThread<[ManagedObjectID]> {
    let thread = WatchedThread(
      onCount: { if $0 == .statements { gate.pass() } },
      { try store.coordinator.save(request) })
    gate.waitUntilReached()
    return thread
  }

  @Test func `in pool mode a fetch does not wait for a save`() throws {
    let store = try TestStore(.pool, rows: 3)
    let gate = Gate()
    let save = heldSave(store.renaming(1, to: "new"), to: store, at: gate)
    let (rows, log) = try watched { try store.fetch(sortedBy: [Sort(Fixture.key)]) }
    #expect(rows.map(\.snapshot.version) == [1, 1, 1])
    #expect(log.waits == [])
    _ = try watched { try store.coordinator.snapshot(of: store.id(1)) }
    gate.release()
    _ = try save.join()
    #expect(try store.fetch(sortedBy: [Sort(Fixture.key)]).map(\.snapshot.version) == [2, 1, 1])
  }

  /// The waits of the first attempt with any. The waiting thread may reach the lock late, so each
  /// attempt pauses longer.
  private func waits(
    _ attempt: (_ pause: () -> Void) throws -> [WaitCause]
  ) throws -> Set<WaitCause> {
    for number in 0..<30 {
      let waits = try attempt { for _ in 0..<(1 << number) { sched_yield() } }
      if !waits.isEmpty { return Set(waits) }
    }
    Issue.record("the second thread never waited")
    return []
  }

  @Test(arguments: StoreMode.allCases)
  func `a read within the only reader's read stops the program in checked mode`(
    mode: StoreMode
  ) async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [mode = mode.rawValue as String] in
      let store = try TestStore(#require(StoreMode(rawValue: mode)), rows: 1) { $0.readerCount = 1 }
      try store.coordinator.pool.read { _ in _ = try store.fetch() }
    }
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(output.contains(" waits for a read of '"), "\(output)")
  }

  @Test func `in serial mode a fetch waits for a save, on the coordinator`() throws {
    let waits = try waits { pause in
      let store = try TestStore(.serial, rows: 3)
      let gate = Gate()
      let save = heldSave(store.renaming(1, to: "new"), to: store, at: gate)
      let fetch = WatchedThread { try store.fetch(sortedBy: [Sort(Fixture.key)]) }
      pause()
      gate.release()
      _ = try save.join()
      let (rows, log) = try fetch.join()
      #expect(rows.map(\.snapshot.version) == [2, 1, 1])
      return log.waits
    }
    #expect(waits == [.coordinator])
  }

  @Test func `in pool mode a second save waits for the first, on SQLite`() throws {
    let waits = try waits { pause in
      let store = try TestStore(.pool, rows: 3)
      let gate = Gate()
      let first = heldSave(store.renaming(1, to: "new"), to: store, at: gate)
      let second = WatchedThread { try store.coordinator.save(store.renaming(2, to: "new")) }
      pause()
      gate.release()
      _ = try first.join()
      let (_, log) = try second.join()
      return log.waits.contains(.sqlite) ? log.waits : []
    }
    // The row cache may be held for a moment.
    #expect(waits.isSubset(of: [.sqlite, .coordinator]))
  }

  @Test func `in pool mode a fetch without a free reader waits on the coordinator`() throws {
    let waits = try waits { pause in
      let store = try TestStore(.pool, rows: 3) { $0.readerCount = 1 }
      let gate = Gate()
      let first = WatchedThread(onCount: { _ in gate.pass() }) { try store.fetch() }
      gate.waitUntilReached()
      let second = WatchedThread { try store.fetch() }
      pause()
      gate.release()
      #expect(try first.join().0.count == 3)
      let (rows, log) = try second.join()
      #expect(rows.count == 3)
      return log.waits
    }
    #expect(waits == [.coordinator])
  }

  @Test(arguments: StoreMode.allCases)
  func `a save waits for another process's transaction, charged to SQLite`(mode: StoreMode) throws {
    let store = try TestStore(mode, rows: 1)
    let stranger = try DatabaseQueue(path: store.url.path(percentEncoded: false))
    let waits = DispatchSemaphore(value: 0)
    let save = try stranger.writeWithoutTransaction { database in
      try database.execute(sql: "BEGIN IMMEDIATE")
      let save = WatchedThread(onWait: { _ in waits.signal() }) {
        try store.coordinator.save(store.renaming(1, to: "new"))
      }
      waits.wait()
      try database.execute(sql: "COMMIT")
      return save
    }
    let (_, log) = try save.join()
    #expect(!log.waits.isEmpty && log.waits.allSatisfy { $0 == .sqlite })
    #expect(try store.plainRows()[0].version == 2)
  }

  @Test(arguments: StoreMode.allCases)
  func `a save fails after the busy timeout and can be tried again`(mode: StoreMode) throws {
    let store = try TestStore(mode, rows: 1) { $0.busyTimeout = .milliseconds(2) }
    let stranger = try DatabaseQueue(path: store.url.path(percentEncoded: false))
    try stranger.writeWithoutTransaction { database in
      try database.execute(sql: "BEGIN IMMEDIATE")
      let error = #expect(throws: StoreError.self) {
        try store.coordinator.save(store.renaming(1, to: "new"))
      }
      let text = error.map { "\($0)" } ?? ""
      #expect(text.contains("(SQLite's code 5)") && text.contains("busyTimeout"))
      try database.execute(sql: "COMMIT")
    }
    _ = try store.coordinator.save(store.renaming(1, to: "new"))
    #expect(try store.plainRows()[0].version == 2)
  }

  @Test(arguments: StoreMode.allCases)
  func `many threads can save, fetch, fault and release at once without losing a change`(
    mode: StoreMode
  ) throws {
    let store = try TestStore(mode, rows: 40) {
      $0.readerCount = 2
      $0.checkpointThreshold = 20
    }
    let savers = (0..<3).map { saver in
      WatchedThread { try increment(store, times: 60, first: Int64(saver)) }
    }
    let readers = (0..<2).map { _ in WatchedThread { try readThrough(store, times: 60) } }
    var conflicts = 0
    for saver in savers { conflicts += try saver.join().0 }
    for reader in readers { _ = try reader.join() }
    let plain = try store.plainRows()
    #expect(plain.reduce(0) { $0 + $1.version - 1 } == Int64(3 * 60 - conflicts))
    #expect(store.coordinator.cachedObjectCount == 0)
  }

  /// Returns the number of saves with a conflict.
  private func increment(_ store: TestStore, times: Int, first: Int64) throws -> Int {
    var conflicts = 0
    for time in 0..<Int64(times) {
      let key = (first + time) % 40 + 1
      let rows = try store.fetch(where: .compare(Fixture.key, .equal, .int64(key)))
      do {
        _ = try store.coordinator.save(
          store.renaming(key, to: "\(time)", version: rows[0].snapshot.version))
      } catch SaveError.conflict {
        conflicts += 1
      }
      store.coordinator.unregister(rows.map(\.id))
    }
    return conflicts
  }

  /// Checks that no row gets older.
  private func readThrough(_ store: TestStore, times: Int) throws {
    var newest = Array(repeating: Int64(0), count: 41)
    for _ in 0..<times {
      let rows = try store.fetch()
      for row in rows {
        let cached = try #require(try store.coordinator.snapshot(of: row.id)).version
        let key = Int(row.id.primaryKey)
        #expect(row.snapshot.version >= newest[key] && cached >= row.snapshot.version)
        newest[key] = cached
      }
      store.coordinator.unregister(rows.map(\.id))
    }
  }
}
