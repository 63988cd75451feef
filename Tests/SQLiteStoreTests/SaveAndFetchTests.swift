import Baseline
import Foundation
import ObjectGraph
import Queues
import Testing

@testable import SQLiteStore

@Suite struct SaveAndFetchTests {
  @Test(arguments: StoreMode.allCases)
  func `values of every type are read as they were saved`(mode: StoreMode) throws {
    let store = try TestStore(mode)
    let rows: [ContiguousArray<Value>] = [
      store.fixture.row(3), store.fixture.row(4),
      [.int64(.min), .string("")] + Array(repeating: .null, count: 9),
      [
        .int64(.max), .string("Zoë 🇩🇪\u{0}e\u{301}"), .double(-.infinity), .bool(true),
        .date(.distantPast), .data(Data()), .string(""), .int64(0),
        .decimal(-999_999_999_999.999), .uuid(UUID(.max, 1)), .uri("urn:Zoe%CC%88"),
      ],
    ]
    let ids = try store.coordinator.save(store.insertion(of: rows))
    #expect(ids.map(\.primaryKey) == [1, 2, 3, 4])
    #expect(try store.fetch().map(\.snapshot.values) == rows)
    #expect(try store.fetch().map(\.id) == ids)
    #expect(try store.plainRows().map(\.values) == rows)
  }

  @Test(arguments: StoreMode.allCases)
  func `an update writes the changed columns and a delete removes the row`(mode: StoreMode) throws {
    let store = try TestStore(mode, rows: 3)
    var request = store.renaming(1, to: "Ulm")
    request.deletes = store.deletion(2).deletes
    #expect(try store.coordinator.save(request) == [])
    let plain = try store.plainRows()
    #expect(plain.map(\.key) == [1, 3])
    #expect(plain.map(\.version) == [2, 1])
    #expect(plain[0].values == store.fixture.row(1, name: "Ulm"))
  }

  @Test(arguments: StoreMode.allCases)
  func `an update does not change columns that it does not name`(mode: StoreMode) throws {
    let store = try TestStore(mode, rows: 1)
    var values = store.fixture.row(1, name: "Ulm")
    values[Fixture.size] = .double(99)
    var request = SaveRequest()
    request.updates = [
      .init(
        id: store.id(1), values: values, changed: AttributeMask(index: Fixture.name), version: 1)
    ]
    _ = try store.coordinator.save(request)
    #expect(try store.plainRows()[0].values == store.fixture.row(1, name: "Ulm"))
  }

  @Test(arguments: StoreMode.allCases)
  func `a fetch sorts by bytes, null first, then by key, and stops at its limit`(
    mode: StoreMode
  ) throws {
    let store = try TestStore(mode)
    let names = ["b", "a", "Z", "é", "b"]
    let rows = names.enumerated().map { index, name in
      var row = store.fixture.row(Int64(index), name: name)
      row[Fixture.size] = index == 3 ? .null : .double(1)
      return row
    }
    _ = try store.coordinator.save(store.insertion(of: rows))
    let byName = try store.fetch(sortedBy: [Sort(Fixture.name)])
    #expect(byName.map(\.id.primaryKey) == [3, 2, 1, 5, 4])
    let bySizeThenName = try store.fetch(
      sortedBy: [Sort(Fixture.size), Sort(Fixture.name, isAscending: false)])
    #expect(bySizeThenName.map(\.id.primaryKey) == [4, 1, 5, 2, 3])
    let first = try store.fetch(sortedBy: [Sort(Fixture.name)], limit: 2)
    #expect(first.map(\.id.primaryKey) == [3, 2])
    #expect(try store.fetch(limit: 0).count == names.count)
  }

  @Test(arguments: StoreMode.allCases)
  func `a count counts what matches, up to its limit`(mode: StoreMode) throws {
    let store = try TestStore(mode, rows: 10)
    let some = FetchPredicate.compare(Fixture.key, .greater, .int64(4))
    #expect(try store.coordinator.count(FetchRequest(store.entity)) == 10)
    #expect(try store.coordinator.count(FetchRequest(store.entity, where: some)) == 6)
    #expect(try store.coordinator.count(FetchRequest(store.entity, where: some, limit: 5)) == 5)
  }

  @Test(arguments: StoreMode.allCases)
  func `keys are never assigned twice`(mode: StoreMode) throws {
    let store = try TestStore(mode, rows: 2)
    let other = try store.secondCoordinator()
    let reserved = try store.coordinator.obtainPermanentIDs(
      for: [store.temporaryID(), store.id(1), store.temporaryID()])
    #expect(reserved.map(\.primaryKey) == [3, 1, 4])
    var request = SaveRequest()
    request.inserts = [
      .init(id: store.temporaryID(), values: store.fixture.row(5)),
      .init(id: reserved[2], values: store.fixture.row(4)),
    ]
    #expect(try other.save(request).map(\.primaryKey) == [5, 4])
    _ = try store.coordinator.save(store.deletion(5))
    #expect(try other.save(store.insertion(store.fixture.row(6))).map(\.primaryKey) == [6])
  }

  @Test(arguments: StoreMode.allCases)
  func `an empty request writes nothing`(mode: StoreMode) throws {
    let store = try TestStore(mode, rows: 1)
    let (ids, log) = try watched { try store.coordinator.save(SaveRequest()) }
    #expect(ids.isEmpty && log.counts.isEmpty)
  }

  @Test(arguments: StoreMode.allCases)
  func `NaN cannot be saved, and its whole save is rolled back`(
    mode: StoreMode
  ) throws {
    let store = try TestStore(mode)
    var bad = store.fixture.row(2)
    bad[Fixture.size] = .double(.nan)
    #expect(throws: StoreError.notANumber(entity: "City", attribute: "size")) {
      try store.coordinator.save(store.insertion(store.fixture.row(1), bad))
    }
    #expect(try store.plainRows().isEmpty)
    #expect(try store.coordinator.save(store.insertion(store.fixture.row(1))).count == 1)
  }

  @Test(arguments: StoreMode.allCases)
  func `every execution of a statement is counted on the calling thread`(mode: StoreMode) throws {
    let store = try TestStore(mode, rows: 10)
    let (_, fetching) = try watched {
      _ = try store.fetch(where: .compare(Fixture.key, .less, .int64(4)))
      _ = try store.coordinator.count(FetchRequest(store.entity))
    }
    #expect(fetching.counts == [.statements: 2, .rowsRead: 3])
    let (_, saving) = try watched {
      var request = store.insertion(store.fixture.row(11), store.fixture.row(12))
      request.updates = store.renaming(1, to: "Ulm").updates
      request.deletes = store.deletion(2).deletes
      _ = try store.coordinator.save(request)
    }
    #expect(saving.counts == [.statements: 5, .commits: 1, .rowsWritten: 4])
    let (_, reserving) = try watched {
      _ = try store.coordinator.obtainPermanentIDs(for: [store.temporaryID()])
    }
    #expect(reserving.counts == [.statements: 1, .commits: 1])
  }
}
