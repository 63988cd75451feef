import ObjectGraph
import Queues
import TestSupport
import Testing

@Suite("Contexts and their queues")
struct ContextQueueTests {
  private let store: TestStore
  private let context: ManagedObjectContext

  init() throws {
    store = try TestStore(of: "Agra")
    context = store.context()
  }

  // Semantics 6, 7
  @Test func `changes are announced when perform ends, and not when performAndWait ends`() throws {
    let announced = Lock(0)
    context.observeObjectsDidChange { change in
      announced.withLock { $0 += change.inserted.count }
    }

    context.performAndWait { _ = context.insert(City.entity) }
    #expect(announced.withLock { $0 } == 0)
    context.perform {
      _ = context.insert(City.entity)
      #expect(announced.withLock { $0 } == 0)
    }
    context.performAndWait {}
    #expect(announced.withLock { $0 } == 2)
  }

  // Semantics 14
  @Test func `a clean object without references leaves its context`() throws {
    try context.performAndWait {
      _ = try context.city(1)
      #expect(context.registeredObjects.isEmpty)
      let held = try context.city(1)
      #expect(context.registeredObjects.count == 1)
      #expect(context.registeredObject(for: held.objectID) === held)
    }
  }

  // Semantics 14
  @Test func `an edited object without references stays until it is saved`() throws {
    try context.performAndWait {
      try context.city(1)[City.name] = "Agadir"
      #expect(context.registeredObjects.count == 1)
      #expect(context.updatedObjects.map { $0[City.name] } == ["Agadir"])
      try context.save()
      context.processPendingChanges()
      #expect(context.registeredObjects.isEmpty)
    }
  }

  // Semantics 46
  @Test func `one context has one instance per ID, two contexts have two`() throws {
    let other = store.context()
    try context.performAndWait {
      let object = try context.city(1)
      #expect(try context.city(1) === object)
      #expect(context.object(with: object.objectID) === object)
      #expect(try other.performAndWait { try other.city(1) } !== object)
    }
  }

  // Semantics 43
  @Test func `an object requested by ID is a fault whose row may be gone`() throws {
    let other = store.context()
    let id = try context.performAndWait { try context.city(1).objectID }
    try other.saving { other.delete(try other.city(1)) }
    context.performAndWait {
      let object = context.object(with: id)
      #expect(object.isFault)
      // Semantics 56
      #expect(object[City.nickname] == nil)
      #expect(object[City.name] == "" && object[City.population] == 0)
      #expect(object.isDeleted)
    }
  }
}
