import ObjectGraph
import Queues
import Testing

@testable import SQLiteStore

@Suite struct RowCacheTests {
  /// The statements that reading the row takes.
  private func cost(_ store: TestStore, _ key: Int64) throws -> Int {
    try watched { try store.coordinator.snapshot(of: store.id(key)) }.1[.statements]
  }

  @Test(arguments: StoreMode.allCases)
  func `a fetched row costs no SQL until its last registration is taken back`(
    mode: StoreMode
  ) throws {
    let store = try TestStore(mode, rows: 1)
    #expect(try cost(store, 1) == 1)
    _ = try store.fetch()
    #expect(try cost(store, 1) == 0)
    _ = try store.fetch()
    store.coordinator.unregister([store.id(1)])
    #expect(try cost(store, 1) == 0)
    store.coordinator.unregister([store.id(1)])
    #expect(store.coordinator.cachedObjectCount == 0)
    #expect(try cost(store, 1) == 1)
    // Nobody registered the row, so it is not kept.
    #expect(try cost(store, 1) == 1)
  }

  @Test(arguments: [[1, 2, 3], [1, 3], [2, 2, 2, 2, 9], [1, 2, 2, 3, 3, 9], [1, 1, 2, 3]])
  func `rows registered twice stay cached after one unregistration`(
    keys: [Int64]
  ) throws {
    let store = try TestStore(.pool, rows: 3)
    _ = try store.fetch()
    store.coordinator.register([store.id(2)])
    store.coordinator.unregister(keys.map(store.id))
    let registrations: [Int64: Int] = [1: 1, 2: 2, 3: 1]
    let kept = registrations.filter { key, count in keys.count { $0 == key } < count }
    #expect(store.coordinator.cachedObjectCount == kept.count)
    for key in kept.keys { #expect(try cost(store, key) == 0) }
  }

  @Test(arguments: StoreMode.allCases)
  func `a registered row is cached after SQL has read it`(mode: StoreMode) throws {
    let store = try TestStore(mode, rows: 1)
    store.coordinator.register([store.id(1)])
    #expect(try cost(store, 1) == 1)
    #expect(try cost(store, 1) == 0)
  }

  @Test(arguments: StoreMode.allCases)
  func `temporary IDs are not registered`(mode: StoreMode) throws {
    let store = try TestStore(mode)
    store.coordinator.register([store.temporaryID()])
    store.coordinator.unregister([store.temporaryID()])
    #expect(store.coordinator.cachedObjectCount == 0)
  }

  @Test(arguments: StoreMode.allCases)
  func `a save changes the entries of registered rows only`(mode: StoreMode) throws {
    let store = try TestStore(mode, rows: 2)
    store.coordinator.register([store.id(1)])
    var request = store.renaming(1, to: "a")
    request.updates += store.renaming(2, to: "b").updates
    _ = try store.coordinator.save(request)
    let expected = RowSnapshot(values: store.fixture.row(1, name: "a"), version: 2)
    #expect(store.coordinator.cachedSnapshot(of: store.id(1)) == expected)
    #expect(store.coordinator.cachedSnapshot(of: store.id(2)) == nil)
    #expect(store.coordinator.cachedObjectCount == 1)
  }

  @Test(arguments: StoreMode.allCases)
  func `inserted rows are registered once, and deleted rows are removed whatever their count`(
    mode: StoreMode
  ) throws {
    let store = try TestStore(mode)
    let ids = try store.coordinator.save(store.insertion(store.fixture.row(1)))
    #expect(try cost(store, 1) == 0)
    store.coordinator.register(ids)
    _ = try store.coordinator.save(store.deletion(1))
    #expect(store.coordinator.cachedObjectCount == 0)
    #expect(try store.coordinator.snapshot(of: ids[0]) == nil)
    // The contexts still unregister their objects.
    store.coordinator.unregister(ids)
    #expect(store.coordinator.cachedObjectCount == 0)
  }

  @Test(arguments: StoreMode.allCases)
  func `snapshots are in order, cached or not, and nil for deleted rows`(
    mode: StoreMode
  ) throws {
    let store = try TestStore(mode, rows: 600)
    _ = try store.fetch(where: .compare(Fixture.key, .less, .int64(5)))
    let keys: [Int64] = [600, 2, 999, 7, 2] + (100..<590)
    let (snapshots, log) = try watched {
      try store.coordinator.snapshots(of: keys.map(store.id))
    }
    let expected = keys.map { $0 == 999 ? nil : store.fixture.row($0) }
    #expect(snapshots.map(\.?.values) == expected)
    #expect(log.counts == [.statements: 1, .rowsRead: 492])
  }

  /// A cache with two requests under way, and the row that the first of them read.
  private func cacheAndOldRow(of store: TestStore) -> (RowCache, DecodedRows) {
    let snapshot = RowSnapshot(values: store.fixture.row(1), version: 1)
    var cache = RowCache()
    cache.register([store.id(1)])
    #expect(cache.requestBegan() == 1 && cache.requestBegan() == 2)
    return (cache, DecodedRows([FetchedRow(id: store.id(1), snapshot: snapshot)]))
  }

  @Test func `an old row does not replace a newer one`() throws {
    // reader  ├─ began ── SELECT ─────────────────── registered
    // writer               ├─ began ── saved ─┤
    let store = try TestStore(.pool, rows: 1)
    let id = store.id(1)
    var (cache, old) = cacheAndOldRow(of: store)
    cache.saved(store.renaming(1, to: "new"), insertedIDs: [], by: 2)
    cache.requestEnded()
    cache.register(&old, by: 1)
    #expect(cache.snapshot(of: id)?.version == 2)
  }

  @Test(arguments: [true, false])
  func `an old row is not cached after its entry was removed`(isDeleted: Bool) throws {
    let store = try TestStore(.pool, rows: 1)
    let id = store.id(1)
    var (cache, old) = cacheAndOldRow(of: store)
    cache.saved(
      isDeleted ? store.deletion(1) : store.renaming(1, to: "new"), insertedIDs: [], by: 2)
    cache.requestEnded()
    cache.unregister([id])
    cache.register(&old, by: 1)
    #expect(cache.snapshot(of: id) == nil)
    cache.take(old.rows[0].snapshot, of: id, by: 1)
    #expect(cache.snapshot(of: id) == nil)
    // Nobody can hold an old row now.
    cache.requestEnded()
    cache.take(old.rows[0].snapshot, of: id, by: 1)
    #expect(cache.snapshot(of: id)?.version == 1)
  }

  @Test func `an old row is not cached after a save cleared its key`() throws {
    let store = try TestStore(.pool, rows: 2)
    let id = store.id(1)
    var (cache, old) = cacheAndOldRow(of: store)
    cache.saved(
      SaveTransaction.Outcome(
        insertedIDs: [], request: store.deletion(2),
        cleared: [.init(id: id, columns: [])]), by: 2)
    cache.requestEnded()
    cache.register(&old, by: 1)
    #expect(cache.snapshot(of: id) == nil)
  }

  @Test func `a row that was read before it was forgotten is not cached`() throws {
    // reader  ├─ began ── SELECT ───────────────── registered
    // merge                         forgotten ├─ began ── SELECT ─── taken
    let store = try TestStore(.pool, rows: 1)
    let id = store.id(1)
    var (cache, old) = cacheAndOldRow(of: store)
    cache.requestEnded()
    cache.forget([id])
    cache.take(old.rows[0].snapshot, of: id, by: 1)
    #expect(cache.snapshot(of: id) == nil)
    cache.register(&old, by: 1)
    #expect(cache.snapshot(of: id) == nil)
    let new = RowSnapshot(values: store.fixture.row(1, name: "new"), version: 2)
    cache.take(new, of: id, by: cache.requestBegan())
    #expect(cache.snapshot(of: id) == new)
  }

  @Test func `a save tells the rows and columns whose key it cleared`() throws {
    let store = try FamilyStore()
    let desk = try store.saved(store.family.desk, ["room": .int64(1)])
    let owner = try store.saved(
      store.family.employee, ["name": .string("Ada"), "desk": .object(desk)])
    try store.save(store.update(owner, ["name": .string("Eve")]))
    var request = SaveRequest()
    request.deletes = [.init(id: desk, version: 1)]
    let cleared = try store.coordinator.pool.write {
      try SaveTransaction.save(request, on: $0).cleared
    }
    let column = try #require(store.family.employee.index(of: "desk"))
    #expect(cleared == [.init(id: owner, columns: AttributeMask(index: column))])
  }
}
