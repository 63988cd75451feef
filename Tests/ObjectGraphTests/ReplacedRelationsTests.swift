import ObjectGraph
import Queues
import TestSupport
import Testing

// A merge brings a relation that an edit here replaces:
//
//   mine     ada.dept = Mine ────────── merge ─ save ─▶ Theirs no longer has Ada
//   theirs   ada.dept = Theirs, saved ─┘                and hears of it by mine's save
//
// "Core Data [...] automatically maintains the referential integrity": Core Data Programming Guide,
// Relationship Fundamentals.

@Suite("Relations that a merge brings and an edit replaces")
struct ReplacedRelationsTests {
  private let store: TestStore
  private let mine: ManagedObjectContext
  private let theirs: ManagedObjectContext

  init() throws {
    (store, mine, theirs) = try TestStore.withRivals()
    for context in [mine, theirs] {
      context.performAndWait { context.mergePolicy = .objectTrump }
    }
  }

  enum Merging: CaseIterable { case byCall, byRefresh, none }

  private func theySave(_ edit: (ManagedObject) throws -> Void) throws -> DidSave {
    try theirs.saving { try edit(try theirs.employee("Ada")) }
  }

  private func merge(_ save: DidSave, _ merging: Merging) throws {
    switch merging {
    case .byCall: try mine.mergeChanges(fromContextDidSave: save)
    case .byRefresh: try mine.refresh(try mine.employee("Ada"), mergeChanges: true)
    case .none: break
    }
  }

  private func members(_ title: String, in context: ManagedObjectContext) throws -> [String] {
    try context.department(title)[Company.employees].map { $0[Company.name] }
  }

  // Semantics 71, 86, 103
  @Test(arguments: Merging.allCases, [false, true])
  func `an employee has one department in all contexts`(
    merging: Merging, isRead: Bool
  ) throws {
    let titles = ["Old", "Mine", "Theirs"]
    let held = try theirs.performAndWait { try titles.map { try theirs.department($0) } }
    try mine.performAndWait {
      let ada = try mine.employee("Ada")
      let departments = try titles.map { try mine.department($0) }
      if isRead { for department in departments { _ = department[Company.employees] } }
      ada[Company.dept] = departments[1]
      let save = try theySave {
        $0[Company.dept] = held[2]
        #expect(held[2][Company.employees].count == 1)
      }
      try merge(save, merging)
      #expect(try titles.map { try members($0, in: mine).count } == [0, 1, 0])
      let mySave = try mine.saving {}
      #expect(ada[Company.dept] === departments[1])
      #expect(try titles.map { try members($0, in: mine).count } == [0, 1, 0])
      try theirs.performAndWait {
        try theirs.mergeChanges(fromContextDidSave: mySave)
        #expect(try titles.map { try members($0, in: theirs).count } == [0, 1, 0])
      }
    }
    withExtendedLifetime(held) {}
  }

  // Semantics 71, 86, 103
  @Test(arguments: Merging.allCases, [false, true])
  func `one-to-one partners agree in the file`(merging: Merging, changesBadge: Bool) throws {
    try mine.performAndWait {
      let (ada, badges) = (try mine.employee("Ada"), try (1...3).map { try mine.badge($0) })
      ada[Company.badgeOf] = badges[1]
      if changesBadge { badges[2][Company.number] = 30 }
      let save = try theySave { $0[Company.badgeOf] = try theirs.badge(3) }
      try merge(save, merging)
      try mine.save()
      #expect(ada[Company.badgeOf] === badges[1])
      #expect(badges.map { $0[Company.owner] } == [nil, ada, nil])
    }
    try store.reading { (fresh) throws in
      let owners = try fresh.all(Company.badge).filter { $0[Company.owner] != nil }
      #expect(owners.map { $0[Company.number] } == [2])
      #expect(try fresh.employee("Ada")[Company.badgeOf]?[Company.number] == 2)
    }
  }

  // Semantics 71, 86, 103
  @Test func `one-to-one partners agree in the file after an automatic merge`() throws {
    let (ada, badges) = try mine.performAndWait {
      mine.automaticallyMergesChangesFromParent = true
      let (ada, badges) = (try mine.employee("Ada"), try (1...3).map { try mine.badge($0) })
      ada[Company.badgeOf] = badges[1]
      return (ada, badges)
    }
    _ = try theySave { $0[Company.badgeOf] = try theirs.badge(3) }
    // The merge comes before this in the queue.
    try mine.performAndWait {
      #expect(badges.map { $0[Company.owner] } == [nil, ada, nil])
      try mine.save()
      #expect(badges.map { $0[Company.owner] } == [nil, ada, nil])
    }
    try store.reading { (fresh) throws in
      let owners = try fresh.all(Company.badge).filter { $0[Company.owner] != nil }
      #expect(owners.map { $0[Company.number] } == [2])
    }
  }

  // Semantics 26, 86, 103
  @Test func `a child's edit replaces the relation that its parent has saved`() throws {
    let child = mine.child()
    try child.performAndWait {
      child.automaticallyMergesChangesFromParent = true
      try child.employee("Ada")[Company.dept] = try child.department("Mine")
    }
    try mine.performAndWait {
      let theirs = try mine.department("Theirs")
      try mine.employee("Ada")[Company.dept] = theirs
      #expect(theirs[Company.employees].count == 1)
      try mine.save()
    }
    // The merge runs on the child's queue.
    child.performAndWait {}
    try child.performAndWait { try child.save() }
    try mine.performAndWait { () throws in
      #expect(try members("Theirs", in: mine) == [])
      #expect(try members("Mine", in: mine) == ["Ada"])
    }
  }

  // Semantics 71, 86, 103
  @Test func `an automatic merge leaves an employee one department, too`() throws {
    let departments = try mine.performAndWait {
      mine.automaticallyMergesChangesFromParent = true
      let departments = try ["Mine", "Theirs"].map { try mine.department($0) }
      for department in departments { _ = department[Company.employees] }
      try mine.employee("Ada")[Company.dept] = departments[0]
      return departments
    }
    _ = try theySave { $0[Company.dept] = try theirs.department("Theirs") }
    // The merge runs on the queue of `mine`.
    mine.performAndWait {}
    try mine.performAndWait {
      #expect(departments.map { $0[Company.employees].count } == [1, 0])
      try mine.save()
      #expect(departments.map { $0[Company.employees].count } == [1, 0])
    }
    try store.reading { (fresh) throws in
      #expect(try members("Mine", in: fresh) == ["Ada"])
      #expect(try members("Theirs", in: fresh) == [])
    }
  }

  // Semantics 55, 86
  @Test func `refreshing all objects also refreshes one that loses a replaced relation`() throws {
    try mine.performAndWait {
      let department = try mine.department("Theirs")
      #expect(department[Company.title] == "Theirs")
      try mine.employee("Ada")[Company.dept] = try mine.department("Mine")
      _ = try theySave {
        let department = try theirs.department("Theirs")
        $0[Company.dept] = department
        department[Company.title] = "New"
      }
      try mine.refreshAllObjects()
      #expect(department[Company.title] == "New")
    }
  }

  // Semantics 55, 86, 103
  @Test(arguments: [false, true])
  func `one-to-one partners agree after refreshes in any order`(isBadgeFirst: Bool) throws {
    try mine.performAndWait {
      let (ada, badges) = (try mine.employee("Ada"), try (1...3).map { try mine.badge($0) })
      ada[Company.badgeOf] = badges[1]
      badges[2][Company.number] = 30
      _ = try theySave { $0[Company.badgeOf] = try theirs.badge(3) }
      for object in isBadgeFirst ? [badges[2], ada] : [ada, badges[2]] {
        try mine.refresh(object, mergeChanges: true)
      }
      #expect(badges.map { $0[Company.owner] } == [nil, ada, nil])
      try mine.save()
    }
    try store.reading { (fresh) throws in
      let owners = try fresh.all(Company.badge).filter { $0[Company.owner] != nil }
      #expect(owners.map { $0[Company.number] } == [2])
    }
  }

  // Semantics 55, 86: seed 59654 of the random stories
  @Test func `refreshing all objects ends replaced one-to-one relations in any order`() throws {
    let numbers = 101...116 as ClosedRange<Int64>
    try mine.performAndWait {
      // Their order in the context depends on the process.
      let held = numbers.map { number in
        let badges = (0..<2).map { _ in mine.insert(Company.badge) }
        for (index, badge) in badges.enumerated() {
          badge[Company.number] = number + Int64(100 * index)
        }
        return (eve: mine.hire("Eve \(number)"), badge: badges[0], mine: badges[1])
      }
      try mine.save()
      for one in held {
        one.eve[Company.badgeOf] = one.mine
        one.badge[Company.number] += 1000
      }
      _ = try theirs.saving {
        for number in numbers {
          try theirs.employee("Eve \(number)")[Company.badgeOf] = try theirs.badge(number)
        }
      }
      try mine.refreshAllObjects()
      #expect(held.allSatisfy { $0.badge[Company.owner] == nil })
      #expect(held.allSatisfy { $0.mine[Company.owner] === $0.eve })
    }
  }

  // Semantics 80, 86
  @Test func `undo of the edit shows the merged relation on both sides`() throws {
    try mine.performAndWait {
      mine.undoManager = ContextUndoManager()
      let (ada, badges) = (try mine.employee("Ada"), try (1...3).map { try mine.badge($0) })
      ada[Company.dept] = try mine.department("Mine")
      ada[Company.badgeOf] = badges[1]
      mine.processPendingChanges()
      let save = try theySave {
        $0[Company.dept] = try theirs.department("Theirs")
        $0[Company.badgeOf] = try theirs.badge(3)
      }
      try mine.mergeChanges(fromContextDidSave: save)
      mine.undo()
      #expect(try members("Theirs", in: mine) == ["Ada"])
      #expect(badges.map { $0[Company.owner] } == [nil, nil, ada])
      #expect(ada[Company.badgeOf] === badges[2] && !ada.hasPersistentChangedValues)
    }
  }
}
