import ObjectGraph
import TestSupport
import Testing

// A row arrives after a related object's deletion:
//
//   mine     badge deleted, its rules applied      merges ada's new row
//   theirs                          ada.badge = badge, saved ─┘

@Suite("Rows that arrive after a deletion")
struct RefreshedPartnersTests {
  private let store: TestStore
  private let mine: ManagedObjectContext
  private let theirs: ManagedObjectContext

  init() throws {
    store = try TestStore(model: Company.model)
    mine = store.context("mine")
    theirs = store.context("theirs")
    try theirs.saveAdaAndBadge()
  }

  /// Relates Ada and the badge, whose owner is not read again.
  private func giveBadge() throws {
    let badge = try theirs.badge()
    try theirs.employee("Ada")[Company.badgeOf] = badge
    try theirs.refresh(badge, mergeChanges: false)
  }

  // Semantics 54, 82, 104: the badge's new row has no owner, and comes after Ada's.
  @Test func `the order of merged rows does not matter for a deletion`() throws {
    try mine.performAndWait {
      let (ada, badge) = (try mine.employee("Ada"), try mine.badge())
      #expect(ada[Company.badgeOf] == nil)
      mine.delete(badge)
      mine.processPendingChanges()
      let save = try theirs.saving { try giveBadge() }
      try mine.mergeChanges(fromContextDidSave: save)
      #expect(ada[Company.badgeOf] == nil)
      try mine.save()
    }
    #expect(try store.coordinator.danglingReferences() == [])
  }

  // Semantics 54, 82, 104: the badge's second row hides its owner before the rules have applied.
  @Test(arguments: [true, false])
  func `rules that wait apply before a merge`(atEndOfEvent: Bool) throws {
    try mine.performAndWait {
      mine.propagatesDeletesAtEndOfEvent = atEndOfEvent
      let (ada, badge) = (try mine.employee("Ada"), try mine.badge())
      ada[Company.salary] = 3000
      mine.delete(badge)
      mine.processPendingChanges()
      try theirs.saving { try giveBadge() }
      try mine.refresh(ada, mergeChanges: true)
      let save = try theirs.saving { try theirs.badge()[Company.number] = 2 }
      try mine.mergeChanges(fromContextDidSave: save)
      #expect(ada[Company.badgeOf] == nil)
      try mine.save()
    }
    #expect(try store.coordinator.danglingReferences() == [])
  }

  // Semantics 71, 72, 104: both rows are in conflict, and the badge's hides its owner.
  @Test(arguments: [MergePolicy.objectTrump, .overwrite])
  func `rules apply before a policy takes a deleted object's row`(policy: MergePolicy) throws {
    try mine.performAndWait {
      mine.mergePolicy = policy
      try mine.employee("Ada")[Company.salary] = 3000
      mine.delete(try mine.badge())
      try theirs.saving {
        try theirs.badge()[Company.number] = 2
        try theirs.save()
        try giveBadge()
      }
      try mine.save()
    }
    #expect(try store.coordinator.danglingReferences() == [])
  }

  // Semantics 54, 65, 86
  @Test func `a merge keeps an edit that leads to a deleted object`() throws {
    try mine.performAndWait {
      let (ada, badge) = (try mine.employee("Ada"), try mine.badge())
      mine.delete(badge)
      mine.processPendingChanges()
      ada[Company.badgeOf] = badge
      let save = try theirs.saving { try theirs.employee("Ada")[Company.salary] = 2000 }
      try mine.mergeChanges(fromContextDidSave: save)
      #expect(ada[Company.badgeOf] === badge && ada[Company.salary] == 2000)
      #expect(throws: SaveError.self) { try mine.save() }
    }
  }

  // Semantics 67: the save itself gives Ada's row a new version.
  @Test func `a save makes no conflict with the row of a new relation's target`() throws {
    try mine.performAndWait {
      let (ada, badge, eve) = (try mine.employee("Ada"), try mine.badge(), mine.hire("Eve"))
      eve[Company.boss] = ada
      badge[Company.owner] = ada
      try mine.refresh(ada, mergeChanges: false)
      mine.delete(badge)
      try mine.save()
      #expect(eve[Company.boss] === ada)
    }
  }
}
