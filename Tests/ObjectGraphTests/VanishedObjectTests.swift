import ObjectGraph
import Queues
import TestSupport
import Testing

// Semantics 77
@Suite("New objects that were deleted before the save")
struct VanishedObjectTests {
  private let store: TestStore
  private let context: ManagedObjectContext

  init() throws {
    store = try TestStore(model: Company.model)
    context = store.context()
  }

  @Test func `an entity without relationships: it reads null and ignores what is set`() throws {
    let store = try TestStore()
    let context = store.context()
    try context.performAndWait {
      let city = context.insert(City.entity, values: City.values(1, "Agra"))
      context.delete(city)
      city[City.name] = "Agadir"
      city.setPrimitiveValue(.string("Agadir"), at: City.name.index)
      #expect(city[City.name] == "")
      #expect(city[City.name.index] == .null)
      #expect(city.context === context)
      #expect(!context.hasChanges)
      try context.save()
      #expect(city.context == nil)
      #expect(try context.names() == [])
    }
  }

  @Test func `an entity with relationships: it relates to nothing and ignores what is set`() throws
  {
    try context.performAndWait {
      let (sales, ada) = (context.found("Sales"), context.hire("Ada"))
      let site = context.found("Site", Company.project)
      ada[Company.dept] = sales
      try context.save()
      let eve = context.hire("Eve")
      eve[Company.dept] = sales
      context.delete(eve)
      context.processPendingChanges()
      eve[Company.salary] = 2000
      eve[Company.dept] = sales
      eve.add(site, to: Company.projects)
      eve.add(ada, to: Company.reports)
      #expect(eve[Company.salary] == 0)
      #expect(eve[Company.dept] == nil)
      #expect(eve[Company.projects].isEmpty && eve[Company.reports].isEmpty)
      #expect(eve.context === context && !eve.hasChanges)
      #expect(sales[Company.employees] == [ada])
      #expect(ada[Company.boss] == nil)
      try context.save()
      #expect(eve.context == nil)
      #expect(try context.all(Company.employee) == [ada])
    }
    #expect(try store.coordinator.danglingReferences() == [])
  }

  @Test(arguments: [true, false])
  func `undo brings it back with its values, also after a save`(saves: Bool) throws {
    try context.performAndWait {
      context.undoManager = ContextUndoManager()
      let sales = context.found("Sales")
      try context.save()
      let eve = context.hire("Eve")
      eve[Company.dept] = sales
      context.processPendingChanges()
      context.delete(eve)
      context.processPendingChanges()
      eve[Company.salary] = 2000
      if saves { try context.save() }
      context.undo()
      #expect(eve[Company.name] == "Eve")
      #expect(eve[Company.salary] == 1000)
      #expect(eve[Company.dept] === sales && sales[Company.employees] == [eve])
      try context.save()
      #expect(try context.all(Company.employee) == [eve])
    }
  }

  // Seed 65046 of the random stories
  @Test func `a child's new relation to it is dropped`() throws {
    let child = context.child()
    let site = context.performAndWait { context.found("Site", Company.project) }
    let (new, theirs) = try child.performAndWait {
      let theirs = try #require(try child.all(Company.project).first)
      theirs.fireFault()
      return (child.hire("Eve"), theirs)
    }
    context.performAndWait {
      context.delete(site)
      context.processPendingChanges()
    }
    try child.performAndWait {
      new.add(theirs, to: Company.projects)
      // Only Eve is sent.
      try child.refresh(theirs, mergeChanges: false)
      try child.save()
    }
    try context.performAndWait {
      let eve = try #require(context.insertedObjects.first)
      #expect(eve[Company.projects].isEmpty)
      try context.save()
      #expect(try context.all(Company.employee) == [eve])
    }
    #expect(try store.coordinator.danglingReferences() == [])
  }

  @Test func `a child's new relation to one that an undo brought back is kept`() throws {
    let id = try context.performAndWait {
      context.undoManager = ContextUndoManager()
      let site = context.found("Site", Company.project)
      try context.obtainPermanentIDs(for: [site])
      context.processPendingChanges()
      context.delete(site)
      context.processPendingChanges()
      context.undo()
      try context.save()
      let id = site.objectID
      context.reset()
      return id
    }
    let child = context.child()
    try child.performAndWait {
      child.hire("Eve").add(child.object(with: id), to: Company.projects)
      try child.refresh(child.object(with: id), mergeChanges: false)
      try child.save()
    }
    try context.performAndWait {
      let eve = try #require(context.insertedObjects.first)
      #expect(eve[Company.projects].map(\.objectID) == [id])
      try context.save()
    }
  }

  @Test func `it loses its context at a reset`() throws {
    context.performAndWait {
      let site = context.found("Site", Company.project)
      context.delete(site)
      context.processPendingChanges()
      context.reset()
      #expect(site.context == nil)
    }
  }
}

@Suite("What a merge policy deletes")
struct PolicyDeletionTests {
  private let store: TestStore
  private let context: ManagedObjectContext
  private let list: FetchedResultsController

  init() throws {
    store = try TestStore(model: Company.model)
    context = store.context()
    list = try context.performAndWait { [context] in
      let ada = context.hire("Ada")
      ada[Company.code] = "A1"
      ada[Company.dept] = context.found("Sales")
      try context.save()
      let list = FetchedResultsController(
        FetchRequest(Company.employee, sortedBy: [Company.name.ascending]), in: context)
      try list.performFetch()
      return list
    }
  }

  // Semantics 63, 76, 110
  @Test(arguments: [MergePolicy.objectTrump, .storeTrump])
  func `lists do not have it at the did-save`(policy: MergePolicy) throws {
    try context.performAndWait {
      context.mergePolicy = policy
      let twin = context.hire("Eve")
      twin[Company.code] = "A1"
      context.processPendingChanges()
      #expect(list.count == 2)
      let seen = Lock<[[String]]>([])
      let shown = Heard(list)
      context.observeDidSave { _ in
        // A row of the screen shows a related object too.
        let rows = shown.value.fetchedObjects.map {
          "\($0[Company.name]) \($0[Company.boss] == nil)"
        }
        seen.withLock { $0.append(rows) }
      }
      let deleted = Lock<[ManagedObjectID]>([])
      context.observeObjectsDidChange { change in
        for object in change.deleted {
          #expect(object[Company.dept] == nil)
          deleted.withLock { $0.append(object.objectID) }
        }
      }
      let id = twin.objectID
      try context.save()
      let name = policy == .objectTrump ? "Eve" : "Ada"
      #expect(seen.withLock { $0 } == [["\(name) true"]])
      #expect(deleted.withLock { $0 } == [id])
      context.processPendingChanges()
      #expect(deleted.withLock { $0 } == [id])
      #expect(twin.context == nil)
    }
  }

  // Semantics 63, 76, 110
  @Test func `lists and the did-save learn of the row that an edited object replaces`() throws {
    try context.performAndWait {
      context.mergePolicy = .objectTrump
      let eve = context.hire("Eve")
      try context.save()
      let ada = list[0].objectID
      let seen = Lock<([ManagedObjectID], [ManagedObjectID])>(([], []))
      let shown = Heard(list)
      context.observeDidSave { save in
        seen.withLock { $0 = (save.deleted, shown.value.fetchedObjects.map(\.objectID)) }
      }
      eve[Company.code] = "A1"
      try context.save()
      #expect(seen.withLock { $0.0 } == [ada])
      #expect(seen.withLock { $0.1 } == [eve.objectID])
    }
  }
}
