import Foundation
import ObjectGraph
import Queues
import Testing

@testable import SQLiteStore

/// A store of one city, a context of it, and another coordinator that writes.
private struct Bench {
  let store: TestStore
  let other: SQLiteCoordinator
  let context: ManagedObjectContext
  private let start: HistoryToken

  init(_ mode: StoreMode = .pool) throws {
    store = try TestStore(mode, rows: 1) { $0.keepsHistory = true }
    other = try store.secondCoordinator()
    context = ManagedObjectContext(
      name: "mine", queue: PrivateQueue(label: "mine"), parent: .coordinator(store.coordinator))
    start = try store.coordinator.currentHistoryToken()
  }

  var city: ManagedObjectID { store.id(1) }

  func delete() throws {
    let version = try #require(try other.snapshot(of: city)).version
    _ = try other.save(store.deletion(1, version: version))
  }

  /// Inserts the deleted row again, under its key.
  func bringBack(as name: String) throws {
    var request = SaveRequest()
    request.inserts = [SaveRequest.Insert(id: city, values: store.fixture.row(1, name: name))]
    request.returning = [city]
    _ = try other.save(request)
  }

  /// Call it on the context's queue.
  func merge() throws {
    try context.mergeChanges(fromHistory: store.coordinator.history(after: start))
  }
}

@Suite struct NetHistoryTests {
  private func id(_ key: Int64) -> ManagedObjectID {
    ManagedObjectID(store: 1, entityIndex: 0, primaryKey: key)
  }

  private func net(_ kinds: HistoryChange.Kind...) -> ChangedObjectIDs {
    ChangedObjectIDs(
      kinds.map { kind in
        HistoryTransaction(
          token: HistoryToken(store: "", number: 1), date: .distantPast, author: nil,
          contextName: nil, changes: [HistoryChange(objectID: id(1), kind: kind)])
      })
  }

  // Semantics 124
  @Test func `an object's net change depends on whether its row stood before and stands after`() {
    let inserted = ChangedObjectIDs(inserted: [id(1)])
    let updated = ChangedObjectIDs(updated: [id(1)])
    let deleted = ChangedObjectIDs(deleted: [id(1)])
    #expect(net(.insert, .delete) == ChangedObjectIDs())
    #expect(net(.insert, .update, .delete, .insert, .delete) == ChangedObjectIDs())
    #expect(net(.insert, .update) == inserted)
    #expect(net(.insert, .delete, .insert) == inserted)
    #expect(net(.delete, .insert) == updated)
    #expect(net(.update, .delete, .insert, .update) == updated)
    #expect(net(.delete, .insert, .delete, .insert) == updated)
    #expect(net(.update, .delete) == deleted)
    #expect(net(.delete, .insert, .delete) == deleted)
    #expect(net(.delete, .insert, .update, .delete) == deleted)
  }

  // Semantics 124
  @Test(arguments: StoreMode.allCases)
  func `a merge of history refreshes an object whose row was deleted and came back`(
    mode: StoreMode
  ) throws {
    let bench = try Bench(mode)
    try bench.context.performAndWait {
      let city = try bench.context.existingObject(with: bench.city)
      try bench.delete()
      try bench.bringBack(as: "again")
      try bench.merge()
      #expect(!city.isDeleted)
      #expect(city[Fixture.name] == .string("again"))
    }
  }

  // Semantics 124
  @Test(arguments: StoreMode.allCases)
  func `a merge of history deletes an object whose row came back and was deleted again`(
    mode: StoreMode
  ) throws {
    let bench = try Bench(mode)
    try bench.context.performAndWait {
      let city = try bench.context.existingObject(with: bench.city)
      try bench.delete()
      try bench.bringBack(as: "again")
      try bench.delete()
      try bench.merge()
      #expect(city.isDeleted)
    }
  }

  // Semantics 56, 124
  @Test func `a merge of history brings back an object whose fault found no row meanwhile`() throws
  {
    let bench = try Bench()
    try bench.context.performAndWait {
      let city = bench.context.object(with: bench.city)
      try bench.delete()
      city.fireFault()
      #expect(city.isDeleted)
      try bench.bringBack(as: "again")
      try bench.merge()
      #expect(!city.isDeleted)
      #expect(city[Fixture.name] == .string("again"))
    }
  }

  // Semantics 123
  @Test func `a save that only checks versions is no transaction`() throws {
    let bench = try Bench()
    try bench.context.performAndWait {
      let city = try bench.context.existingObject(with: bench.city)
      let tokens = Lock<[HistoryToken?]>([])
      bench.context.observeDidSave { save in tokens.withLock { $0.append(save.historyToken) } }
      bench.context.detectConflicts(for: city)
      try bench.context.save()
      #expect(tokens.withLock { $0 } == [nil])
    }
    #expect(try bench.store.coordinator.history() == [])
  }

  // Semantics 121
  @Test func `a batch request that changes no row is no transaction`() throws {
    let bench = try Bench()
    let (coordinator, entity) = (bench.store.coordinator, bench.store.entity)
    let notified = Lock(0)
    let observation = bench.other.observeRemoteChanges { _ in notified.withLock { $0 += 1 } }
    let none = FetchPredicate.compare(Fixture.key, .equal, .int64(9))
    let requests: [BatchRequest] = [
      .insert(entity, rows: []), .update(entity, where: none, set: ["name": .string("x")]),
      .delete(FetchRequest(entity, where: none)), .delete(entity, objects: [bench.store.id(9)]),
    ]
    for request in requests { #expect(try coordinator.execute(request).count == 0) }
    #expect(try coordinator.history() == [])
    #expect(notified.withLock { $0 } == 0)
    withExtendedLifetime(observation) {}
  }
}
