import ObjectGraph
import Queues
import TestSupport
import Testing

@Suite("Undoing relationships, before and after a save")
struct UndoTests {
  private let store: TestStore
  private let context: ManagedObjectContext

  init() throws {
    store = try TestStore(model: Company.model)
    context = store.context()
    context.performAndWait { context.undoManager = ContextUndoManager() }
  }

  private func stored() throws -> [String] {
    try store.reading { fresh in
      try fresh.all(Company.employee).map { employee in
        let title = employee[Company.dept]?[Company.title] ?? "none"
        let projects = employee[Company.projects].map { $0[Company.title] }.sorted()
        return "\(employee[Company.name]) \(title) \(projects)"
      }.sorted()
    }
  }

  @Test(arguments: [false, true])
  func `undo reverts both sides of a relationship`(isSaved: Bool) throws {
    try context.performAndWait {
      let (sales, ada) = (context.found("Sales"), context.hire("Ada"))
      let app = context.found("App", Company.project)
      try context.save()
      ada[Company.dept] = sales
      ada.add(app, to: Company.projects)
      context.processPendingChanges()
      if isSaved { try context.save() }
      context.undo()
      #expect(ada[Company.dept] == nil)
      #expect(sales[Company.employees].isEmpty)
      #expect(ada[Company.projects].isEmpty)
      #expect(app[Company.members].isEmpty)
      try context.save()
    }
    #expect(try stored() == ["Ada none []"])
    try context.saving { context.redo() }
    #expect(try stored() == ["Ada Sales [\"App\"]"])
  }

  @Test func `nothing can be redone after an edit`() throws {
    try context.performAndWait {
      let ada = context.hire("Ada")
      try context.save()
      ada[Company.name] = "Eva"
      context.processPendingChanges()
      context.undo()
      #expect(context.undoManager?.canRedo == true)
      ada[Company.name] = "Ida"
      #expect(context.undoManager?.canRedo == false)
      context.redo()
      #expect(ada[Company.name] == "Ida")
    }
  }

  @Test func `undo of a relationship that was never read reverts only the change`() throws {
    try context.performAndWait {
      let ada = context.hire("Ada")
      for title in ["App", "Site"] {
        ada.add(context.found(title, Company.project), to: Company.projects)
      }
      try context.save()
      context.reset()
    }
    try context.performAndWait {
      let ada = try context.employee("Ada")
      let tool = context.found("Tool", Company.project)
      context.processPendingChanges()
      ada.add(tool, to: Company.projects)
      try context.save()
      context.undo()
      try context.save()
    }
    #expect(try stored() == ["Ada none [\"App\", \"Site\"]"])
  }

  @Test func `undo of a deletion restores the objects that it deleted`() throws {
    try context.performAndWait {
      let (sales, ada) = (context.found("Sales"), context.hire("Ada"))
      ada[Company.dept] = sales
      try context.save()
      context.delete(sales)
      context.processPendingChanges()
      #expect(ada.isDeleted)
      context.undo()
      #expect(!ada.isDeleted && !sales.isDeleted)
      #expect(ada[Company.dept] === sales)
      #expect(sales[Company.employees] == [ada])
      try context.save()
    }
    #expect(try stored() == ["Ada Sales []"])
  }

  @Test func `undo after a saved deletion inserts the objects again with their relations`() throws {
    try context.performAndWait {
      let (sales, ada) = (context.found("Sales"), context.hire("Ada"))
      let app = context.found("App", Company.project)
      ada[Company.dept] = sales
      ada.add(app, to: Company.projects)
      try context.save()
      context.delete(ada)
      try context.save()
      context.undo()
      try context.save()
    }
    #expect(try stored() == ["Ada Sales [\"App\"]"])
  }

  @Test func `undo restores no temporary IDs of objects saved meanwhile`() throws {
    try context.performAndWait {
      let ada = context.hire("Ada")
      context.processPendingChanges()
      let sales = context.found("Sales")
      ada[Company.dept] = sales
      context.processPendingChanges()
      ada[Company.dept] = nil
      try context.save()
      context.undo()
      #expect(ada[Company.dept] === sales)
      try context.save()
    }
    #expect(try stored() == ["Ada Sales []"])
  }

  // Semantics 39
  @Test func `an ID that becomes permanent during an event names the same member`() throws {
    try context.performAndWait {
      let ada = context.hire("Ada")
      let projects = (1...9).map { context.found("App \($0)", Company.project) }
      context.processPendingChanges()
      for project in projects { ada.add(project, to: Company.projects) }
      try context.obtainPermanentIDs(for: [ada])
      context.delete(ada)
      context.undo()
      #expect(ada.isInserted && ada[Company.projects].isEmpty)
      #expect(projects.allSatisfy { $0[Company.members].isEmpty })
    }
  }

  // Semantics 38
  @Test func `redo leaves a relation that another context changed since`() throws {
    try context.performAndWait {
      let (ada, sales) = (context.hire("Ada"), context.found("Sales"))
      context.processPendingChanges()
      ada[Company.dept] = sales
      try context.save()
      context.undo()
      let theirs = store.context("theirs")
      let save = try theirs.saving {
        try theirs.employee("Ada")[Company.dept] = theirs.found("Shop")
      }
      try context.mergeChanges(fromContextDidSave: save)
      context.redo()
      #expect(ada[Company.dept]?[Company.title] == "Shop")
      #expect(throws: SaveError.self) { try context.save() }
    }
    #expect(try stored() == ["Ada Shop []"])
  }

  @Test func `redo relates no new object that a merge deleted`() throws {
    try context.performAndWait {
      let (sales, app) = (context.found("Sales"), context.found("App", Company.project))
      try context.save()
      let ada = context.hire("Ada")
      ada[Company.dept] = sales
      context.processPendingChanges()
      ada.add(app, to: Company.projects)
      context.undo()
      try context.mergeChanges(fromRemoteContextSave: .init(deleted: [sales.objectID]))
      #expect(context.insertedObjects.isEmpty)
      context.redo()
      #expect(app[Company.members].isEmpty)
      #expect(context.insertedObjects.isEmpty)
    }
  }

  // Semantics 14
  @Test func `undo takes back a relation of a new object that left before a save`() throws {
    try context.performAndWait {
      let badge = context.insert(Company.badge)
      context.processPendingChanges()
      let ada = context.hire("Ada")
      context.delete(badge)
      badge[Company.owner] = ada
      try context.save()
      context.undo()
      #expect(badge.isInserted && badge[Company.owner] == nil)
    }
  }

  // Semantics 56, 80, 105: seed 3006134 of the random stories
  @Test func `undo of a relation to an object without a row deletes only that object`() throws {
    let other = store.context("other")
    try context.performAndWait {
      let (sales, ada) = (context.found("Sales"), context.hire("Ada"))
      try context.save()
      ada[Company.dept] = sales
      try context.refresh(sales, mergeChanges: false)
      try other.saving { other.delete(try other.existingObject(with: sales.objectID)) }
      context.undo()
      #expect(sales.isDeleted && !ada.isDeleted)
      #expect(ada[Company.dept] == nil && !context.hasChanges)
      try context.save()
    }
    #expect(try stored() == ["Ada none []"])
  }

  // Semantics 14
  @Test func `an object that undo makes clean leaves without references`() throws {
    try context.performAndWait {
      _ = context.hire("Ada")
      try context.save()
      context.reset()
      weak var edited: ManagedObject?
      do {
        let ada = try context.employee("Ada")
        edited = ada
        ada[Company.name] = "Eve"
        context.undo()
        #expect(!ada.hasChanges)
      }
      #expect(edited != nil, "what is to be made again holds it")
      context.undoManager?.removeAllActions()
      #expect(edited == nil)
    }
  }
}
