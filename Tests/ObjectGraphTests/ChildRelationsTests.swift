import ObjectGraph
import Queues
import TestSupport
import Testing

// A child saves a relation that its parent has changed or ended since the child read it:
//
//   parent   Ada in Sales      Sales deleted, its rules wait
//   child    Ada in Law        saved into the parent

// Semantics 16
@Suite("Relations that a child's save changes in its parent")
struct ChildRelationsTests {
  private let store: TestStore
  private let mine: ManagedObjectContext

  init() throws {
    store = try TestStore(model: Company.model)
    mine = store.context("mine")
    try mine.performAndWait { [mine] in
      for name in ["Ada", "Bob"] { _ = mine.hire(name) }
      for title in ["Sales", "Law"] { _ = mine.found(title) }
      mine.insert(Company.badge)[Company.number] = 1
      try mine.save()
    }
  }

  // Semantics 103
  @Test func `a child's save ends the relation that another child has made`() throws {
    let children = [mine.child("first"), mine.child("second")]
    for (child, name) in zip(children, ["Ada", "Bob"]) {
      try child.performAndWait {
        try child.employee(name)[Company.badgeOf] = try child.badge()
      }
    }
    for child in children { try child.performAndWait { try child.save() } }
    try mine.performAndWait {
      let (ada, bob, badge) = (try mine.employee("Ada"), try mine.employee("Bob"), try mine.badge())
      #expect(badge[Company.owner] === bob && bob[Company.badgeOf] === badge)
      #expect(ada[Company.badgeOf] == nil)
      try mine.save()
    }
    #expect(try store.reading { try $0.employee("Ada")[Company.badgeOf] == nil })
  }

  // Semantics 41, 103
  @Test func `a member whose ID becomes permanent while it is added is added once`() throws {
    let child = mine.child()
    let (ada, sales) = try child.performAndWait {
      child.undoManager = ContextUndoManager()
      let sales = try child.department("Sales")
      sales.fireFault()
      let ada = child.hire("Eve")
      try child.save()
      return (ada, sales)
    }
    try mine.performAndWait { try mine.save() }
    child.performAndWait {
      ada[Company.dept] = sales
      #expect(sales.objectIDs(Company.employees) == [ada.objectID])
    }
  }

  // Semantics 103, 104
  @Test(arguments: [false, true])
  func `a cascade spares an object that another child has moved since`(
    isDeletedBefore: Bool
  ) throws {
    let children = [mine.child("first"), mine.child("second")]
    let titles = ["Sales", "Law"]
    for (child, title) in zip(children, titles) {
      try child.performAndWait {
        try child.employee("Ada")[Company.dept] = try child.department(title)
      }
    }
    try children[0].performAndWait { try children[0].save() }
    let delete = { [mine] in
      try mine.performAndWait {
        mine.propagatesDeletesAtEndOfEvent = false
        mine.delete(try mine.department("Sales"))
      }
    }
    if isDeletedBefore { try delete() }
    try children[1].performAndWait { try children[1].save() }
    if !isDeletedBefore { try delete() }
    try mine.performAndWait {
      try mine.save()
      let ada = try mine.employee("Ada")
      let law = try mine.department("Law")
      #expect(ada[Company.dept] === law && law.objectIDs(Company.employees) == [ada.objectID])
    }
  }

  // Semantics 104
  @Test func `rules that wait do not affect what a child moves away from a deleted object`() throws
  {
    let child = mine.child("child")
    try mine.saving {
      mine.found("Lease", Company.contract)[Company.party] = try mine.employee("Bob")
      try mine.employee("Ada")[Company.dept] = try mine.department("Sales")
    }
    try child.performAndWait {
      let ada = try child.employee("Ada")
      ada[Company.dept] = try child.department("Law")
      try #require(try child.all(Company.contract).first)[Company.party] = ada
    }
    try mine.performAndWait {
      mine.propagatesDeletesAtEndOfEvent = false
      mine.delete(try mine.department("Sales"))
      mine.delete(try mine.employee("Bob"))
    }
    try child.performAndWait { try child.save() }
    try mine.performAndWait {
      try mine.save()
      let ada = try mine.employee("Ada")
      #expect(ada[Company.dept] === (try mine.department("Law")))
      #expect(ada[Company.contracts].count == 1)
    }
  }
  // Semantics 103
  @Test func `a relation that a child ends also ends at a partner that a merge deleted there`()
    throws
  {
    let child = mine.child("child")
    let (joe, bob) = try child.performAndWait {
      let (joe, bob) = (child.hire("Joe"), try child.employee("Bob"))
      joe[Company.boss] = bob
      try child.save()
      return (joe, bob)
    }
    try child.performAndWait {
      try child.execute(.delete(Company.employee, objects: [bob.objectID]))
      child.delete(bob)
      try child.mergeChanges(fromRemoteContextSave: ChangedObjectIDs(deleted: [bob.objectID]))
      try child.save()
      #expect(joe[Company.boss] == nil)
    }
    try mine.performAndWait {
      let reports = try mine.employee("Bob")[Company.reports]
      #expect(reports.isEmpty)
    }
  }
  // Semantics 103. Seed 1066278 of the random stories.
  @Test func `members that a child's save makes a parent read leave out what the save moves`()
    throws
  {
    let middle = mine.child("middle")
    let child = middle.child()
    let (eve, bob) = try middle.performAndWait {
      middle.undoManager = ContextUndoManager()
      let (eve, bob) = (middle.hire("Eve"), try middle.employee("Bob"))
      try middle.employee("Ada")[Company.boss] = eve
      try middle.save()
      eve[Company.boss] = bob
      try middle.refresh(bob, mergeChanges: false)
      return (eve, bob)
    }
    try child.performAndWait { child.delete(try child.existingObject(with: eve.objectID)) }
    try mine.performAndWait { try mine.employee("Ada")[Company.boss] = try mine.employee("Bob") }
    try child.performAndWait { try child.save() }
    try middle.performAndWait {
      let ada = try middle.employee("Ada")
      #expect(ada[Company.boss] == nil)
      #expect(bob.objectIDs(Company.reports).isEmpty)
    }
  }
}
