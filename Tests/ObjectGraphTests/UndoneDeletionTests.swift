import ObjectGraph
import TestSupport
import Testing

// Another context relates a row to an object deleted here. The delete rules end the relation here
// until an undo:
//
//   mine     ada deleted ── merge: rules ── undo ── save ─▶ the relation is in the file
//   theirs          ada related, save ─┘

// Semantics 80
@Suite("Undo of a deletion after a merge")
struct UndoneDeletionTests {
  private let store: TestStore
  private let mine: ManagedObjectContext
  private let theirs: ManagedObjectContext

  init() throws {
    store = try TestStore(model: Company.model)
    mine = store.context("mine")
    theirs = store.context("theirs")
    try mine.performAndWait {
      mine.undoManager = ContextUndoManager()
      for name in ["Ada", "Bob"] { _ = mine.hire(name) }
      _ = mine.found("App", Company.project)
      try mine.save()
      mine.undoManager?.removeAllActions()
    }
  }

  // Semantics 80, 92
  @Test func `an undo leaves what a missing owner took along`() throws {
    let child = mine.child()
    let sales = try mine.performAndWait {
      let sales = mine.found("Sales")
      try mine.save()
      return sales
    }
    try child.performAndWait {
      let owner = try child.existingObject(with: sales.objectID)
      _ = try theirs.saving { theirs.delete(try theirs.existingObject(with: owner.objectID)) }
      child.hire("Joe")[Company.dept] = owner
      try child.save()
    }
    try mine.performAndWait {
      try mine.refresh(sales, mergeChanges: false)
      // The undo reads the fault, which has no row.
      mine.undo()
      #expect(mine.deletedObjects == [sales])
      #expect(!mine.hasChanges)
    }
  }

  // Semantics 80. Seed 551133 of the random stories.
  @Test func `an undo restores no end of a relation that its event did not change`() throws {
    try mine.performAndWait {
      let (ada, app) = (try mine.employee("Ada"), try #require(try mine.all(Company.project).first))
      #expect(app.objectIDs(Company.members).isEmpty)
      try theirs.saving {
        let app = try #require(try theirs.all(Company.project).first)
        for name in ["Ada", "Bob"] { try theirs.employee(name).add(app, to: Company.projects) }
      }
      // Only Ada's side knows the relation.
      app.remove(ada, from: Company.members)
      let save = try theirs.saving {
        let app = try #require(try theirs.all(Company.project).first)
        app.remove(try theirs.employee("Bob"), from: Company.members)
      }
      try mine.mergeChanges(fromContextDidSave: save)
      mine.undo()
      #expect(app.objectIDs(Company.members) == [ada.objectID])
      #expect(ada.objectIDs(Company.projects) == [app.objectID])
    }
  }

  // Semantics 80, 104
  @Test(arguments: [false, true])
  func `a deletion that is redone ends the other side's relation again`(isSaved: Bool) throws {
    try mine.performAndWait {
      let ada = try mine.employee("Ada")
      let joe = mine.hire("Joe")
      joe[Company.boss] = ada
      if isSaved { try mine.save() } else { mine.processPendingChanges() }
      mine.delete(joe)
      if isSaved { try mine.save() } else { mine.processPendingChanges() }
      mine.undo()
      #expect(ada[Company.reports] == [joe])
      mine.redo()
      #expect(ada[Company.reports].isEmpty)
      mine.undo()
      #expect(ada[Company.reports] == [joe])
    }
  }

  enum Relation: CaseIterable {
    case pair, key, oneToOne
  }

  private func relate(_ ada: ManagedObject, _ relation: Relation) throws {
    switch relation {
    case .pair:
      ada.add(try #require(try theirs.all(Company.project).first), to: Company.projects)
    case .key: try theirs.employee("Bob")[Company.boss] = ada
    case .oneToOne:
      let badge = theirs.insert(Company.badge)
      badge[Company.number] = 1
      badge[Company.owner] = ada
    }
  }

  private func isRelated(_ ada: ManagedObject, _ relation: Relation) -> Bool {
    switch relation {
    case .pair: ada[Company.projects].count == 1
    case .key: ada[Company.reports].count == 1
    case .oneToOne: ada[Company.badgeOf]?[Company.owner] === ada
    }
  }

  private func mergeTheirs(_ relation: Relation) throws {
    let save = try theirs.saving { try relate(try theirs.employee("Ada"), relation) }
    try mine.mergeChanges(fromContextDidSave: save)
  }

  private func isStored(_ relation: Relation) throws -> Bool {
    #expect(try store.coordinator.danglingReferences() == [])
    return try store.reading { isRelated(try $0.employee("Ada"), relation) }
  }

  @Test(arguments: Relation.allCases, [true, false])
  func `a relation that another context saved returns`(
    _ relation: Relation, isEventOver: Bool
  ) throws {
    try mine.performAndWait {
      let ada = try mine.employee("Ada")
      mine.delete(ada)
      if isEventOver { mine.processPendingChanges() }
      try mergeTheirs(relation)
      mine.undo()
      #expect(!ada.isDeleted && isRelated(ada, relation))
      #expect(!mine.hasChanges)
      try mine.save()
    }
    #expect(try isStored(relation))
  }

  // Seeds 2014537 and 2056202 of the random stories
  @Test func `a relation that only the other side's merge has brought is a change`() throws {
    try mine.performAndWait {
      let ada = try mine.employee("Ada")
      mine.delete(ada)
      mine.processPendingChanges()
      try theirs.saving { try relate(try theirs.employee("Ada"), .oneToOne) }
      let badge = try #require(try mine.all(Company.badge).first)
      badge.fireFault()
      let save = try theirs.saving { try theirs.all(Company.badge).first?[Company.number] = 2 }
      try mine.mergeChanges(fromContextDidSave: save)
      mine.undo()
      #expect(isRelated(ada, .oneToOne))
      #expect(ada.hasPersistentChangedValues && mine.updatedObjects == [ada])
    }
  }

  @Test(arguments: Relation.allCases)
  func `redo deletes the object and its new relation again`(_ relation: Relation) throws {
    try mine.performAndWait {
      let ada = try mine.employee("Ada")
      mine.delete(ada)
      mine.processPendingChanges()
      try mergeTheirs(relation)
      mine.undo()
      mine.redo()
      #expect(ada.isDeleted)
      try mine.save()
      #expect(try mine.person("Ada") == nil)
      #expect(try mine.all(Company.badge).isEmpty)
    }
    #expect(try store.coordinator.danglingReferences() == [])
  }

  @Test(arguments: Relation.allCases)
  func `a saved object that undo and redo bring back keeps its new relation`(
    _ relation: Relation
  ) throws {
    try mine.performAndWait {
      mine.delete(try mine.employee("Ada"))
      try mine.save()
      mine.undoManager?.removeAllActions()
      let ada = mine.hire("Ada")
      try mine.save()
      try mergeTheirs(relation)
      mine.undo()
      #expect(ada.isDeleted)
      mine.redo()
      #expect(isRelated(ada, relation))
      try mine.save()
    }
    #expect(try isStored(relation))
  }
}
