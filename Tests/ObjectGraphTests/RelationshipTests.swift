import ObjectGraph
import TestSupport
import Testing

@Suite("Relationships")
struct RelationshipTests {
  let store: TestStore
  let context: ManagedObjectContext

  init() throws {
    store = try TestStore(model: Company.model)
    context = store.context()
  }

  // Semantics 103
  @Test func `setting a to-one relationship adds to its inverse at once and updates both`() throws {
    try context.performAndWait {
      let sales = context.found("Sales")
      let ada = context.hire("Ada")
      try context.save()
      ada[Company.dept] = sales
      #expect(sales[Company.employees] == [ada])
      #expect(Set(context.updatedObjects) == [ada, sales])
      let research = context.found("Research")
      research.add(ada, to: Company.employees)
      #expect(ada[Company.dept] === research)
      #expect(sales[Company.employees].isEmpty)
    }
  }

  // Semantics 103
  @Test func `a one-to-one partner leaves its previous owner`() throws {
    try context.performAndWait {
      let (ada, bob) = (context.hire("Ada"), context.hire("Bob"))
      let badge = context.insert(Company.badge)
      badge[Company.number] = 7
      ada[Company.badgeOf] = badge
      try context.save()
      bob[Company.badgeOf] = badge
      #expect(badge[Company.owner] === bob)
      #expect(ada[Company.badgeOf] == nil)
    }
  }

  // Semantics 103
  @Test func `a relationship of an entity to itself changes on both sides`() throws {
    try context.performAndWait {
      let (ada, bob) = (context.hire("Ada"), context.hire("Bob", as: Company.manager))
      ada[Company.boss] = bob
      ada.add(bob, to: Company.friends)
      #expect(bob[Company.reports] == [ada])
      #expect(bob[Company.friends] == [ada])
      try context.save()
    }
    let other = store.context("other")
    try other.performAndWait {
      let bob = try other.employee("Bob")
      let ada = try other.employee("Ada")
      #expect(bob.entity === Company.manager)
      #expect(ada[Company.boss] === bob)
      #expect(ada[Company.friends] == [bob])
      #expect(bob[Company.friends] == [ada])
    }
  }

  // Semantics 50
  @Test func `a realised row has its to-one targets; each to-many relationship is a fault`()
    throws
  {
    try context.saving {
      let sales = context.found("Sales")
      context.hire("Ada")[Company.dept] = sales
    }
    let other = store.context("other")
    try other.performAndWait {
      let ada = try other.employee("Ada")
      let sales = try #require(ada[Company.dept])
      #expect(sales.isFault)
      sales.fireFault()
      #expect(sales.hasFault(for: Company.employees))
      #expect(sales[Company.employees] == [ada])
      #expect(!sales.hasFault(for: Company.employees))
    }
  }

  // Semantics 16, 103
  @Test func `new objects' relationships pass from a child by its parent to the store`() throws {
    let child = context.child()
    try child.saving {
      let sales = child.found("Sales")
      let ada = child.hire("Ada")
      ada[Company.dept] = sales
      let app = child.found("App", Company.project)
      app.add(ada, to: Company.members)
    }
    try context.performAndWait {
      let ada = try context.employee("Ada")
      #expect(ada[Company.dept]?[Company.title] == "Sales")
      #expect(ada[Company.projects].count == 1)
      try context.save()
      #expect(ada[Company.dept]?.objectID.isTemporary == false)
    }
    try store.reading { fresh in
      let ada = try fresh.employee("Ada")
      #expect(ada[Company.dept]?[Company.employees] == [ada])
      #expect(ada[Company.projects].map { $0[Company.title] } == ["App"])
    }
  }

  // Semantics 22
  @Test func `a child sees the members that its parent has not saved`() throws {
    try context.performAndWait {
      let sales = context.found("Sales")
      try context.save()
      context.hire("Ada")[Company.dept] = sales
    }
    let child = context.child()
    try child.performAndWait {
      let sales = try #require(try child.all(Company.department).first)
      #expect(sales[Company.employees].map { $0[Company.name] } == ["Ada"])
    }
  }

  // Semantics 82
  @Test func `a merge brings the members that another context added`() throws {
    try context.saving { _ = context.found("Sales") }
    let worker = store.context("worker")
    try context.performAndWait {
      let sales = try #require(try context.all(Company.department).first)
      #expect(sales[Company.employees].isEmpty)
      let save = try worker.saving {
        let theirs = try #require(try worker.all(Company.department).first)
        worker.hire("Ada")[Company.dept] = theirs
      }
      try context.mergeChanges(fromContextDidSave: save)
      #expect(sales[Company.employees].map { $0[Company.name] } == ["Ada"])
    }
  }

  // Semantics 36
  @Test func `transient values reach the parent and have defaults where they are fetched`() throws {
    try context.saving { _ = context.hire("Ada") }
    let child = context.child()
    let held = try context.performAndWait { try context.employee("Ada") }
    try child.performAndWait {
      let ada = try child.employee("Ada")
      #expect(ada[Company.mood] == "fine")
      ada[Company.mood] = "tired"
      try child.save()
    }
    context.performAndWait { #expect(held[Company.mood] == "tired") }
    let second = context.child("second")
    try second.performAndWait {
      let ada = try second.employee("Ada")
      #expect(ada[Company.mood] == "fine")
    }
  }
}
