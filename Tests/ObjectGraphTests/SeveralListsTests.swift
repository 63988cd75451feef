import ObjectGraph
import Queues
import SQLiteStore
import TestSupport
import Testing

private final class Follower: FetchedResultsDelegate {
  private let body: () -> Void

  init(_ body: @escaping () -> Void) {
    self.body = body
  }

  func listDidChange(_ list: FetchedResultsController) { body() }
}

extension FetchedResultsController {
  fileprivate func onFirstChange(_ body: @escaping () -> Void) {
    let body = Heard<(() -> Void)?>(body)
    onChange = { _ in body.value.take()?() }
  }
}

@Suite("Several lists of one context, and wrong paths")
struct SeveralListsTests {
  private let store: TestStore
  private let context: ManagedObjectContext

  init() throws {
    store = try .ofThreeCities()
    context = store.context()
  }

  private func twoLists() throws -> (FetchedResultsController, FetchedResultsController) {
    let lists = (context.listOfCities(), context.listOfCities())
    try lists.0.performFetch()
    try lists.1.performFetch()
    return lists
  }

  // Semantics 78, 110: a saved deletion leaves the context, and so all its lists.
  @Test func `an object that one list's observer deletes and saves is in no other list`() throws {
    try context.performAndWait {
      let (first, second) = try twoLists()
      let bern = try context.city(2)
      first.onFirstChange {
        context.delete(bern)
        try? context.save()
      }
      bern[City.population] = 21
      context.processPendingChanges()
      #expect(first.names == ["Agra", "Cali"])
      #expect(second.names == ["Agra", "Cali"])
      #expect(second.fetchedObjects == (try context.fetch(second.request)))
    }
  }

  // Semantics 77, 110: an insert that an observer deletes at once "never was".
  @Test func `a new object that one list's observer deletes is in no other list`() throws {
    try context.performAndWait {
      let (first, second) = try twoLists()
      let new = Heard<ManagedObject?>(nil)
      first.onChange = { _ in
        guard let object = new.value.take() else { return }
        context.delete(object)
        context.processPendingChanges()
      }
      new.value = context.insert(City.entity, values: City.values(4, "Brno"))
      context.processPendingChanges()
      #expect(first.names == ["Agra", "Bern", "Cali"])
      #expect(second.names == ["Agra", "Bern", "Cali"])
    }
  }

  // With a predicate over a relationship, the list would read an object that has left the context.
  // That stops the program.
  @Test func `a list with a key path survives an insert that another list's observer deletes`()
    async
  {
    await #expect(processExitsWith: .success) {
      let store = try AtlasStore()
      let context = store.context()
      try context.performAndWait {
        let peru = context.insertCountry("Peru")
        try context.save()
        let request = FetchRequest(
          Atlas.city, where: Atlas.City.country.appending(Atlas.Country.name) == "Peru",
          sortedBy: [Atlas.City.name.ascending])
        let first = FetchedResultsController(request, in: context)
        let second = FetchedResultsController(request, in: context)
        try first.performFetch()
        try second.performFetch()
        let new = Heard<ManagedObject?>(nil)
        first.onChange = { _ in
          guard let object = new.value.take() else { return }
          context.delete(object)
          context.processPendingChanges()
        }
        new.value = context.insertCity("Ica", in: peru)
        context.processPendingChanges()
        #expect(first.count == 0)
        #expect(second.count == 0)
      }
    }
  }

  // Semantics 79, 110: a rolled back deletion is none for the other list.
  @Test func `a deletion that one list's observer rolls back stays in the other list`() throws {
    try context.performAndWait {
      let (first, second) = try twoLists()
      first.onFirstChange { context.rollback() }
      context.delete(try context.city(2))
      context.processPendingChanges()
      #expect(first.names == ["Agra", "Bern", "Cali"])
      #expect(second.names == ["Agra", "Bern", "Cali"])
    }
  }

  // Semantics 58, 116: after a reset, new fetches have new objects, and the event is over.
  @Test func `a reset and new fetches in one list's observer leave no old object`() throws {
    try context.performAndWait {
      let (first, second) = try twoLists()
      let bern = try context.city(2)
      first.onFirstChange { [unowned first, unowned second] in
        context.reset()
        try? first.performFetch()
        try? second.performFetch()
      }
      bern[City.population] = 21
      context.processPendingChanges()
      #expect(first.names == ["Agra", "Bern", "Cali"])
      #expect(second.names == ["Agra", "Bern", "Cali"])
      #expect(second.path(of: bern) == nil)
    }
  }

  // NotificationCenter calls no released observer (addObserver(_:selector:name:): since iOS 9 an
  // observer need not be removed). A delegate call may release a controller.
  @Test func `a list may be released by another list's observer`() async {
    await #expect(processExitsWith: .success) {
      let store = try TestStore(of: "Agra")
      let context = store.context()
      try context.performAndWait {
        let request = FetchRequest(City.entity, sortedBy: [City.name.ascending])
        let first = FetchedResultsController(request, in: context)
        let second = Heard<FetchedResultsController?>(.init(request, in: context))
        try first.performFetch()
        try second.value?.performFetch()
        first.onChange = { _ in second.value = nil }
        try context.city(1)[City.name] = "Zug"
        context.processPendingChanges()
        #expect(first.count == 1)
        #expect(second.value == nil)
      }
    }
  }

  // Semantics 111, and `onChange`: "Called after the delegate, with all changes of the event". Its
  // deltas can be replayed only in the order of events.
  @Test func `onChange tells events in order though the delegate makes another one`() throws {
    try context.performAndWait {
      let list = context.listOfCities()
      try list.performFetch()
      let told = Heard<[ListChanges]>([])
      list.onChange = { told.value.append($0) }
      var isDone = false
      let follower = Follower {
        guard !isDone else { return }
        isDone = true
        _ = context.insert(City.entity, values: City.values(5, "Aarau"))
        context.processPendingChanges()
      }
      list.delegate = follower
      _ = context.insert(City.entity, values: City.values(4, "Brno"))
      context.processPendingChanges()
      #expect(list.names == ["Aarau", "Agra", "Bern", "Brno", "Cali"])
      #expect(told.value.map(\.insertions) == [[2], [0]])
      withExtendedLifetime(follower) {}
    }
  }

  // NSFetchedResultsController, object(at:): "If indexPath does not describe a valid index
  // path in the fetch results, an exception is raised."
  @Test func `a path behind the end of its section stops the program`() async {
    await #expect(processExitsWith: .failure) {
      let store = try TestStore()
      try store.fill([
        City.values(1, "Agra", population: 10), City.values(2, "Bern", population: 20),
      ])
      let context = store.context()
      // Errors and failed expectations would end with failure, too.
      context.performAndWait {
        let list = FetchedResultsController(
          FetchRequest(City.entity, sortedBy: [City.population.ascending]), in: context,
          sections: .attribute(City.population))
        try? list.performFetch()
        _ = list[ListPath(section: 0, item: 1)].objectID
      }
    }
  }

  // As above, for a list of one section.
  @Test func `a path in a section that a list does not have stops the program`() async {
    await #expect(processExitsWith: .failure) {
      let store = try TestStore(of: "Agra")
      let context = store.context()
      context.performAndWait {
        let list = FetchedResultsController(
          FetchRequest(City.entity, sortedBy: [City.name.ascending]), in: context)
        try? list.performFetch()
        _ = list[ListPath(section: 3, item: 0)].objectID
      }
    }
  }

  // `mergeAutomatically`: "an automatic merge, which has no caller to throw to. Objects that cannot
  // be read turn into faults." The list fires them, and the program stops.
  @Test func `a list survives an automatic merge whose rows cannot be read`() async {
    await #expect(processExitsWith: .success) {
      let store = try TestStore(of: "Agra")
      let failing = FailingStore(store.coordinator)
      let (root, other) = (failing.context("root"), failing.context("other"))
      let list = FetchedResultsController(
        FetchRequest(City.entity, sortedBy: [City.name.ascending]), in: root)
      try root.performAndWait {
        root.automaticallyMergesChangesFromParent = true
        try list.performFetch()
        list[0].fireFault()
      }
      try other.saving {
        try other.city(1)[City.name] = "Basel"
        failing.fail([.rows])
      }
      root.performAndWait {
        failing.fail([])
        #expect(list.count == 1)
        #expect(list[0][City.name] == "Basel")
      }
    }
  }
}
