import ObjectGraph
import Queues
import TestSupport
import Testing

@Suite("Delete rules")
struct DeleteRuleTests {
  let store: TestStore
  let context: ManagedObjectContext

  init() throws {
    store = try TestStore(model: Company.model)
    context = store.context()
  }

  // Semantics 104
  @Test func `rules apply at the end of the event, and nullified objects are updated`() throws {
    try context.performAndWait {
      let (ada, bob) = (context.hire("Ada"), context.hire("Bob"))
      ada[Company.boss] = bob
      try context.save()
      context.delete(bob)
      #expect(ada[Company.boss] === bob)
      context.processPendingChanges()
      #expect(ada[Company.boss] == nil)
      #expect(context.updatedObjects == [ada])
      #expect(ada[Company.name] == "Ada")
    }
  }

  // Semantics 104
  @Test func `rules wait for the save if the context asks for it`() throws {
    try context.performAndWait {
      context.propagatesDeletesAtEndOfEvent = false
      let (ada, bob) = (context.hire("Ada"), context.hire("Bob"))
      ada[Company.boss] = bob
      try context.save()
      context.delete(bob)
      context.processPendingChanges()
      #expect(ada[Company.boss] === bob)
      try context.save()
      #expect(ada[Company.boss] == nil)
    }
  }

  // Semantics 105
  @Test func `a cascade deletes related objects, and those related to them`() throws {
    try context.performAndWait {
      let sales = context.found("Sales")
      let ada = context.hire("Ada")
      ada[Company.dept] = sales
      let badge = context.insert(Company.badge)
      badge[Company.number] = 1
      ada[Company.badgeOf] = badge
      try context.save()
      context.delete(sales)
      context.processPendingChanges()
      #expect(Set(context.deletedObjects) == [sales, ada, badge])
      try context.save()
    }
    #expect(
      try store.reading { try $0.all(Company.badge).isEmpty && $0.all(Company.person).isEmpty })
  }

  // Semantics 105
  @Test func `deny stops the save until the protected objects are deleted too`() throws {
    try context.performAndWait {
      let ada = context.hire("Ada")
      let contract = context.found("Lease", Company.contract)
      contract[Company.party] = ada
      try context.save()
      context.delete(ada)
      #expect(context.saveError()?.code == 1600)
      #expect(ada.isDeleted)
      context.delete(contract)
      try context.save()
      #expect(!ada.isDeleted)
    }
  }

  // Semantics 105
  @Test func `no action leaves a relationship to a missing object`() throws {
    try context.performAndWait {
      let sales = context.found("Sales")
      let room = context.found("Attic", Company.room)
      room[Company.place] = sales
      try context.save()
      context.delete(sales)
      try context.save()
      let target = try #require(room[Company.place])
      #expect(throws: ObjectNotFound.self) { try context.existingObject(with: target.objectID) }
    }
  }

  // Semantics 107
  @Test func `a rule that meets a missing row deletes its object without an error`() throws {
    let other = store.context("other")
    try context.performAndWait {
      let bob = context.hire("Bob")
      context.hire("Ada")[Company.boss] = bob
      try context.save()
      context.reset()
    }
    try context.performAndWait {
      let bob = try context.employee("Bob")
      #expect(bob[Company.reports].count == 1)
      try other.saving { other.delete(try other.employee("Ada")) }
      let policy = context.mergePolicy
      context.mergePolicy = .objectTrump
      context.delete(bob)
      try context.save()
      context.mergePolicy = policy
      #expect(try context.all(Company.person).isEmpty)
    }
  }

  // Semantics 106
  @Test func `the deletion hook runs before the rules, and again if deleted again`() throws {
    let told = Lock(0)
    var hooks = EntityHooks()
    hooks.prepareForDeletion = { _ in told.withLock { $0 += 1 } }
    let thing = try Entity(
      name: "Thing", attributes: [AttributeDescription("title", .string, isOptional: true)],
      hooks: hooks)
    let store = try TestStore(model: try Model([thing]))
    let context = store.context()
    try context.performAndWait {
      let object = context.insert(thing)
      try context.save()
      context.delete(object)
      #expect(told.withLock { $0 } == 1)
      context.delete(object)
      #expect(told.withLock { $0 } == 2)
      #expect(context.deletedObjects == [object])
    }
  }

  // Semantics 77
  @Test func `deleting a new object removes its relations too`() throws {
    try context.performAndWait {
      let sales = context.found("Sales")
      try context.save()
      let ada = context.hire("Ada")
      ada[Company.dept] = sales
      context.delete(ada)
      context.processPendingChanges()
      #expect(context.deletedObjects.isEmpty)
      #expect(sales[Company.employees].isEmpty)
      try context.save()
      #expect(try context.all(Company.person).isEmpty)
    }
  }

  // Semantics 77, 104
  @Test func `no action still clears a relation to an object that was never saved`() throws {
    try context.performAndWait {
      let (sales, room) = (context.found("Sales"), context.found("1", Company.room))
      room[Company.place] = sales
      context.delete(sales)
      try context.save()
      #expect(room[Company.place] == nil)
    }
  }

  // Semantics 77, 105
  @Test func `deny does not protect an object from the deletion of one never saved`() throws {
    try context.performAndWait {
      let (ada, contract) = (context.hire("Ada"), context.found("Lease", Company.contract))
      contract[Company.party] = ada
      context.delete(ada)
      try context.save()
      #expect(contract[Company.party] == nil)
    }
  }
}
