import ObjectGraph
import Queues
import SQLiteStore
import TestSupport
import Testing

@Suite("Automatic merging, lookups, the checked mode")
struct AutomaticMergeTests {
  let store: TestStore

  init() throws {
    store = try TestStore(of: "Agra")
  }

  // Semantics 89
  @Test func `a root context merges a sibling's save later, on its own queue`() throws {
    let (view, worker) = (store.context("view"), store.context("worker"))
    let held = try view.performAndWait {
      view.automaticallyMergesChangesFromParent = true
      return try view.city(1)
    }
    try view.performAndWait {
      try worker.saving { try worker.city(1)[City.population] = 7 }
      #expect(held[City.population] == 0)
    }
    view.performAndWait { #expect(held[City.population] == 7) }
  }

  // Semantics 26
  @Test func `a child merges its parent's save before its next block`() throws {
    let parent = store.context("parent")
    let child = parent.child()
    let held = try child.performAndWait {
      child.automaticallyMergesChangesFromParent = true
      return try child.city(1)
    }
    try parent.saving { try parent.city(1)[City.population] = 7 }
    child.performAndWait { #expect(held[City.population] == 7) }
  }

  @Test func `deallocated contexts are not notified of saves and leave the listeners`() throws {
    for _ in 0..<10 {
      let view = store.context("view")
      view.performAndWait { view.automaticallyMergesChangesFromParent = true }
    }
    #expect(store.coordinator.saveListeners.count <= 1)
  }

  // Semantics 27
  @Test func `siblings see each other's saves into their parent only after a refresh`() throws {
    let parent = store.context("parent")
    let (one, two) = (parent.child("one"), parent.child("two"))
    let held = try two.performAndWait { try two.city(1) }
    try one.saving { try one.city(1)[City.population] = 7 }
    try two.performAndWait {
      #expect(held[City.population] == 0)
      try two.refresh(held, mergeChanges: true)
      #expect(held[City.population] == 7)
    }
  }

  // Semantics 34
  @Test func `beside a sibling, main is refreshed only by merging the root's save`() throws {
    let root = store.context("root")
    let (main, worker) = (root.child("main"), root.child("worker"))
    let held = try main.performAndWait { try main.city(1) }
    try worker.saving { try worker.city(1)[City.population] = 7 }
    let saved = try root.saving {}
    try main.performAndWait {
      #expect(held[City.population] == 0)
      try main.mergeChanges(fromContextDidSave: saved)
      #expect(held[City.population] == 7)
    }
  }

  // Semantics 42
  @Test func `a temporary ID of another context leads nowhere`() throws {
    let (one, two) = (store.context("one"), store.context("two"))
    let id = one.performAndWait {
      one.insert(City.entity, values: City.values(2, "Basel")).objectID
    }
    let error = two.performAndWait {
      #expect(throws: ObjectNotFound.self) { try two.existingObject(with: id) }
    }
    #expect(error?.code == 133_000)
  }

  // Semantics 42
  @Test func `a temporary ID leads to its object below at once, and above after a save`() throws {
    let parent = store.context("parent")
    let (child, sibling) = (parent.child("child"), parent.child("sibling"))
    let (old, new) = parent.performAndWait {
      child.performAndWait {
        (
          parent.insert(City.entity, values: City.values(2, "Basel")).objectID,
          child.insert(City.entity, values: City.values(3, "Cusco")).objectID
        )
      }
    }
    try child.performAndWait { () throws in
      #expect(try child.existingObject(with: old)[City.name] == "Basel")
    }
    _ = sibling.performAndWait {
      #expect(throws: ObjectNotFound.self) { try sibling.existingObject(with: new) }
    }
    try child.saving {}
    try sibling.performAndWait { () throws in
      #expect(try sibling.existingObject(with: new)[City.name] == "Cusco")
    }
  }

  // Semantics 57
  @Test func `an object without a row does not exist, though its ID makes a fault`() throws {
    let (one, two) = (store.context("one"), store.context("two"))
    let id = try one.performAndWait { try one.city(1).objectID }
    try one.saving { one.delete(one.object(with: id)) }
    two.performAndWait {
      #expect(throws: ObjectNotFound.self) { try two.existingObject(with: id) }
      #expect(two.object(with: id).isFault)
    }
  }

  // Semantics 43: github.com/RestKit/RestKit/pull/2339
  @Test func `an object whose deletion is not saved still exists`() throws {
    let context = store.context()
    try context.performAndWait {
      let city = try context.city(1)
      context.delete(city)
      #expect(try context.existingObject(with: city.objectID) === city)
      #expect(city.isDeleted)
      try context.save()
      #expect(throws: ObjectNotFound.self) { try context.existingObject(with: city.objectID) }
    }
  }

  // Semantics 12
  @Test func `an ID may cross queues and finds the object there`() throws {
    let (one, two) = (store.context("one"), store.context("two"))
    let id = try one.performAndWait { try one.city(1).objectID }
    try two.performAndWait {
      let city = try two.existingObject(with: id)
      #expect(city[City.name] == "Agra")
    }
  }

  // Semantics 13
  @Test
  func `an immediate block runs inline on its context's queue, others after the current block`() {
    let context = store.context()
    let order = Lock<[String]>([])
    context.performAndWait {
      context.perform(schedule: .enqueued) { order.withLock { $0.append("enqueued") } }
      context.perform(schedule: .immediate) { order.withLock { $0.append("immediate") } }
      order.withLock { $0.append("after") }
    }
    context.performAndWait {}
    #expect(order.withLock { $0 } == ["immediate", "after", "enqueued"])
  }

  // Semantics 14
  @Test func `a context that retains registered objects keeps clean ones`() throws {
    let context = store.context()
    try context.performAndWait {
      context.retainsRegisteredObjects = true
      _ = try context.city(1)
      #expect(context.registeredObjects.count == 1)
      context.retainsRegisteredObjects = false
      #expect(context.registeredObjects.isEmpty)
    }
  }

  // Semantics 56
  @Test func `a fault without a row stops the program if the context asks for it`() async {
    await #expect(processExitsWith: .failure) {
      let store = try TestStore(of: "Agra")
      let (one, two) = (store.context("one"), store.context("two"))
      try one.performAndWait {
        one.shouldDeleteInaccessibleFaults = false
        let id = try two.performAndWait { try two.city(1).objectID }
        try two.saving { two.delete(two.object(with: id)) }
        _ = one.object(with: id)[City.name]
      }
    }
  }

  // Semantics 11
  @Test func `using an object off its queue stops the program and names both queues`()
    async throws
  {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = try TestStore(of: "Agra")
      let (one, two) = (store.context("one"), store.context("two"))
      let city = try one.performAndWait { try one.city(1) }
      two.performAndWait { _ = city[City.name] }
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("belongs to queue 'one', was called on queue 'two'"))
  }

  // Semantics 11
  @Test func `a save off the queue stops the program`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try TestStore().context("one").save()
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("save() of context 'one'"))
    #expect(text.contains("was called on a thread of no queue"))
  }

  // Semantics 11
  @Test func `an unchecked context allows calls off its queue`() throws {
    let context = ManagedObjectContext(
      name: "unchecked", queue: PrivateQueue(label: "unchecked"),
      parent: .coordinator(store.coordinator), isChecked: false)
    #expect(context.registeredObjects.isEmpty)
  }

  @Test func `relating objects of two contexts stops the program and names both`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = try TestStore(model: Company.model)
      let (one, two) = (store.context("one"), store.context("two"))
      let sales = one.performAndWait { one.found("Sales") }
      two.performAndWait { two.hire("Ada")[Company.dept] = sales }
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("of context 'two' to one of context 'one'"))
  }

  // Semantics 87
  @Test func `a merge posts its IDs and no did-save`() throws {
    let (view, worker) = (store.context("view"), store.context("worker"))
    try view.performAndWait {
      let held = try view.city(1)
      let (merges, saves) = (Story<DidMergeChanges>(), Story<DidSave>())
      view.observeDidMerge { merges.tell($0) }
      view.observeDidSave { saves.tell($0) }
      let saved = try worker.saving {
        try worker.city(1)[City.population] = 7
        _ = worker.insert(City.entity, values: City.values(2, "Basel"))
      }
      try view.mergeChanges(fromContextDidSave: saved)
      #expect(merges.all.map(\.refreshed) == [[held.objectID]])
      #expect(merges.all.map(\.inserted.count) == [1])
      #expect(saves.all.isEmpty)
    }
  }
}
