import Baseline
import ObjectGraph
import Testing

@testable import SQLiteStore

@Suite struct ConflictTests {
  private func conflicts(_ body: () throws -> Void) throws -> [MergeConflict] {
    do {
      try body()
    } catch SaveError.conflict(let conflicts) {
      return conflicts
    }
    return []
  }

  @Test(arguments: StoreMode.allCases)
  func `an update on an old version is a conflict and writes nothing`(mode: StoreMode) throws {
    let store = try TestStore(mode, rows: 2)
    _ = try store.coordinator.save(store.renaming(1, to: "first"))
    var request = store.renaming(1, to: "second", version: 1)
    request.inserts = store.insertion(store.fixture.row(3)).inserts
    request.updates += store.renaming(2, to: "fine").updates
    let found = try conflicts { _ = try store.coordinator.save(request) }
    let row = RowSnapshot(values: store.fixture.row(1, name: "first"), version: 2)
    #expect(
      found == [
        MergeConflict(id: store.id(1), oldVersion: 1, newVersion: 2, persistedSnapshot: row)
      ])
    let plain = try store.plainRows()
    #expect(plain.map(\.values[Fixture.name]) == [.string("first"), .string("city 2")])
    #expect(plain.map(\.version) == [2, 1])
  }

  // Semantics 69
  @Test(arguments: StoreMode.allCases)
  func `a conflict with the row cache has the cached row and no SQLite row`(mode: StoreMode) throws
  {
    let store = try TestStore(mode, rows: 1)
    _ = try store.fetch()
    _ = try store.coordinator.save(store.renaming(1, to: "first"))
    let row = RowSnapshot(values: store.fixture.row(1, name: "first"), version: 2)
    let found = try conflicts { _ = try store.coordinator.save(store.renaming(1, to: "second")) }
    #expect(
      found == [MergeConflict(id: store.id(1), oldVersion: 1, newVersion: 2, cachedSnapshot: row)])
  }

  // Semantics 67
  @Test(arguments: StoreMode.allCases)
  func `a row that is only checked can conflict too and is not written`(mode: StoreMode) throws {
    let store = try TestStore(mode, rows: 3)
    _ = try store.coordinator.save(store.renaming(1, to: "first"))
    var request = store.renaming(3, to: "third")
    request.checks = [.init(id: store.id(1), version: 2), .init(id: store.id(2), version: 1)]
    _ = try store.coordinator.save(request)
    #expect(try store.plainRows().map(\.version) == [2, 1, 2])
    request = store.renaming(3, to: "fourth", version: 2)
    request.checks = [.init(id: store.id(1), version: 1)]
    #expect(try conflicts { _ = try store.coordinator.save(request) }.map(\.id) == [store.id(1)])
    #expect(try store.plainRows().map(\.version) == [2, 1, 2])
  }

  @Test(arguments: StoreMode.allCases)
  func `edits of different attributes of one row conflict too`(mode: StoreMode) throws {
    let store = try TestStore(mode, rows: 1)
    _ = try store.coordinator.save(store.renaming(1, to: "first"))
    var request = SaveRequest()
    request.updates = [
      .init(
        id: store.id(1), values: store.fixture.row(1),
        changed: AttributeMask(index: Fixture.size), version: 1)
    ]
    #expect(try conflicts { _ = try store.coordinator.save(request) }.count == 1)
  }

  // Semantics 74
  @Test(arguments: StoreMode.allCases)
  func `a deleted row has version 0 in a conflict`(mode: StoreMode) throws {
    let store = try TestStore(mode, rows: 2)
    _ = try store.coordinator.save(store.deletion(1))
    let expected = [MergeConflict(id: store.id(1), oldVersion: 1, newVersion: 0)]
    #expect(try conflicts { _ = try store.coordinator.save(store.deletion(1)) } == expected)
    #expect(try conflicts { _ = try store.coordinator.save(store.renaming(1, to: "")) } == expected)
  }

  @Test(arguments: StoreMode.allCases)
  func `all conflicts of a save are reported`(mode: StoreMode) throws {
    let store = try TestStore(mode, rows: 4)
    _ = try store.coordinator.save(store.renaming(1, to: "a"))
    _ = try store.coordinator.save(store.deletion(2))
    _ = try store.coordinator.save(store.renaming(3, to: "c"))
    var request = store.renaming(1, to: "x")
    request.updates += store.renaming(2, to: "x").updates + store.renaming(4, to: "x").updates
    request.deletes = store.deletion(3).deletes
    let found = try conflicts { _ = try store.coordinator.save(request) }
    #expect(found.map(\.id.primaryKey) == [1, 2, 3])
    #expect(found.map(\.newVersion) == [2, 0, 2])
    #expect(try store.coordinator.save(store.renaming(4, to: "y")).isEmpty)
  }

  @Test(arguments: StoreMode.allCases)
  func `a failed save assigns no ID and does not change the row cache`(mode: StoreMode) throws {
    let store = try TestStore(mode, rows: 2)
    _ = try store.fetch()
    var request = store.renaming(1, to: "new")
    request.inserts = store.insertion(store.fixture.row(3)).inserts
    request.deletes = store.deletion(2, version: 9).deletes
    #expect(try conflicts { _ = try store.coordinator.save(request) }.count == 1)
    #expect(store.coordinator.cachedObjectCount == 2)
    let cached = store.coordinator.cachedSnapshot(of: store.id(1))
    #expect(cached == RowSnapshot(values: store.fixture.row(1), version: 1))
    let ids = try store.coordinator.save(store.insertion(store.fixture.row(3)))
    #expect(ids.map(\.primaryKey) == [3])
  }

  @Test(arguments: StoreMode.allCases)
  func `two coordinators of one file detect each other's saves by version`(mode: StoreMode) throws {
    let store = try TestStore(mode, rows: 1)
    let other = try store.secondCoordinator()
    #expect(store.coordinator.storeNumber == other.storeNumber)
    #expect(try store.fetch().map(\.snapshot.version) == [1])
    _ = try other.save(store.renaming(1, to: "theirs"))
    // Only SQL finds the conflict.
    #expect(try store.coordinator.snapshot(of: store.id(1))?.version == 1)
    let found = try conflicts { _ = try store.coordinator.save(store.renaming(1, to: "mine")) }
    let row = RowSnapshot(values: store.fixture.row(1, name: "theirs"), version: 2)
    #expect(
      found == [
        MergeConflict(id: store.id(1), oldVersion: 1, newVersion: 2, persistedSnapshot: row)
      ])
    #expect(try store.fetch().map(\.snapshot.version) == [2])
    #expect(try store.coordinator.snapshot(of: store.id(1))?.version == 2)
  }
}
