import ObjectGraph
import Queues
import SQLiteStore
import TestSupport
import Testing

@Suite("A list that follows its context")
struct FetchedResultsTests {
  private let store: TestStore
  private let context: ManagedObjectContext

  init() throws {
    store = try TestStore()
    try store.fill([
      City.values(1, "Agra", population: 10), City.values(2, "Bern", population: 20),
      City.values(3, "Cali", population: 30),
    ])
    context = store.context()
  }

  private func list(_ predicate: FetchPredicate? = nil) -> FetchedResultsController {
    FetchedResultsController(
      FetchRequest(
        City.entity, where: predicate, sortedBy: [City.name.ascending, City.key.ascending]),
      in: context)
  }

  // 109, 110, 112
  @Test func `it tells inserts, deletes, moves and updates when changes are processed`() throws {
    try context.performAndWait {
      let list = list()
      var told: [ListChanges] = []
      list.onChange = { told.append($0) }
      try list.performFetch()
      #expect(told.isEmpty)

      _ = context.insert(City.entity, values: City.values(4, "Brno"))
      context.delete(try #require(try context.city(2)))
      try #require(try context.city(1))[City.name] = "Zug"
      try #require(try context.city(3))[City.population] = 31
      #expect(told.isEmpty)
      context.processPendingChanges()

      #expect(told.count == 1)
      #expect(told.first?.deletions == [1])
      #expect(told.first?.insertions == [0])
      #expect(told.first?.moves.map { [$0.from, $0.to] } == [[0, 2]])
      #expect(told.first?.updates == [2])
      #expect(list.fetchedObjects.map { $0[City.name] } == ["Brno", "Cali", "Zug"])
    }
  }

  // 82, 86
  @Test func `an object that is edited and refreshed in one event is listed once`() throws {
    let other = store.context("other")
    let notes = Lock<[DidSave]>([])
    other.observeDidSave { note in notes.withLock { $0.append(note) } }
    try context.performAndWait {
      let list = list()
      var told: [ListChanges] = []
      list.onChange = { told.append($0) }
      try list.performFetch()
      try #require(try context.city(2))[City.name] = "Brno"
      try other.performAndWait {
        try #require(try other.city(2))[City.population] = 21
        try other.save()
      }
      for note in notes.withLock({ $0 }) { try context.mergeChanges(fromContextDidSave: note) }
      #expect(list.fetchedObjects.map { $0[City.name] } == ["Agra", "Brno", "Cali"])
      #expect(list.fetchedObjects.map { $0[City.population] } == [10, 21, 30])
      #expect(told.map(\.count) == [1])
    }
  }

  // 114, 115
  @Test func `an edit that enters or leaves the predicate inserts or deletes, others are silent`()
    throws
  {
    try context.performAndWait {
      let list = list(City.population >= 20)
      var told: [ListChanges] = []
      list.onChange = { told.append($0) }
      try list.performFetch()
      try #require(try context.city(1))[City.population] = 25
      context.processPendingChanges()
      #expect(told.last?.insertions == [0])
      try #require(try context.city(2))[City.population] = 1
      context.processPendingChanges()
      #expect(told.last?.deletions == [1])
      try #require(try context.city(2))[City.population] = 2
      context.processPendingChanges()
      #expect(told.count == 2)
    }
  }

  // 29
  @Test func `it follows a child's save at once, before anything is durable`() throws {
    try context.performAndWait {
      let list = list()
      try list.performFetch()
      let child = context.child()
      try child.performAndWait {
        _ = child.insert(City.entity, values: City.values(4, "Brno"))
        try child.save()
      }
      #expect(list.fetchedObjects.map { $0[City.name] } == ["Agra", "Bern", "Brno", "Cali"])
      #expect(try store.coordinator.count(FetchRequest(City.entity)) == 3)
    }
  }

  @Test func `its order holds though the row cache is a save ahead of the merge`() throws {
    let other = store.context("other")
    try context.performAndWait {
      let list = list()
      try list.performFetch()
      var notes: [DidSave] = []
      try other.performAndWait {
        other.observeDidSave { notes.append($0) }
        _ = other.insert(City.entity, values: City.values(4, "Brno"))
        try other.save()
        // Main's fault of this row would bring the new name before it is told of it.
        try #require(try other.city(2))[City.name] = "Aarau"
        try other.save()
      }
      for note in notes {
        for id in note.updated { context.registeredObject(for: id)?.fireFault() }
        try context.mergeChanges(fromContextDidSave: note)
      }
      #expect(list.fetchedObjects.map { $0[City.name] } == ["Aarau", "Agra", "Brno", "Cali"])
    }
  }

  // 113
  @Test(arguments: 0..<20 as Range<UInt64>)
  func `the deltas, replayed on the old list, give the new one`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    try context.performAndWait {
      let list = list(City.population < 50)
      try list.performFetch()
      var replayed = list.fetchedObjects.map(\.objectID)
      list.onChange = { [unowned list] in replay($0, on: &replayed, list: list) }
      var key: Int64 = 10
      for _ in 0..<40 {
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          try change(&key, using: &random)
        }
        context.processPendingChanges()
        let expected = try context.fetch(list.request).map(\.objectID)
        #expect(list.fetchedObjects.map(\.objectID) == expected, "seed \(seed)")
        #expect(replayed == expected, "seed \(seed)")
      }
    }
  }

  private func change(_ key: inout Int64, using random: inout SeededGenerator) throws {
    let all = try context.fetch(FetchRequest(City.entity, sortedBy: [City.key.ascending]))
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      key += 1
      let name = "n\(Int.random(in: 0..<20, using: &random))"
      _ = context.insert(
        City.entity,
        values: City.values(key, name, population: .random(in: 0..<80, using: &random)))
    case 1:
      if all.count > 2, let object = all.randomElement(using: &random) { context.delete(object) }
    case 2:
      all.randomElement(using: &random)?[City.name] = "n\(Int.random(in: 0..<20, using: &random))"
    default:
      all.randomElement(using: &random)?[City.population] = .random(in: 0..<80, using: &random)
    }
  }

  private func replay(
    _ changes: ListChanges, on replayed: inout [ManagedObjectID], list: FetchedResultsController
  ) {
    let leaving = changes.deletions + changes.moves.map(\.from)
    for index in leaving.sorted(by: >) { replayed.remove(at: index) }
    let arriving = changes.insertions + changes.moves.map(\.to)
    for index in arriving.sorted() { replayed.insert(list[index].objectID, at: index) }
  }
}

/// SplitMix64, so that a seed means the same everywhere.
private struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
