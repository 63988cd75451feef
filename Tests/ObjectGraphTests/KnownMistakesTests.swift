import Foundation
import ObjectGraph
import Queues
import SQLiteStore
import TestSupport
import Testing

/// Mistakes that no numbered test would find.
@Suite("Mistakes of other implementations")
struct KnownMistakesTests {
  @Test func `a save's changes are announced once, and an insert is not announced as an update`()
    throws
  {
    let store = try TestStore()
    let context = store.context()
    try context.performAndWait {
      let saves = Heard<[[Int]]>([])
      context.observeDidSave {
        saves.value.append([$0.inserted.count, $0.updated.count, $0.deleted.count])
      }
      let city = context.insert(City.entity, values: City.values(1, "Agra"))
      context.processPendingChanges()
      city[City.name] = "Agadir"
      #expect(context.updatedObjects.isEmpty)
      try context.save()
      #expect(!city.isInserted && !city.isUpdated)
      city[City.name] = "Ajmer"
      try context.save()
      #expect(context.updatedObjects.isEmpty)
      #expect(city.committedValues?[1] == .string("Ajmer"))
      try context.save()
      #expect(saves.value == [[1, 0, 0], [0, 1, 0], [0, 0, 0]])
    }
  }

  @Test func `a new object that a cascade deletes does not come back through a relation`() throws {
    let store = try TestStore(model: Company.model)
    let context = store.context()
    try context.performAndWait {
      let sales = context.found("Sales")
      try context.save()
      let saved = Heard<DidSave?>(nil)
      context.observeDidSave { saved.value = $0 }
      let ada = context.hire("Ada")
      let temporary = ada.objectID
      ada[Company.dept] = sales
      context.delete(ada)
      context.delete(sales)
      context.processPendingChanges()
      #expect(context.deletedObjects == [sales])
      try context.save()
      #expect(saved.value?.inserted == [])
      #expect(saved.value?.updated == [])
      #expect(saved.value?.deleted == [sales.objectID])
      let error = #expect(throws: ObjectNotFound.self) {
        try context.existingObject(with: temporary)
      }
      #expect(error?.description.contains("no object of 'Employee' with this temporary ID") == true)
      #expect(try context.all(Company.person).isEmpty)
    }
  }

  @Test func `an explicit null is a value and replaces the default`() throws {
    let thing = try Entity(
      name: "Thing",
      attributes: [
        AttributeDescription("title", .string, isOptional: true, defaultValue: .string("none"))
      ])
    let store = try TestStore(model: try Model([thing]))
    let context = store.context()
    try context.performAndWait {
      _ = context.insert(thing)
      context.insert(thing)[0] = .null
      try context.save()
      context.reset()
      #expect(
        Set(try context.fetch(FetchRequest(thing)).map { $0[0] }) == [.string("none"), .null])
    }
    let titles = try store.reading { try $0.fetch(FetchRequest(thing)).map { $0[0] } }
    #expect(Set(titles) == [.string("none"), .null])
  }

  @Test func `a relationship survives turning its object into a fault`() throws {
    let store = try TestStore(model: Company.model)
    let context = store.context()
    try context.performAndWait {
      let (sales, ada) = (context.found("Sales"), context.hire("Ada"))
      let app = context.found("App", Company.project)
      ada[Company.dept] = sales
      ada.add(app, to: Company.projects)
      try context.save()
      for object in [sales, ada, app] { try context.refresh(object, mergeChanges: false) }
      #expect(ada[Company.dept] === sales)
      #expect(ada[Company.projects] == [app])
      #expect(sales[Company.employees] == [ada])
    }
  }

  @Test func `a list's fetch on main and its parent's own fetch do not deadlock`() throws {
    let store = try TestStore(of: "Agra")
    let main = SimulatedMainQueue(heartbeat: nil)
    main.start()
    defer { main.stop() }
    let root = store.context("root")
    let view = ManagedObjectContext(name: "main", queue: main, parent: .context(root))
    let request = FetchRequest(City.entity, sortedBy: [City.name.ascending])
    let threads = [
      TestThread {
        for _ in 0..<100 {
          main.sync { try? FetchedResultsController(request, in: view).performFetch() }
        }
      },
      TestThread {
        for _ in 0..<100 {
          root.performAndWait {
            _ = try? root.fetch(request)
            try? root.save()
          }
        }
      },
    ]
    for thread in threads { thread.join() }
    #expect(try main.sync { try view.names() } == ["Agra"])
  }

  @Test func `merging a did-save on main by perform does not wait for main`() throws {
    let store = try TestStore(of: "Agra")
    let main = SimulatedMainQueue(heartbeat: nil)
    main.start()
    defer { main.stop() }
    let view = ManagedObjectContext(
      name: "main", queue: main, parent: .coordinator(store.coordinator))
    view.performAndWait { view.retainsRegisteredObjects = true }
    let id = try view.performAndWait { try view.city(1).objectID }
    let worker = store.context("worker")
    let isSaved = Gate()
    let saver = TestThread {
      worker.performAndWait {
        worker.observeDidSave { save in
          view.perform { try? view.mergeChanges(fromContextDidSave: save) }
        }
        try? worker.city(1)[City.name] = "Agadir"
        try? worker.save()
      }
      isSaved.open()
    }
    // The worker's save does not wait for main's pending merge.
    main.sync { isSaved.wait() }
    saver.join()
    #expect(view.performAndWait { view.object(with: id)[City.name] } == "Agadir")
  }
}
