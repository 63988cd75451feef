import ObjectGraph
import Queues
import SQLiteStore
import TestSupport
import Testing

// `theirs` deletes an object to which `mine` has an unsaved relation:
//
//   mine     ada.boss = eve ──────────────── merge ─▶ ada.boss = nil ─ save
//   theirs                    delete eve, save ─┘
//
// Core Data's merge calls `delete` for each deleted object:
// developer.apple.com/documentation/coredata/nsmanagedobjectcontext,
// mergechanges(fromcontextdidsave:)

@Suite("Relations to objects that another context deleted")
struct MergedDeletionTests {
  private let store: TestStore
  private let mine: ManagedObjectContext
  private let theirs: ManagedObjectContext

  init() throws {
    store = try TestStore(model: Company.model, keepsHistory: true)
    mine = store.context("mine")
    theirs = store.context("theirs")
    try mine.saving {
      _ = mine.hire("Ada")
      _ = mine.hire("Eve")
      _ = mine.found("Sales")
      _ = mine.found("App", Company.project)
      _ = mine.found("Lease", Company.contract)
      _ = mine.found("Attic", Company.room)
      mine.insert(Company.badge)[Company.number] = 7
    }
  }

  private func only(_ entity: Entity) throws -> ManagedObject {
    try #require(try mine.all(entity).first)
  }

  private func theyDelete(_ object: ManagedObject, merging: Bool = true) throws {
    let id = object.objectID
    let save = try theirs.saving { theirs.delete(try theirs.existingObject(with: id)) }
    if merging { try mine.mergeChanges(fromContextDidSave: save) }
  }

  enum ToOne: CaseIterable { case boss, newObjectsBoss, oneToOne, denied }

  // Semantics 85
  @Test(arguments: ToOne.allCases)
  func `a to-one relation is cleared and saved as null`(relation: ToOne) throws {
    try mine.performAndWait {
      let (ada, eve) = (try mine.employee("Ada"), try mine.employee("Eve"))
      let (object, key, target) =
        switch relation {
        case .boss: (ada, Company.boss, eve)
        case .newObjectsBoss: (mine.hire("Joe"), Company.boss, eve)
        case .oneToOne: (ada, Company.badgeOf, try only(Company.badge))
        case .denied: (try only(Company.contract), Company.party, ada)
        }
      object[key] = target
      try theyDelete(target)
      #expect(object[key] == nil && object.hasChanges)
      try mine.save()
    }
    #expect(try store.coordinator.danglingReferences() == [])
  }

  // Semantics 85
  @Test(arguments: [false, true])
  func `a many-to-many relation is dropped from both sides`(isRead: Bool) throws {
    try mine.performAndWait {
      let (ada, app) = (try mine.employee("Ada"), try only(Company.project))
      if isRead { #expect(ada[Company.projects].isEmpty) }
      ada.add(app, to: Company.projects)
      try theyDelete(app)
      #expect(ada[Company.projects].isEmpty)
      try mine.save()
      #expect(ada[Company.projects].isEmpty)
    }
    #expect(try store.coordinator.danglingReferences() == [])
  }

  // Semantics 85
  @Test func `a cascade deletes the objects that were related here`() throws {
    try mine.performAndWait {
      let (ada, sales) = (try mine.employee("Ada"), try only(Company.department))
      ada[Company.dept] = sales
      let joe = mine.hire("Joe")
      joe[Company.dept] = sales
      try theyDelete(sales)
      #expect(ada.isDeleted)
      #expect(!mine.insertedObjects.contains(joe))
      try mine.save()
      #expect(try mine.all(Company.employee).map { $0[Company.name] } == ["Eve"])
    }
    #expect(try store.coordinator.danglingReferences() == [])
  }

  // Semantics 85, 105
  @Test func `a rule of no action keeps the relation to the missing object`() throws {
    try mine.performAndWait {
      let (attic, sales) = (try only(Company.room), try only(Company.department))
      attic[Company.place] = sales
      try theyDelete(sales)
      #expect(attic[Company.place] === sales)
    }
  }

  // Semantics 85
  @Test func `a relation made after the merge is refused by the save`() throws {
    try mine.performAndWait {
      let (ada, eve) = (try mine.employee("Ada"), try mine.employee("Eve"))
      eve.fireFault()
      try theyDelete(eve)
      ada[Company.boss] = eve
      #expect(throws: SaveError.self) { try mine.save() }
      ada[Company.boss] = nil
      try mine.save()
    }
    #expect(try store.coordinator.danglingReferences() == [])
  }

  // Semantics 85
  @Test func `the deleted row itself sends nothing`() throws {
    try mine.performAndWait {
      let (ada, eve) = (try mine.employee("Ada"), try mine.employee("Eve"))
      ada[Company.boss] = eve
      eve[Company.salary] = 2
      try theyDelete(eve)
      let saves = Heard<[DidSave]>([])
      _ = mine.observeDidSave { saves.value.append($0) }
      try mine.save()
      #expect(saves.value[0].deleted.isEmpty && saves.value[0].updated == [ada.objectID])
    }
  }

  // Semantics 85
  @Test func `an object of a child's save is cleared too`() throws {
    let child = mine.child()
    try child.saving {
      let ada = try child.employee("Ada")
      ada[Company.boss] = try child.person("Eve")
    }
    try mine.performAndWait {
      try theyDelete(mine.employee("Eve"))
      #expect(try mine.employee("Ada")[Company.boss] == nil)
      try mine.save()
    }
    #expect(try store.coordinator.danglingReferences() == [])
  }

  // Semantics 70, 73
  @Test(arguments: [MergePolicy.storeTrump, .rollback])
  func `a policy that accepts the deletion clears relations to the object`(
    policy: MergePolicy
  ) throws {
    try mine.performAndWait {
      mine.mergePolicy = policy
      let (ada, eve) = (try mine.employee("Ada"), try mine.employee("Eve"))
      let app = try only(Company.project)
      ada[Company.boss] = eve
      eve.add(app, to: Company.projects)
      try theyDelete(eve, merging: false)
      try mine.save()
      #expect(ada[Company.boss] == nil)
      #expect(app[Company.members].isEmpty)
    }
    #expect(try store.coordinator.danglingReferences() == [])
  }

  // Semantics 70, 73
  @Test(arguments: [MergePolicy.storeTrump, .rollback])
  func `a policy that accepts the deletion of an owner deletes what was related to it`(
    policy: MergePolicy
  ) throws {
    try mine.performAndWait {
      mine.mergePolicy = policy
      let sales = try only(Company.department)
      try mine.employee("Ada")[Company.dept] = sales
      mine.hire("Joe")[Company.dept] = sales
      try theyDelete(sales, merging: false)
      try mine.save()
      #expect(try mine.all(Company.employee).map { $0[Company.name] } == ["Eve"])
    }
    #expect(try store.coordinator.danglingReferences() == [])
  }

  // Semantics 67
  @Test(arguments: MergePolicy.allCases)
  func `no relation to a missing row is saved, though that row is not`(policy: MergePolicy) throws {
    try mine.performAndWait {
      mine.mergePolicy = policy
      let (ada, eve) = (try mine.employee("Ada"), try mine.employee("Eve"))
      ada[Company.boss] = eve
      // Its side of the relation is discarded, and not sent by the save.
      try mine.refresh(eve, mergeChanges: false)
      try theyDelete(eve, merging: false)
      if policy == .error {
        #expect(throws: SaveError.self) { try mine.save() }
      } else {
        try mine.save()
        #expect(ada[Company.boss] == nil)
      }
    }
    #expect(try store.coordinator.danglingReferences() == [])
  }

  enum Registration: CaseIterable { case none, fault, realised }

  // Semantics 85, 120, 124
  @Test(arguments: Registration.allCases, [false, true])
  func `a merged batch deletion leaves no member that is a fault or not registered`(
    registration: Registration, isByHistory: Bool
  ) throws {
    try mine.saving {
      for name in ["Ada", "Eve"] {
        try mine.employee(name).add(try only(Company.project), to: Company.projects)
      }
      try mine.employee("Ada")[Company.boss] = try mine.employee("Eve")
    }
    try mine.performAndWait {
      let (ada, app) = (try mine.employee("Ada"), try only(Company.project))
      #expect(app[Company.members].count == 2)
      let eve = try #require(app.objectIDs(Company.members).first { $0 != ada.objectID })
      // Ada knows her boss by ID.
      #expect(ada.hasPersistentChangedValues == false)
      let held = registration == .none ? nil : mine.object(with: eve)
      if registration == .fault { try mine.refresh(try #require(held), mergeChanges: false) }
      if registration == .realised { held?.fireFault() }
      let token = try store.coordinator.currentHistoryToken()
      try mine.execute(.delete(Company.employee, objects: [eve]))
      if isByHistory {
        try mine.mergeChanges(fromHistory: store.coordinator.history(after: token))
      } else {
        try mine.mergeChanges(fromRemoteContextSave: .init(deleted: [eve]))
      }
      #expect(app[Company.members] == [ada] && ada[Company.boss] == nil && !mine.hasChanges)
      withExtendedLifetime(held) {}
    }
  }

  // Semantics 119, 124
  @Test(arguments: Registration.allCases, [false, true])
  func `a merged batch update moves members, also faults and those that are not registered`(
    registration: Registration, isByHistory: Bool
  ) throws {
    try mine.performAndWait { () throws in
      let (sales, app) = (try only(Company.department), mine.found("App"))
      let ada = try mine.employee("Ada").objectID
      try mine.employee("Ada")[Company.dept] = sales
      try mine.save()
      #expect(sales.objectIDs(Company.employees) == [ada] && app[Company.employees].isEmpty)
      let held = registration == .none ? nil : mine.object(with: ada)
      if registration == .fault { try mine.refresh(try #require(held), mergeChanges: false) }
      let token = try store.coordinator.currentHistoryToken()
      try mine.execute(
        .update(
          Company.employee, where: Company.name == "Ada", set: ["department": .object(app.objectID)]
        ))
      if isByHistory {
        try mine.mergeChanges(fromHistory: store.coordinator.history(after: token))
      } else {
        try mine.mergeChanges(fromRemoteContextSave: .init(updated: [ada]))
      }
      #expect(sales.objectIDs(Company.employees).isEmpty && !mine.hasChanges)
      #expect(app.objectIDs(Company.employees) == [ada])
      withExtendedLifetime(held) {}
    }
  }

  // Semantics 85, 120
  @Test func `a merged batch deletion ends saved relations`() throws {
    try mine.performAndWait { () throws in
      let (ada, sales, app) = (
        try mine.employee("Ada"), try only(Company.department), try only(Company.project)
      )
      ada[Company.dept] = sales
      ada.add(app, to: Company.projects)
      try mine.save()
      for object in [sales, app] {
        let deletion = BatchRequest.delete(object.entity, objects: [object.objectID])
        #expect(try mine.execute(deletion).count == 1)
      }
      try mine.mergeChanges(fromRemoteContextSave: .init(deleted: [sales.objectID, app.objectID]))
      #expect(ada[Company.dept] == nil && ada[Company.projects].isEmpty && !mine.hasChanges)
      ada[Company.salary] = 3
      try mine.save()
    }
  }
}
