import Baseline
import Foundation
import ObjectGraph
import Queues
import Testing

@testable import SQLiteStore

@Suite struct HistoryMergeTests {
  // Semantics 124, 128
  @Test(arguments: StoreMode.allCases)
  func `merging another coordinator's history bypasses the row cache`(mode: StoreMode) throws {
    let store = try TestStore(mode, rows: 4) { $0.keepsHistory = true }
    let other = try store.secondCoordinator()
    let mine = store.coordinator.context("mine")
    let theirs = other.context("theirs")
    let token = try store.coordinator.currentHistoryToken()
    let objects = try mine.performAndWait {
      var request = FetchRequest(store.entity, sortedBy: [Sort(Fixture.key)])
      request.returnsObjectsAsFaults = false
      // The last object stays a fault.
      return try Array(mine.fetch(request).prefix(3)) + [mine.object(with: store.id(4))]
    }
    try theirs.performAndWait {
      let found = try theirs.fetch(FetchRequest(store.entity, sortedBy: [Sort(Fixture.key)]))
      found[0][Fixture.name] = .string("theirs")
      theirs.delete(found[1])
      _ = theirs.insert(store.entity, values: store.fixture.row(5))
      try theirs.save()
    }
    try mine.performAndWait {
      objects[2][Fixture.name] = .string("mine")
      let changes = Lock<[(Int, Int, Int, Int)]>([])
      mine.observeObjectsDidChange { change in
        changes.withLock {
          $0.append(
            (
              change.inserted.count, change.updated.count, change.deleted.count,
              change.refreshed.count
            ))
        }
      }
      mine.processPendingChanges()
      try mine.mergeChanges(fromHistory: store.coordinator.history(after: token))
      #expect(objects[0][Fixture.name] == .string("theirs"))
      #expect(objects[1].isDeleted && mine.deletedObjects.map(\.objectID) == [store.id(2)])
      #expect(objects[2][Fixture.name] == .string("mine"))
      #expect(mine.registeredObject(for: store.id(5)) == nil)
      #expect(changes.withLock { $0 }.last.map { $0 == (1, 0, 1, 1) } == true)
      try mine.save()
    }
    let names = try store.plainRows().map { $0.values[Fixture.name] }
    #expect(names == ["theirs", "mine", "city 4", "city 5"].map { .string($0) })
  }

  // Semantics 90
  @Test func `changes named by URI are merged into several contexts, parents first`() throws {
    let store = try TestStore(.pool, rows: 2) { $0.keepsHistory = true }
    let other = try store.secondCoordinator()
    let parent = store.coordinator.context("parent")
    let child = ManagedObjectContext(
      name: "child", queue: PrivateQueue(label: "child"), parent: .context(parent))
    let objects = try [child, parent].map { context in
      try context.performAndWait {
        let object = try context.existingObject(with: store.id(1))
        object.fireFault()
        return object
      }
    }
    var request = store.renaming(1, to: "theirs")
    request.deletes = store.deletion(2).deletes
    _ = try other.save(request)
    let changed = ChangedObjectIDs(try other.history())
    let uris = changed.updated.compactMap(other.uriRepresentation(of:))
    #expect(uris.count == 1)
    let received = ChangedObjectIDs(
      updatedURIs: uris, deletedURIs: changed.deleted.compactMap(other.uriRepresentation(of:)),
      in: store.coordinator)
    #expect(received == changed)
    try ManagedObjectContext.mergeChanges(
      fromRemoteContextSave: received, into: [child, parent])
    for (context, object) in zip([child, parent], objects) {
      context.performAndWait { #expect(object[Fixture.name] == .string("theirs")) }
    }
  }

  // Semantics 119, 124
  @Test func `a batch's result can be merged into a context`() throws {
    let store = try TestStore(.pool, rows: 2)
    let context = store.coordinator.context("main")
    try context.performAndWait {
      let object = try context.existingObject(with: store.id(1))
      var request = BatchRequest.update(store.entity, set: ["name": .string("x")])
      request.returnsObjectIDs = true
      let ids = try #require(try context.execute(request).objectIDs)
      #expect(object[Fixture.name] == .string("city 1"))
      try context.mergeChanges(fromRemoteContextSave: ChangedObjectIDs(updated: ids))
      #expect(object[Fixture.name] == .string("x"))
      object[Fixture.name] = .string("y")
      try context.save()
    }
    #expect(try store.plainRows().map(\.version) == [3, 2])
  }
}
