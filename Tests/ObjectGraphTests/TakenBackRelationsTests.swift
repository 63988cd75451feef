import ObjectGraph
import Queues
import TestSupport
import Testing

// An edit that is taken back changes nothing, though its members were never read:
//
//   mine     + relation, − relation ────── merge ─ save ─▶ their relation stays
//   theirs                    + relation, save ─┘

@Suite("Relations that are changed and changed back")
struct TakenBackRelationsTests {
  private let store: TestStore
  private let mine: ManagedObjectContext
  private let theirs: ManagedObjectContext

  init() throws {
    store = try TestStore(model: Company.model)
    (mine, theirs) = (store.context("mine"), store.context("theirs"))
    try theirs.saving {
      theirs.hire("Ada")[Company.dept] = theirs.found("Old")
      _ = theirs.found("New")
      _ = theirs.found("App", Company.project)
    }
  }

  private func app(in context: ManagedObjectContext) throws -> ManagedObject {
    try #require(try context.all(Company.project).first)
  }

  private func relate(_ isMember: Bool, in context: ManagedObjectContext) throws {
    let (ada, app) = (try context.employee("Ada"), try app(in: context))
    if isMember {
      ada.add(app, to: Company.projects)
    } else {
      ada.remove(app, from: Company.projects)
    }
  }

  // Semantics 60, 86
  @Test(arguments: [false, true], [false, true])
  func `a member that is added and removed is what another context makes it`(
    isFirstAdded: Bool, merges: Bool
  ) throws {
    if !isFirstAdded { try theirs.saving { try relate(true, in: theirs) } }
    try mine.performAndWait {
      let ada = try mine.employee("Ada")
      try relate(isFirstAdded, in: mine)
      try relate(!isFirstAdded, in: mine)
      #expect(!ada.hasPersistentChangedValues)
      let save = try theirs.saving { try relate(isFirstAdded, in: theirs) }
      if merges {
        try mine.mergeChanges(fromContextDidSave: save)
        #expect(ada[Company.projects].count == (isFirstAdded ? 1 : 0))
      }
      try mine.save()
    }
    let stored = try store.reading { try $0.employee("Ada")[Company.projects].count }
    #expect(stored == (isFirstAdded ? 1 : 0))
  }

  // Semantics 28, 60, 103
  @Test(arguments: [false, true])
  func `a child's move there and back leaves the parent's merged relation`(
    throughNew: Bool
  ) throws {
    let child = mine.child()
    let departments = try mine.performAndWait {
      try ["Old", "New"].map { try mine.department($0) }
    }
    try child.performAndWait {
      let (ada, new) = (try child.employee("Ada"), try child.department("New"))
      ada[Company.dept] = throughNew ? new : nil
      ada[Company.dept] = try child.department("Old")
      #expect(!new.hasPersistentChangedValues)
    }
    let save = try theirs.saving {
      try theirs.employee("Ada")[Company.dept] = try theirs.department("New")
    }
    try mine.performAndWait { try mine.mergeChanges(fromContextDidSave: save) }
    try child.performAndWait { try child.save() }
    mine.performAndWait {
      #expect(!mine.hasChanges)
      #expect(departments.map { $0[Company.employees].count } == [0, 1])
    }
  }
}
