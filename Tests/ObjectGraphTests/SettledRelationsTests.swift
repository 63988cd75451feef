import ObjectGraph
import Queues
import TestSupport
import Testing

// Both contexts move one employee. The policy decides who wins, and all sides of the relation show
// it without a refresh:
//
//   mine     ada.dept = Mine     save ─▶ conflict, settled
//   theirs   ada.dept = Theirs, saved before
//
// In Core Data "to-many relationships must be pulled from the persistent store as needed":
// developer.apple.com/documentation/coredata/nsmergeconflict

@Suite("Both sides of a relation after a settled conflict")
struct SettledRelationsTests {
  private let store: TestStore
  private let mine: ManagedObjectContext
  private let theirs: ManagedObjectContext

  init() throws {
    (store, mine, theirs) = try TestStore.withRivals()
  }

  private func names(of department: ManagedObject) -> [String] {
    department[Company.employees].map { $0[Company.name] }
  }

  // Semantics 70, 71, 72, 73
  @Test(arguments: MergePolicy.allCases.filter { $0 != .error }, [false, true])
  func `the members of all departments are those in the file`(
    policy: MergePolicy, isRead: Bool
  ) throws {
    try mine.performAndWait {
      mine.mergePolicy = policy
      let ada = try mine.employee("Ada")
      let all = try ["Old", "Mine", "Theirs"].map { try mine.department($0) }
      if isRead { #expect(all.map { names(of: $0) } == [["Ada"], [], []]) }
      ada[Company.dept] = all[1]
      try theirs.saving {
        try theirs.employee("Ada")[Company.dept] = try theirs.department("Theirs")
      }
      try mine.save()
      let winner = policy == .objectTrump || policy == .overwrite ? 1 : 2
      #expect(ada[Company.dept] === all[winner])
      for (index, department) in all.enumerated() {
        #expect(names(of: department) == (index == winner ? ["Ada"] : []), "\(index)")
      }
      #expect(!mine.hasChanges)
    }
  }

  // Semantics 70, 71, 72, 73
  @Test(arguments: MergePolicy.allCases.filter { $0 != .error })
  func `one-to-one partners agree in the file`(policy: MergePolicy) throws {
    try mine.performAndWait {
      mine.mergePolicy = policy
      let ada = try mine.employee("Ada")
      ada[Company.badgeOf] = try mine.badge(1)
      try mine.save()
      ada[Company.badgeOf] = try mine.badge(2)
      try theirs.saving { try theirs.employee("Ada")[Company.badgeOf] = try theirs.badge(3) }
      try mine.save()
    }
    let fresh = store.context("fresh")
    let winner: Int64 = policy == .objectTrump || policy == .overwrite ? 2 : 3
    for context in [mine, fresh] {
      try context.performAndWait {
        let owners = try (1...3).map { try context.badge($0)[Company.owner]?[Company.name] }
        #expect(owners == (1...3).map { $0 == winner ? "Ada" : nil })
        #expect(try context.person("Ada")?[Company.badgeOf]?[Company.number] == winner)
      }
    }
  }

  // Semantics 72
  @Test(arguments: [false, true])
  func `a rollback ends a one-to-one relation in any order of conflicts`(isFirst: Bool) throws {
    try mine.performAndWait {
      mine.mergePolicy = .rollback
      let (ada, bob) = (try mine.employee("Ada"), mine.hire("Bob"))
      let badge = try mine.badge(1)
      ada[Company.badgeOf] = badge
      try mine.save()
      try theirs.saving { try theirs.badge(1)[Company.owner] = nil }
      if isFirst { ada[Company.salary] = 2000 }
      bob[Company.badgeOf] = badge
      try mine.save()
      #expect(bob[Company.badgeOf] == nil && badge[Company.owner] == nil)
    }
  }

  // Semantics 70, 71
  @Test(arguments: [MergePolicy.objectTrump, .overwrite])
  func `a one-to-one edit wins although the store's partner is in conflict, too`(
    policy: MergePolicy
  ) throws {
    try mine.performAndWait {
      mine.mergePolicy = policy
      let ada = try mine.employee("Ada")
      let theirBadge = try mine.badge(3)
      theirBadge[Company.number] = 33
      ada[Company.badgeOf] = try mine.badge(2)
      try theirs.saving { try theirs.employee("Ada")[Company.badgeOf] = try theirs.badge(3) }
      try mine.save()
      #expect(theirBadge[Company.owner] == nil)
    }
    try store.reading { (fresh) throws in
      #expect(try fresh.employee("Ada")[Company.badgeOf]?[Company.number] == 2)
      #expect(try fresh.badge(33)[Company.owner] == nil)
    }
  }

  // Semantics 73, 104
  @Test func `a dropped edit leaves no key to an object that is deleted here`() throws {
    try mine.performAndWait {
      mine.mergePolicy = .rollback
      let ada = try mine.employee("Ada")
      let (kept, deleted) = (try mine.badge(1), try mine.badge(2))
      ada[Company.badgeOf] = kept
      try mine.save()
      kept[Company.number] = 10
      mine.delete(deleted)
      try theirs.saving { try theirs.employee("Ada")[Company.badgeOf] = try theirs.badge(2) }
      // The delete rules apply to the badge's new owner.
      try mine.mergeChanges(fromRemoteContextSave: .init(updated: [deleted.objectID]))
      try mine.save()
      #expect(ada[Company.badgeOf] == nil)
    }
    #expect(try store.coordinator.danglingReferences() == [])
  }

  // Semantics 70, 73
  @Test(arguments: [MergePolicy.storeTrump, .rollback], [false, true])
  func `a dropped edit gives a badge back on both sides`(
    policy: MergePolicy, hasNewBadge: Bool
  ) throws {
    try mine.performAndWait {
      mine.mergePolicy = policy
      let (ada, bob) = (try mine.employee("Ada"), mine.hire("Bob"))
      let badges = try (1...3).map { try mine.badge($0) }
      ada[Company.badgeOf] = badges[0]
      try mine.save()
      bob[Company.badgeOf] = badges[0]
      if hasNewBadge { ada[Company.badgeOf] = badges[2] }
      try theirs.saving { try theirs.employee("Bob")[Company.badgeOf] = try theirs.badge(2) }
      try mine.save()
      #expect(ada[Company.badgeOf] === badges[hasNewBadge ? 2 : 0])
      #expect(badges[0][Company.owner] === (hasNewBadge ? nil : ada))
      mine.delete(ada)
      try mine.save()
    }
    #expect(try store.coordinator.danglingReferences() == [])
  }

  // Semantics 70, 73, 104
  @Test(arguments: [MergePolicy.storeTrump, .rollback], [false, true])
  func `a dropped deletion gives a badge back on both sides`(
    policy: MergePolicy, hasNewBadge: Bool
  ) throws {
    try mine.performAndWait {
      mine.mergePolicy = policy
      let ada = try mine.employee("Ada")
      let badges = try (1...2).map { try mine.badge($0) }
      ada[Company.badgeOf] = badges[0]
      try mine.save()
      mine.delete(badges[0])
      mine.processPendingChanges()
      if hasNewBadge { ada[Company.badgeOf] = badges[1] }
      try theirs.saving { try theirs.badge(1)[Company.number] = 10 }
      try mine.save()
      #expect(ada[Company.badgeOf] === badges[hasNewBadge ? 1 : 0])
      #expect(badges[0][Company.owner] === (hasNewBadge ? nil : ada))
      mine.delete(ada)
      try mine.save()
    }
    #expect(try store.coordinator.danglingReferences() == [])
  }

  // Semantics 73, 104
  @Test func `a dropped deletion gives a department its member back`() throws {
    try mine.performAndWait {
      mine.mergePolicy = .rollback
      let (ada, old) = (try mine.employee("Ada"), try mine.department("Old"))
      #expect(names(of: old) == ["Ada"])
      mine.delete(ada)
      try theirs.saving { try theirs.employee("Ada")[Company.salary] = 2000 }
      try mine.save()
      #expect(ada[Company.dept] === old && names(of: old) == ["Ada"])
    }
  }

  // Semantics 71, 85, 104
  @Test(arguments: [false, true])
  func `a cascade deletes an object whose row came back after its deletion was merged`(
    isConflict: Bool
  ) throws {
    try mine.performAndWait {
      mine.mergePolicy = isConflict ? .objectTrump : .error
      let (ada, old) = (try mine.employee("Ada"), try mine.department("Old"))
      #expect(old[Company.title] == "Old" && ada[Company.dept] === old)
      try theirs.saving {
        theirs.undoManager = ContextUndoManager()
        theirs.delete(try theirs.employee("Ada"))
      }
      try mine.mergeChanges(fromRemoteContextSave: .init(deleted: [ada.objectID]))
      try theirs.saving { theirs.undo() }
      #expect(ada.isDeleted)
      if !isConflict { try mine.refresh(old, mergeChanges: true) }
      mine.delete(old)
      try mine.save()
    }
    #expect(try store.coordinator.danglingReferences() == [])
  }
}

extension TestStore {
  /// A store with Ada in one of three departments, and three badges; two contexts may edit it.
  static func withRivals() throws -> (
    store: TestStore, mine: ManagedObjectContext, theirs: ManagedObjectContext
  ) {
    let store = try TestStore(model: Company.model)
    let mine = store.context("mine")
    try mine.saving {
      let (ada, old) = (mine.hire("Ada"), mine.found("Old"))
      ada[Company.dept] = old
      for title in ["Mine", "Theirs"] { _ = mine.found(title) }
      for number in 1...3 as ClosedRange<Int64> {
        mine.insert(Company.badge)[Company.number] = number
      }
    }
    return (store, mine, store.context("theirs"))
  }
}
