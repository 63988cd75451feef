import ObjectGraph
import Queues
import TestSupport
import Testing

// A context reads one side of a relation before another context makes the relation:
//
//   mine     ada (badge nil)                 badge 1 (owner ada): deleted or released
//   theirs          ada.badge = badge 1, saved
//
// The save must clear ada's key in the file, or the key leads to no row.

@Suite("Relations of objects that were read too early")
struct OutdatedPartnersTests {
  private let store: TestStore
  private let mine: ManagedObjectContext
  private let theirs: ManagedObjectContext

  init() throws {
    store = try TestStore(model: Company.model)
    mine = store.context("mine")
    theirs = store.context("theirs")
    try theirs.saving {
      for name in ["Ada", "Bob"] { _ = theirs.hire(name) }
      theirs.insert(Company.badge)[Company.number] = 1
    }
  }

  @discardableResult
  private func giveBadge() throws -> DidSave {
    try theirs.saving { try theirs.employee("Ada")[Company.badgeOf] = try theirs.badge(1) }
  }

  private func expectNoBadge() throws {
    #expect(try store.reading { try $0.employee("Ada")[Company.badgeOf] == nil })
  }

  enum Ending: CaseIterable { case deletion, deletionAfterEdit, edit }

  // Semantics 46, 69
  @Test(arguments: Ending.allCases)
  func `the end of a relation clears the key of a partner read too early`(ending: Ending) throws {
    try mine.performAndWait {
      let ada = try mine.employee("Ada")
      #expect(ada[Company.badgeOf] == nil)
      if ending == .deletionAfterEdit { ada[Company.badgeOf] = nil }
      try giveBadge()
      let badge = try mine.badge(1)
      if ending == .edit { badge[Company.owner] = nil } else { mine.delete(badge) }
      try mine.save()
      #expect(ada[Company.badgeOf] == nil)
    }
    try expectNoBadge()
  }

  // Semantics 46, 69
  @Test func `a deletion clears the key of a partner whose new member is deleted too`() throws {
    try mine.performAndWait {
      let (ada, eve) = (try mine.employee("Ada"), mine.hire("Eve"))
      #expect(ada[Company.badgeOf] == nil && ada[Company.reports].isEmpty)
      try giveBadge()
      eve[Company.boss] = ada
      mine.delete(try mine.badge(1))
      mine.delete(eve)
      try mine.save()
    }
    try expectNoBadge()
  }

  // Semantics 46, 54, 69
  @Test func `a partner refreshed after the deletion loses its key`() throws {
    try mine.saving {
      let ada = try mine.employee("Ada")
      ada[Company.salary] = 2000
      try giveBadge()
      mine.delete(try mine.badge(1))
      mine.processPendingChanges()
      try mine.refresh(ada, mergeChanges: true)
    }
    try expectNoBadge()
  }

  // Semantics 46, 67
  @Test(arguments: MergePolicy.allCases)
  func `a partner whose only edit is ended by a deletion keeps no key`(policy: MergePolicy) throws {
    try mine.performAndWait {
      mine.mergePolicy = policy
      let (ada, bob) = (try mine.employee("Ada"), try mine.employee("Bob"))
      ada[Company.boss] = bob
      try giveBadge()
      mine.delete(try mine.badge(1))
      mine.delete(bob)
      if policy == .error {
        #expect(throws: SaveError.self) { try mine.save() }
        try mine.refresh(ada, mergeChanges: true)
      }
      try mine.save()
      #expect(ada[Company.badgeOf] == nil)
    }
    try expectNoBadge()
  }

  // Semantics 69
  @Test(arguments: [false, true])
  func `a new relation clears the key of a former partner read too early`(
    deletesBadge: Bool
  ) throws {
    try mine.performAndWait {
      let (ada, bob) = (try mine.employee("Ada"), try mine.employee("Bob"))
      #expect(ada[Company.badgeOf] == nil)
      try giveBadge()
      let badge = try mine.badge(1)
      bob[Company.badgeOf] = badge
      #expect(ada[Company.badgeOf] == nil)
      if deletesBadge { mine.delete(badge) }
      try mine.save()
    }
    try expectNoBadge()
    #expect(try store.coordinator.danglingReferences() == [])
  }

  // Semantics 46, 60
  @Test func `a deletion follows the relations of a merged row, not older edits`() throws {
    try mine.performAndWait {
      let badge = try mine.badge(1)
      badge[Company.owner] = nil
      let save = try giveBadge()
      mine.delete(badge)
      try mine.mergeChanges(fromContextDidSave: save)
      try mine.save()
    }
    try expectNoBadge()
  }

  // Semantics 46, 72
  @Test(arguments: [MergePolicy.rollback, .storeTrump])
  func `a deletion clears the key that the store's row brings back`(policy: MergePolicy) throws {
    try giveBadge()
    try mine.saving {
      mine.mergePolicy = policy
      let (ada, badge) = (try mine.employee("Ada"), try mine.badge(1))
      ada[Company.badgeOf] = nil
      mine.delete(badge)
      try theirs.saving { try theirs.employee("Ada")[Company.salary] = 2000 }
    }
    try expectNoBadge()
  }

  // Semantics 72
  @Test func `a new relation gives its target a new version after a rollback`() throws {
    try mine.performAndWait {
      mine.mergePolicy = .rollback
      let bob = try mine.employee("Bob")
      #expect(bob[Company.salary] == 1000)
      try theirs.performAndWait {
        theirs.mergePolicy = .objectTrump
        theirs.retainsRegisteredObjects = true
        let bob = try theirs.employee("Bob")
        #expect(bob[Company.reports].isEmpty)
        bob[Company.salary] = 2000
        try theirs.save()
      }
      let eve = mine.hire("Eve")
      eve[Company.boss] = bob
      let updated = Heard<[ManagedObjectID]>([])
      _ = mine.observeDidSave { updated.value = $0.updated }
      try mine.save()
      #expect(eve[Company.boss] === bob && updated.value == [bob.objectID])
    }
    try theirs.saving { theirs.delete(try theirs.employee("Bob")) }
    #expect(try store.reading { try $0.employee("Eve")[Company.boss] == nil })
  }

  // Semantics 71
  @Test func `an edit that wins clears the key of the other side's partner`() throws {
    try mine.performAndWait {
      mine.mergePolicy = .overwrite
      let (ada, badge) = (try mine.employee("Ada"), try mine.badge(1))
      #expect(badge[Company.owner] == nil)
      ada[Company.salary] = 3000
      try giveBadge()
      try mine.save()
      #expect(ada[Company.badgeOf] == nil && badge[Company.owner] == nil)
    }
    #expect(try store.reading { try $0.badge(1)[Company.owner] == nil })
  }

  // Semantics 73
  @Test func `a relation that a conflict takes back ends on both sides`() throws {
    try mine.performAndWait {
      mine.mergePolicy = .rollback
      let (ada, bob) = (try mine.employee("Ada"), try mine.employee("Bob"))
      ada[Company.salary] = 3000
      #expect(ada[Company.badgeOf] == nil)
      try giveBadge()
      let badge = try mine.badge(1)
      bob[Company.badgeOf] = badge
      try mine.save()
      #expect(bob[Company.badgeOf] == nil && badge[Company.owner] === ada)
    }
    try store.reading { (fresh) throws in
      #expect(try fresh.badge(1)[Company.owner] === fresh.employee("Ada"))
      #expect(try fresh.employee("Bob")[Company.badgeOf] == nil)
    }
  }

  // Semantics 46, 71, 80
  @Test func `undoing an insertion clears a relation that a conflict shows`() throws {
    try mine.performAndWait {
      mine.undoManager = ContextUndoManager()
      mine.mergePolicy = .overwrite
      let eve = mine.hire("Eve")
      try mine.save()
      mine.undo()
      try theirs.saving {
        let badge = theirs.insert(Company.badge)
        badge[Company.number] = 2
        badge[Company.owner] = try theirs.employee("Eve")
      }
      #expect(eve.isDeleted)
      try mine.save()
    }
    #expect(try store.coordinator.danglingReferences() == [])
  }

  // Semantics 46, 80
  @Test func `undoing an insertion applies the delete rules to newer relations`() throws {
    try mine.performAndWait {
      mine.undoManager = ContextUndoManager()
      let boss = mine.hire("Boss")
      try mine.save()
      let save = try theirs.saving {
        try theirs.employee("Ada")[Company.boss] = try theirs.employee("Boss")
      }
      try mine.mergeChanges(fromContextDidSave: save)
      mine.undo()
      #expect(boss.isDeleted)
      try mine.save()
    }
    #expect(try store.reading { try $0.employee("Ada")[Company.boss] == nil })
  }
}
