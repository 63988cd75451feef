import ObjectGraph
import Queues
import SQLiteStore
import TestSupport
import Testing

@Suite("Fetching")
struct FetchTests {
  private let store: TestStore
  private let context: ManagedObjectContext

  init() throws {
    store = try .ofThreeCities()
    context = store.context()
  }

  // Semantics 47
  @Test func `a fetch returns faults whose rows are cached`() throws {
    try context.performAndWait {
      let recorder = CountingRecorder()
      let objects = try context.fetch(FetchRequest(City.entity, sortedBy: [City.name.ascending]))
      #expect(objects.allSatisfy { $0.isFault })
      recorder.watch {
        #expect(objects.map { $0[City.name] } == ["Agra", "Bern", "Cali"])
      }
      #expect(recorder[.faultsFired] == 3)
      #expect(recorder[.statements] == 0)
    }
  }

  @Test func `fetches on two threads that find no row share no memory`() throws {
    let found = Story<[Int]?>()
    let threads = try (0..<2).map { _ in
      let store = try TestStore.ofThreeCities()
      return TestThread {
        let request = FetchRequest(City.entity, where: City.key == 99)
        // A lock between fetches would hide a race from ThreadSanitizer.
        found.tell(try? (0..<100).map { _ in try store.reading { try $0.fetch(request).count } })
      }
    }
    for thread in threads { thread.join() }
    #expect(found.all == Array(repeating: Array(repeating: 0, count: 100), count: 2))
  }

  // Semantics 47
  @Test func `a fetch returns realised objects if asked`() throws {
    try context.performAndWait {
      var request = FetchRequest(City.entity)
      request.returnsObjectsAsFaults = false
      let objects = try context.fetch(request)
      #expect(objects.allSatisfy { !$0.isFault })
    }
  }

  // Semantics 49
  @Test func `a fetch reads SQLite even if all its objects are registered`() throws {
    try context.performAndWait {
      let held = try context.fetch(FetchRequest(City.entity))
      let recorder = CountingRecorder()
      try recorder.watch { _ = try context.fetch(FetchRequest(City.entity)) }
      #expect(recorder[.statements] == 1)
      #expect(recorder[.rowsRead] == 3)
      #expect(held.count == 3)
    }
  }

  // Semantics 92
  @Test func `pending changes add and remove matches`() throws {
    try context.performAndWait {
      let big = FetchRequest(
        City.entity, where: City.population >= 20, sortedBy: [City.name.ascending])
      try context.city(1)[City.population] = 99
      try context.city(2)[City.population] = 1
      _ = context.insert(City.entity, values: City.values(4, "Brno", population: 40))
      context.delete(try context.city(3))
      #expect(try context.fetch(big).map { $0[City.name] } == ["Agra", "Brno"])
      // Semantics 94
      #expect(try context.count(big) == 2)
    }
  }

  // Semantics 97
  @Test func `a limit applies after pending changes`() throws {
    try context.performAndWait {
      let first = FetchRequest(City.entity, sortedBy: [City.name.ascending], limit: 2)
      #expect(try context.fetch(first).map { $0[City.name] } == ["Agra", "Bern"])
      context.delete(try context.city(1))
      #expect(try context.fetch(first).map { $0[City.name] } == ["Bern", "Cali"])
    }
  }

  // Semantics 24, 25
  @Test func `a registered object keeps its values when it is fetched again`() throws {
    let other = store.context()
    try context.performAndWait {
      let object = try context.city(1)
      try other.saving { try other.city(1)[City.name] = "Agadir" }
      #expect(try context.city(1) === object)
      #expect(object[City.name] == "Agra")
    }
  }

  // Semantics 128
  @Test func `a row leaves the cache with the last object that uses it`() throws {
    try context.performAndWait {
      let recorder = CountingRecorder()
      var held: ManagedObject? = try context.city(1)
      let id = try #require(held).objectID
      #expect(try store.coordinator.snapshot(of: id) != nil)
      held = nil
      _ = try context.city(2)
      try recorder.watch { _ = try store.coordinator.snapshot(of: id) }
      #expect(recorder[.statements] == 1)
    }
  }

  // Semantics 59
  @Test func `deleting a fault fires it first`() throws {
    try context.performAndWait {
      let object = try #require(try context.fetch(FetchRequest(City.entity)).first)
      #expect(object.isFault)
      context.delete(object)
      #expect(!object.isFault)
    }
  }
}
