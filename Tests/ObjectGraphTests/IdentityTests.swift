import ObjectGraph
import Queues
import SQLiteStore
import TestSupport
import Testing

@Suite("One instance for an object under all its IDs")
struct IdentityTests {
  private let store: TestStore
  private let parent: ManagedObjectContext
  private let child: ManagedObjectContext

  init() throws {
    store = try TestStore(model: Company.model)
    parent = store.context("parent")
    child = parent.child()
  }

  // Semantics 41, 46
  @Test func `a fetch makes a child's new object's ID permanent, and no second instance`() throws {
    let (sales, ada) = try child.performAndWait {
      let (sales, ada) = (child.found("Sales"), child.hire("Ada"))
      ada[Company.dept] = sales
      try child.save()
      return (sales, ada)
    }
    try parent.performAndWait { try parent.save() }
    try child.performAndWait {
      #expect(ada.objectID.isTemporary)
      let temporary = ada.objectID
      #expect(try child.all(Company.person) == [ada])
      #expect(!ada.objectID.isTemporary)
      #expect(child.registeredObject(for: temporary) === ada)
      #expect(child.registeredObject(for: ada.objectID) === ada)
      #expect(ada[Company.dept] === sales)
      #expect(sales[Company.employees] == [ada])
      #expect(child.registeredObjects.count == 2)
      ada[Company.name] = "Ida"
      try child.save()
    }
    try parent.performAndWait {
      try parent.save()
      #expect(try parent.all(Company.person).map { $0[Company.name] } == ["Ida"])
    }
  }

  @Test func `finds many objects by their IDs, skipping those that are not registered`() throws {
    try child.performAndWait {
      let hired = ["Ada", "Bob", "Cy"].map { child.hire($0) }
      try child.save()
      let temporary = hired.map(\.objectID)
      try parent.performAndWait { try parent.save() }
      #expect(try child.all(Company.person).count == 3)
      let permanent = hired.map(\.objectID)
      #expect(child.registeredObjects(for: [permanent[2], temporary[0]]) == [hired[2], hired[0]])
      let stranger = store.context("stranger")
      stranger.performAndWait { #expect(stranger.registeredObjects(for: permanent) == []) }
    }
  }

  // Semantics 41, 46, 82
  @Test(arguments: [true, false])
  func `permanent IDs pass two levels up, and in a merge of the root's save`(
    childMerges: Bool
  ) throws {
    let grandchild = child.child("grandchild")
    let ada = try grandchild.performAndWait {
      let ada = grandchild.hire("Ada")
      try grandchild.save()
      return ada
    }
    try child.performAndWait { try child.save() }
    let saved = try parent.saving {}
    if childMerges {
      try child.performAndWait { try child.mergeChanges(fromContextDidSave: saved) }
    }
    try grandchild.performAndWait {
      try grandchild.mergeChanges(fromContextDidSave: saved)
      #expect(grandchild.registeredObjects == [ada])
      #expect(!ada.objectID.isTemporary)
      #expect(try grandchild.existingObject(with: ada.objectID) === ada)
    }
  }

  // Semantics 128
  @Test func `the row cache counts an object once if it got its ID late`() throws {
    try child.performAndWait {
      let ada = child.hire("Ada")
      try child.save()
      try parent.performAndWait { try parent.save() }
      try child.obtainPermanentIDs(for: [ada])
      #expect(try child.all(Company.person) == [ada])
      child.reset()
    }
    parent.performAndWait { parent.reset() }
    #expect(store.coordinator.cachedObjectCount == 0)
  }

  // Semantics 39
  @Test func `an object listed twice gets one permanent ID`() throws {
    try parent.performAndWait {
      let (ada, ben) = (parent.hire("Ada"), parent.hire("Ben"))
      let old = ada.objectID
      try parent.obtainPermanentIDs(for: [ada, ada])
      let id = ada.objectID
      #expect(!id.isTemporary && ben.objectID.isTemporary)
      #expect(parent.registeredObject(for: old) === ada)
      #expect(Set(parent.registeredObjects) == [ada, ben])
      try parent.save()
      #expect(ada.objectID == id && !ben.objectID.isTemporary)
      #expect(store.coordinator.cachedObjectCount == 2)
    }
  }
}

extension IdentityTests {
  // Semantics 39, 41, 85: seed 2006838 of the random stories
  @Test(arguments: [true, false])
  func `an object without a row names a new object by its permanent ID`(isSaved: Bool) throws {
    let theirs = store.context("theirs")
    try parent.performAndWait {
      parent.mergePolicy = .rollback
      let app = parent.found("App", Company.project)
      try parent.save()
      let ada = parent.hire("Ada")
      ada.add(app, to: Company.projects)
      let save = try theirs.saving { theirs.delete(try theirs.existingObject(with: app.objectID)) }
      if isSaved {
        try parent.save()
      } else {
        try parent.mergeChanges(fromContextDidSave: save)
        try parent.obtainPermanentIDs(for: [ada])
      }
      #expect(app.isDeleted == !isSaved && !ada.objectID.isTemporary)
      #expect(app.objectIDs(Company.members) == [ada.objectID])
    }
  }
}

// MARK: - IDs in children

extension IdentityTests {
  // Semantics 41, 46
  @Test func `an object only read by a child gets its permanent ID there too`() throws {
    let ada = parent.performAndWait {
      let (sales, ada) = (parent.found("Sales"), parent.hire("Ada"))
      ada[Company.dept] = sales
      return ada
    }
    try child.performAndWait {
      let mine = try #require(try child.all(Company.person).first)
      #expect(mine.objectID.isTemporary)
      try parent.performAndWait { try parent.save() }
      #expect(try child.all(Company.person).map { $0 === mine } == [true])
      #expect(mine.objectID == ada.objectID)
      let dept = try #require(mine[Company.dept])
      #expect(!dept.objectID.isTemporary)
      #expect(try child.all(Company.department) == [dept])
    }
  }

  // Semantics 41, 43
  @Test func `an object requested by its new ID keeps its values`() throws {
    let grandchild = child.child("grandchild")
    let ada = try child.performAndWait {
      let ada = child.hire("Ada")
      try child.save()
      return ada
    }
    let id = try parent.performAndWait {
      try parent.save()
      parent.retainsRegisteredObjects = true
      return try #require(try parent.all(Company.person).first).objectID
    }
    child.performAndWait { ada[Company.name] = "Ida" }
    let fault = try parent.performAndWait {
      let object = try #require(parent.registeredObject(for: id))
      try parent.refresh(object, mergeChanges: false)
      return object
    }
    let seen = try grandchild.performAndWait {
      try grandchild.existingObject(with: id)[Company.name]
    }
    #expect(seen == "Ida")
    try child.performAndWait { () throws in
      #expect(try child.existingObject(with: id) === ada)
      #expect(!ada.hasFault(for: Company.projects))
    }
    #expect(fault.isFault)
  }

  // Semantics 41, 58
  @Test func `a child adopts its parent's IDs after a reset`() throws {
    try child.performAndWait {
      let ada = child.hire("Ada")
      try child.save()
      try parent.performAndWait {
        try parent.save()
        parent.reset()
      }
      ada[Company.name] = "Ida"
      try child.save()
      #expect(!ada.objectID.isTemporary)
    }
    try parent.performAndWait {
      try parent.save()
      #expect(try parent.all(Company.person).map { $0[Company.name] } == ["Ida"])
    }
  }
}
