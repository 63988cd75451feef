import ObjectGraph
import Queues
import SQLiteStore
import TestSupport
import Testing

// 10,000 cities in batches of 20, by population: 10, 20, … 100,000, which is ten times the key.
//
//   index   0 … 19 │ 20 … 39 │ … │ 9,980 … 9,999
//   batch   0        1              499

@Suite("A list with a batch size")
struct BatchedListTests {
  private let store: TestStore
  private let context: ManagedObjectContext
  private let other: ManagedObjectContext
  private let recorder = CountingRecorder()

  init() throws {
    store = try TestStore(tens: 10_000)
    context = store.context()
    other = store.context("other")
  }

  private func list() throws -> FetchedResultsController {
    let list = context.listByPopulation(batchSize: 20)
    try list.performFetch()
    return list
  }

  private func expectRead(
    _ statements: Int, _ rows: Int, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
  ) rethrows {
    let before = [recorder[.statements], recorder[.rowsRead]]
    try recorder.watch(body)
    #expect(recorder[.statements] - before[0] == statements, sourceLocation: sourceLocation)
    #expect(recorder[.rowsRead] - before[1] == rows, sourceLocation: sourceLocation)
  }

  // Semantics 129
  @Test func `a fetch reads the IDs, and an access reads the batch of the object`() throws {
    try context.performAndWait {
      let list = context.listByPopulation(batchSize: 20)
      // One statement for 10,000 IDs.
      try expectRead(1, 10_000) { try list.performFetch() }
      #expect(list.count == 10_000)
      #expect(context.registeredObjects.isEmpty)
      // Batch 0: one statement, whose rows are then cached.
      expectRead(1, 20) { #expect((0..<20).map { list[$0][City.key] } == Array(1...20)) }
      #expect(context.registeredObjects.count == 20)
      // Batches 499 and 250.
      expectRead(1, 20) { #expect(list[9_999][City.key] == 10_000) }
      expectRead(1, 20) {
        #expect(list[ListPath(item: 5_001)][City.key] == 5_002)
        #expect(list[5_000][City.key] == 5_001)
      }
    }
  }

  // Semantics 129
  @Test func `IDs, paths and sections read no rows, and all objects read all batches`() throws {
    try context.performAndWait {
      let list = try list()
      let last = try context.city(10_000)
      expectRead(0, 0) {
        #expect(list.fetchedObjectIDs.last == last.objectID)
        #expect(list.path(of: last) == ListPath(item: 9_999))
        #expect(list.sections.map(\.range) == [0..<10_000])
      }
      // 10,000 / 20 batches.
      expectRead(500, 10_000) { #expect(list.fetchedObjects.last === last) }
      expectRead(0, 0) { #expect(list.fetchedObjects.count == 10_000) }
    }
  }

  // Semantics 130
  @Test func `a merged update of a visible row reads nothing`() throws {
    try context.performAndWait {
      let list = try list()
      let told = Heard<[ListChanges]>([])
      list.onChange = { told.value.append($0) }
      #expect(list[3][City.population] == 40)
      let save = try other.saving { try other.city(4)[City.latitude] = 47 }
      try expectRead(0, 0) { try context.mergeChanges(fromContextDidSave: save) }
      #expect(told.value.map(\.updates) == [[3]])
      #expect(list[3][City.latitude] == 47)
    }
  }

  // Semantics 130
  @Test func `an insertion reads the batches with which its place is searched`() throws {
    try context.performAndWait {
      let list = try list()
      let told = Heard<[ListChanges]>([])
      list.onChange = { told.value.append($0) }
      list[0].fireFault()
      let saves = try ([15, 16] as [Int64]).map { population in
        try other.saving {
          let values = City.values(20_000, "new", population: population)
          _ = other.insert(City.entity, values: values)
        }
      }
      // The search halves 10,000 entries: it compares with those at 5,000, 2,500, 1,250, 625, 312,
      // 156, 78 and 39, each of another batch, then with those of batch 0. The save has cached the
      // new row.
      try expectRead(8, 8 * 20) { try context.mergeChanges(fromContextDidSave: saves[0]) }
      // The next one compares with entries at the same indexes. All behind the first insertion have
      // moved by one, so those at 5,000 and 2,500 are the last of other batches.
      try expectRead(2, 2 * 20) { try context.mergeChanges(fromContextDidSave: saves[1]) }
      #expect(told.value.map(\.insertions) == [[1], [2]])
      #expect((0..<4).map { list[$0][City.population] } == [10, 15, 16, 20])
    }
  }

  // Semantics 130
  @Test func `deletions read nothing, also of rows that were never read`() throws {
    try context.performAndWait {
      let list = try list()
      let told = Heard<[ListChanges]>([])
      list.onChange = { told.value.append($0) }
      list[0].fireFault()
      let save = try other.saving {
        for key in [1, 9_000] as [Int64] { other.delete(try other.city(key)) }
      }
      try expectRead(0, 0) { try context.mergeChanges(fromContextDidSave: save) }
      #expect(told.value.map(\.deletions) == [[0, 8_999]])
      #expect(list.count == 9_998)
      // 9,000 was at 8,999, in batch 449 of 8,980 … 8,999. Now 19 of them are left, one further up.
      expectRead(1, 19) { #expect(list[8_997][City.key] == 8_999) }
      expectRead(1, 20) { #expect(list[8_998][City.key] == 9_001) }
    }
  }

  // Semantics 130
  @Test func `an update that moves a row reads the batches with which its place is searched`()
    throws
  {
    try context.performAndWait {
      let list = try list()
      let told = Heard<[ListChanges]>([])
      list.onChange = { told.value.append($0) }
      list[0].fireFault()
      let save = try other.saving { try other.city(1)[City.population] = 200_000 }
      // Compares with the entries at 5,000, 7,500, 8,750, 9,375, 9,688, 9,844, 9,922, 9,961 and
      // 9,981, each of another batch, then with those of batch 499.
      try expectRead(9, 9 * 20) { try context.mergeChanges(fromContextDidSave: save) }
      #expect(told.value.first?.moves.map { [$0.from, $0.to] } == [[0, 9_999]])
      #expect(list[9_999][City.key] == 1)
    }
  }

  // Semantics 130
  @Test func `an edit of an unread object reads its batch`() throws {
    try context.performAndWait {
      let list = try list()
      let told = Heard<[ListChanges]>([])
      list.onChange = { told.value.append($0) }
      let city = try context.city(5_001)
      city[City.latitude] = 47
      expectRead(1, 20) { context.processPendingChanges() }
      city[City.population] += 15
      // The search compares with the object itself, then with the entries at 7,500, 6,250, 5,625,
      // 5,313, 5,157, 5,079, 5,040 and 5,020, each of another batch, then with those of its batch.
      expectRead(8, 8 * 20) { context.processPendingChanges() }
      #expect(told.value.map(\.updates) == [[5_000], []])
      #expect(told.value.last?.moves.map { [$0.from, $0.to] } == [[5_000, 5_001]])
    }
  }

  // Semantics 130: seed 2073005 of the random stories
  @Test func `a row that was read between its refresh and a merge is updated, not moved`() throws {
    try context.performAndWait {
      let save = try other.saving {
        _ = other.insert(
          City.entity, values: City.values(20_000, "new", population: 200_000))
      }
      let list = try list()
      let told = Heard<[ListChanges]>([])
      list.onChange = { told.value.append($0) }
      let city = try context.city(20_000)
      try context.refresh(city, mergeChanges: false)
      #expect(list[10_000] === city)
      // The merge announces the object as inserted.
      try context.mergeChanges(fromContextDidSave: save)
      #expect(told.value.map(\.updates) == [[10_000]])
      #expect(told.value.map(\.moves.count) == [0])
    }
  }

  // Semantics 31
  @Test func `on a child context all rows are read at once`() throws {
    let child = context.child()
    try child.performAndWait {
      let list = child.listByPopulation(batchSize: 20)
      try expectRead(1, 10_000) { try list.performFetch() }
      expectRead(0, 0) { #expect(list[9_999][City.key] == 10_000) }
    }
  }

  // Semantics 92, 129
  @Test(arguments: [true, false])
  func `with unsaved changes of the entity all rows are read at once`(asked: Bool) throws {
    try context.performAndWait {
      try context.city(1)[City.population] = 200_000
      let list = context.listByPopulation(batchSize: 20)
      list.request.includesPendingChanges = asked
      try expectRead(1, 10_000) { try list.performFetch() }
      #expect(list[9_999][City.key] == 1)
    }
  }

  // Semantics 97, 129
  @Test func `a limit and an offset leave a window of the IDs`() throws {
    try context.performAndWait {
      let list = context.listByPopulation(batchSize: 20)
      list.request.limit = 50
      list.request.offset = 100
      try expectRead(1, 50) { try list.performFetch() }
      // Keys 101 … 150 in batches of 20, 20 and 10.
      expectRead(1, 10) { #expect(list[49][City.key] == 150) }
      _ = context.insert(City.entity, values: City.values(20_000, "new", population: 200_000))
      context.processPendingChanges()
      #expect(list.count == 51)
    }
  }
}

extension TestStore {
  /// Cities with the keys 1, 2 and so on, each with ten times as many people.
  convenience init(tens count: Int64) throws {
    try self.init()
    try fill((1...count).map { City.values($0, "city", population: 10 * $0) })
  }
}

extension ManagedObjectContext {
  func listByPopulation(batchSize: Int) -> FetchedResultsController {
    let list = listOfCities(sortedBy: [City.population.ascending])
    list.request.batchSize = batchSize
    return list
  }
}
