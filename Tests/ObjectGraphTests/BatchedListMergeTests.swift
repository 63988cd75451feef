import ObjectGraph
import TestSupport
import Testing

// Ten cities, by population: 10, 20, … 100, each in a batch of its own.

@Suite("Merges into a list with a batch size")
struct BatchedListMergeTests {
  private let store: TestStore
  private let context: ManagedObjectContext
  private let other: ManagedObjectContext

  init() throws {
    store = try TestStore(tens: 10)
    (context, other) = (store.context(), store.context("other"))
  }

  // Semantics 130: seeds 2007821, 2017947 and 2006840 of the random stories
  @Test func `a row that was read before its merge moves when it is merged`() throws {
    try context.performAndWait {
      let list = context.listByPopulation(batchSize: 1)
      try list.performFetch()
      let saves = try [
        other.saving {
          _ = other.insert(City.entity, values: City.values(11, "new", population: 95))
        },
        other.saving { try other.city(9)[City.population] = 65 },
      ]
      // The search for 95 reads 60 at index 5, 65 at 8 and 100 at 9, which are in order.
      try context.mergeChanges(fromContextDidSave: saves[0])
      let moved = try context.city(9)
      try context.mergeChanges(fromContextDidSave: saves[1])
      #expect(list.path(of: moved) == ListPath(item: 6))
      #expect(
        list.fetchedObjects.map { $0[City.population] }
          == [10, 20, 30, 40, 50, 60, 65, 70, 80, 95, 100])
    }
  }

  // Semantics 113, 130
  @Test func `a refreshed row moves when a merge announces it as inserted`() throws {
    try context.performAndWait {
      let save = try other.saving {
        _ = other.insert(City.entity, values: City.values(11, "new", population: 95))
      }
      let list = context.listByPopulation(batchSize: 1)
      try list.performFetch()
      let told = Heard<[ListChanges]>([])
      list.onChange = { told.value.append($0) }
      let city = try context.city(11)
      _ = try other.saving { try other.city(11)[City.population] = 15 }
      try context.refresh(city, mergeChanges: false)
      try context.mergeChanges(fromContextDidSave: save)
      #expect(told.value.map { $0.moves.map { [$0.from, $0.to] } } == [[[9, 1]]])
      #expect(
        list.fetchedObjects.map { $0[City.population] }
          == [10, 15, 20, 30, 40, 50, 60, 70, 80, 90, 100])
    }
  }

  // Semantics 130: seed 57282 of the random stories
  @Test func `no search compares with an unread row that is deleted here and moved elsewhere`()
    throws
  {
    try context.performAndWait {
      let list = context.listByPopulation(batchSize: 1)
      try list.performFetch()
      let told = Heard<[ListChanges]>([])
      list.onChange = { told.value.append($0) }
      let save = try other.saving {
        try other.city(6)[City.population] = 200
        _ = other.insert(City.entity, values: City.values(11, "new", population: 95))
      }
      context.delete(try context.city(6))
      // The search for 95 begins at index 5, where 60 was.
      try context.mergeChanges(fromContextDidSave: save)
      #expect(told.value.map(\.insertions) == [[8]])
      #expect(
        list.fetchedObjects.map { $0[City.population] }
          == [10, 20, 30, 40, 50, 70, 80, 90, 95, 100])
    }
  }
}
