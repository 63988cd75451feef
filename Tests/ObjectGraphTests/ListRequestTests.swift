import ObjectGraph
import Queues
import Support
import TestSupport
import Testing

// A search field: each key stroke sets another request and fetches it.
//
//   request A ── performFetch ── list of A ── request = B ── list of A ── performFetch ── list of B

@Suite("A list whose request changes")
struct ListRequestTests {
  private let store: TestStore
  private let context: ManagedObjectContext
  private let list: FetchedResultsController

  init() throws {
    store = try TestStore(of: "Agra", "Basel", "Cusco")
    context = store.context()
    list = try context.performAndWait { [context] in
      let list = FetchedResultsController(
        FetchRequest(City.entity, sortedBy: [City.name.ascending]), in: context)
      try list.performFetch()
      return list
    }
  }

  private var names: [String] { list.fetchedObjects.map { $0[City.name] } }

  // Semantics 109
  @Test func `it lists other objects in another order after the next fetch, silently`() throws {
    try context.performAndWait {
      let calls = Heard(0)
      list.onChange = { _ in calls.value += 1 }
      list.request.predicate = City.name.contains("s")
      list.request.sortTerms = [City.name.descending]
      #expect(names == ["Agra", "Basel", "Cusco"])
      try list.performFetch()
      #expect(names == ["Cusco", "Basel"])
      #expect(calls.value == 0)
      _ = context.insert(City.entity, values: City.values(4, "Bursa"))
      _ = context.insert(City.entity, values: City.values(5, "Delhi"))
      context.processPendingChanges()
      #expect(names == ["Cusco", "Bursa", "Basel"])
    }
  }

  @Test func `until then it follows the request of the last fetch`() throws {
    try context.performAndWait {
      list.request.predicate = City.name.contains("s")
      let delhi = context.insert(City.entity, values: City.values(4, "Delhi"))
      context.processPendingChanges()
      #expect(names == ["Agra", "Basel", "Cusco", "Delhi"])
      try list.performFetch()
      delhi[City.name] = "Dhaka"
      context.processPendingChanges()
      #expect(names == ["Basel", "Cusco"])
    }
  }

  @Test func `a fetch that fails leaves the list and its request`() throws {
    try context.performAndWait {
      let sectioned = FetchedResultsController(
        FetchRequest(City.entity, sortedBy: [City.name.ascending]), in: context,
        sections: .attribute(City.name))
      try sectioned.performFetch()
      sectioned.request.sortTerms = [City.name.descending]
      #expect(throws: SectionsReversed.self) { try sectioned.performFetch() }
      try context.city(2)[City.name] = "Zadar"
      context.processPendingChanges()
      #expect(sectioned.fetchedObjects.map { $0[City.name] } == ["Agra", "Cusco", "Zadar"])
    }
  }
}

@Suite("List changes by object ID")
struct ListIDChangesTests {
  private let store: TestStore
  private let context: ManagedObjectContext
  private let list: FetchedResultsController
  private let shown = Lock<[ManagedObjectID]>([])
  private let told = Lock<[ListIDChanges]>([])

  init() throws {
    store = try TestStore(of: "Agra", "Basel", "Cusco", "Delhi")
    context = store.context()
    list = try context.performAndWait { [context] in
      let list = FetchedResultsController(
        FetchRequest(City.entity, sortedBy: [City.name.ascending]), in: context)
      try list.performFetch()
      return list
    }
    shown.withLock { $0 = list.fetchedObjectIDs }
    list.onIDChange = { [shown, told] change in
      shown.withLock { $0 = $0.applying(change.difference) ?? [] }
      told.withLock { $0.append(change) }
    }
  }

  private func expectShown(_ names: [String]) {
    #expect(shown.withLock { $0 } == list.fetchedObjectIDs)
    #expect(list.fetchedObjects.map { $0[City.name] } == names)
  }

  // Semantics 113
  @Test func `applied to the old IDs they give the new ones`() {
    context.performAndWait {
      let cities = list.fetchedObjects
      context.delete(cities[1])
      cities[0][City.name] = "Zadar"
      cities[3][City.population] = 7
      _ = context.insert(City.entity, values: City.values(5, "Aachen"))
      context.processPendingChanges()
      expectShown(["Aachen", "Cusco", "Delhi", "Zadar"])
      let change = told.withLock { $0[0] }
      #expect(change.updated == [cities[3].objectID])
      #expect(change.difference.removals.count == 2 && change.difference.insertions.count == 2)
      let isMove = change.difference.insertions.map {
        if case .insert(_, _, let origin) = $0 { origin == 0 } else { false }
      }
      #expect(isMove == [false, true])
    }
  }

  // Semantics 38
  @Test func `an ID that becomes permanent replaces the temporary one`() throws {
    try context.performAndWait {
      _ = context.insert(City.entity, values: City.values(5, "Bern"))
      context.processPendingChanges()
      let agra = try context.city(1)
      agra[City.population] = 7
      try context.save()
      expectShown(["Agra", "Basel", "Bern", "Cusco", "Delhi"])
      #expect(!shown.withLock { $0.contains(where: \.isTemporary) })
      try context.save()
      #expect(told.withLock { $0.count } == 3)
    }
  }

  @Test func `random changes are applied event by event`() throws {
    var random = SplitMix64(seed: .random(in: 0...UInt64.max))
    let seed = "\(random)"
    try context.performAndWait {
      var key: Int64 = 4
      for _ in 0..<300 {
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let city = list.fetchedObjects.randomElement(using: &random)
          switch Int.random(in: 0..<5, using: &random) {
          case 0: if let city { context.delete(city) }
          case 1, 2: if let city { city[City.name] = random.pick(["A", "B", "C", "D"]) }
          default:
            key += 1
            let name = random.pick(["A", "B", "C"])
            _ = context.insert(City.entity, values: City.values(key, name))
          }
        }
        if random.chance(3) { try context.save() } else { context.processPendingChanges() }
        #expect(shown.withLock { $0 } == list.fetchedObjectIDs, "\(seed)")
      }
    }
  }
}
