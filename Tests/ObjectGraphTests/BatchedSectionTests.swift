import ObjectGraph
import Queues
import TestSupport
import Testing

@Suite("Unread rows that changed elsewhere")
struct OutdatedBatchTests {
  private let store: TestStore
  private let context: ManagedObjectContext
  private let other: ManagedObjectContext

  init() throws {
    store = try TestStore(tens: 10)
    context = store.context()
    other = store.context("other")
  }

  private func list() throws -> FetchedResultsController {
    let list = context.listByPopulation(batchSize: 4)
    try list.performFetch()
    return list
  }

  private func keys(_ list: FetchedResultsController) -> [Int64] {
    list.fetchedObjects.map { $0[City.key] }
  }

  private func endEvent() throws {
    try context.refresh(try context.city(10), mergeChanges: true)
    context.processPendingChanges()
  }

  // Semantics 83, 130
  @Test func `a merge passes over their updates, and they move when they were read`() throws {
    try context.performAndWait {
      let list = try list()
      let save = try other.saving { try other.city(2)[City.population] = 75 }
      try context.mergeChanges(fromContextDidSave: save)
      #expect(keys(list) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
      let told = Heard<[ListChanges]>([])
      list.onChange = { told.value.append($0) }
      try endEvent()
      #expect(keys(list) == [1, 3, 4, 5, 6, 7, 2, 8, 9, 10])
      #expect(told.value.first?.moves.map { [$0.from, $0.to] } == [[1, 6]])
    }
  }

  // Semantics 82, 112
  @Test func `an update that was read before its merge moves the object`() throws {
    try context.performAndWait {
      let list = try list()
      let save = try other.saving { try other.city(2)[City.population] = 75 }
      #expect(list[1][City.population] == 75)
      try context.mergeChanges(fromContextDidSave: save)
      #expect(keys(list) == [1, 3, 4, 5, 6, 7, 2, 8, 9, 10])
    }
  }

  // Semantics 56, 116
  @Test func `a row that is gone when its batch is read leaves the list with the next event`()
    throws
  {
    try context.performAndWait {
      let list = try list()
      try other.saving { other.delete(try other.city(6)) }
      #expect(list[5].isFault)
      #expect(list[6][City.key] == 7)
      #expect(list.count == 10)
      try endEvent()
      #expect(keys(list) == [1, 2, 3, 4, 5, 7, 8, 9, 10])
    }
  }

  // Semantics 113
  @Test func `a search that finds a misplaced row moves it in the same event`() throws {
    try context.performAndWait {
      let list = try list()
      list[0].fireFault()
      // The search for 85 compares with the entry at 5, of the second batch.
      try other.saving { try other.city(7)[City.population] = 5 }
      _ = context.insert(City.entity, values: City.values(11, "new", population: 85))
      let mirror = Heard(list.fetchedObjectIDs)
      list.onIDChange = { mirror.value = mirror.value.applying($0.difference) ?? [] }
      context.processPendingChanges()
      #expect(mirror.value == list.fetchedObjectIDs)
      #expect(keys(list) == [7, 1, 2, 3, 4, 5, 6, 8, 11, 9, 10])
    }
  }
}

@Suite("Sections of a list with a batch size")
struct BatchedSectionTests {
  private let store: TestStore
  private let context: ManagedObjectContext
  private let recorder = CountingRecorder()

  /// 1,000 cities, a hundred of each population from 0 to 9.
  init() throws {
    store = try TestStore()
    try store.fill((1...1_000).map { City.values($0, "city", population: ($0 - 1) / 100) })
    context = store.context()
  }

  private func list(_ key: SectionKey, limit: Int? = nil, offset: Int = 0)
    -> FetchedResultsController
  {
    var request = FetchRequest(
      City.entity, sortedBy: [City.population.ascending, City.key.ascending], limit: limit)
    request.offset = offset
    request.batchSize = 20
    return FetchedResultsController(request, in: context, sections: key)
  }

  // Semantics 131
  @Test func `the store counts the sections of an attribute, and no row is read`() throws {
    try context.performAndWait {
      let list = list(.attribute(City.population))
      // 1,000 IDs, and ten counts.
      try recorder.watch { try list.performFetch() }
      #expect([recorder[.statements], recorder[.rowsRead]] == [2, 1_010])
      #expect(context.registeredObjects.isEmpty)
      recorder.watch {
        #expect(list.sections.map(\.name) == (0...9).map(String.init))
        #expect(list.sections.map(\.range.lowerBound) == (0...9).map { $0 * 100 })
        #expect(list.path(at: 399) == ListPath(section: 3, item: 99))
      }
      #expect(recorder[.statements] == 2)
      #expect(list[ListPath(section: 4, item: 0)][City.key] == 401)
    }
  }

  // Semantics 131
  @Test func `computed sections read every object, in batches`() throws {
    try context.performAndWait {
      let list = list(.computed { $0[City.population.index] })
      // 1,000 IDs, and 50 batches of 20 rows.
      try recorder.watch { try list.performFetch() }
      #expect([recorder[.statements], recorder[.rowsRead]] == [1 + 50, 1_000 + 1_000])
      #expect(list.sections.map(\.count) == Array(repeating: 100, count: 10))
    }
  }

  // Semantics 97, 131
  @Test func `sections count the objects within limit and offset`() throws {
    try context.performAndWait {
      let list = list(.attribute(City.population), limit: 200, offset: 150)
      try list.performFetch()
      #expect(list.sections.map(\.name) == ["1", "2", "3"])
      #expect(list.sections.map(\.count) == [50, 100, 50])
    }
  }

  // Semantics 111, 114
  @Test func `their changes are told without reading other sections`() throws {
    try context.performAndWait {
      let list = list(.attribute(City.population))
      try list.performFetch()
      let calls = SectionCalls()
      list.delegate = calls
      let first = try context.city(1)
      first[City.population] = 20
      _ = context.insert(City.entity, values: City.values(2_000, "new", population: 4))
      context.processPendingChanges()
      #expect(list.sections.map(\.count) == [99, 100, 100, 100, 101, 100, 100, 100, 100, 100, 1])
      #expect(calls.sections == [.insert(new: 10)])
      #expect(
        Set(calls.objects) == [
          .move(old: ListPath(item: 0), new: ListPath(section: 10, item: 0)),
          .insert(new: ListPath(section: 4, item: 100)),
        ])
      context.delete(first)
      context.processPendingChanges()
      #expect(calls.sections == [.insert(new: 10), .delete(old: 10)])
      #expect(list.sections.count == 10)
    }
  }
}

private final class SectionCalls: FetchedResultsDelegate {
  var sections: [ListSectionChange] = []
  var objects: [ListObjectChange] = []

  func list(_ list: FetchedResultsController, section: ListSection, did change: ListSectionChange) {
    sections.append(change)
  }

  func list(_ list: FetchedResultsController, object: ManagedObject, did change: ListObjectChange) {
    objects.append(change)
  }
}
