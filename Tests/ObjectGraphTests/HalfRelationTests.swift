import ObjectGraph
import TestSupport
import Testing

// A refresh discards one side of an unsaved one-to-one relation. The save writes the other:
//
//   ada.badge ─▶ badge        badge.owner ─▶ nil, or another employee

// Semantics 104
@Suite("Relations of which one side was saved") struct HalfRelationTests {
  private let store: TestStore
  private let mine: ManagedObjectContext

  init() throws {
    store = try TestStore(model: Company.model)
    mine = store.context("mine")
    try mine.saveAdaAndBadge()
  }

  private func giveAdaTheBadge() throws -> ManagedObject {
    let ada = try mine.employee("Ada")
    ada[Company.badgeOf] = try mine.badge()
    return ada
  }

  private func deleteBadge() throws {
    let theirs = store.context("theirs")
    try theirs.saving { theirs.delete(try theirs.badge()) }
    #expect(try store.coordinator.danglingReferences() == [])
  }

  @Test func `a deletion clears the key of an owner that the object does not know`() throws {
    try mine.saving {
      _ = try giveAdaTheBadge()
      try mine.refresh(try mine.badge(), mergeChanges: false)
    }
    try deleteBadge()
  }

  @Test func `a deletion clears the keys of both owners`() throws {
    try mine.performAndWait {
      let ada = try giveAdaTheBadge()
      try mine.save()
      mine.hire("Eve")[Company.badgeOf] = try mine.badge()
      try mine.refresh(ada, mergeChanges: false)
      try mine.save()
    }
    try deleteBadge()
  }

  @Test(arguments: [false, true])
  func `refreshes in any order end both owners' relations to a badge deleted here`(
    isAdaFirst: Bool
  ) throws {
    try mine.performAndWait {
      let ada = try giveAdaTheBadge()
      try mine.save()
      let (eve, badge) = (mine.hire("Eve"), try mine.badge())
      eve[Company.badgeOf] = badge
      try mine.refresh(ada, mergeChanges: false)
      try mine.save()
      // Realised: a refresh reads no new row for a fault.
      #expect(ada[Company.badgeOf] == badge)
      mine.delete(badge)
      for owner in isAdaFirst ? [ada, eve] : [eve, ada] {
        try mine.refresh(owner, mergeChanges: true)
      }
      try mine.save()
      #expect([ada, eve].map { $0[Company.badgeOf] } == [nil, nil])
    }
    #expect(try store.coordinator.danglingReferences() == [])
  }

  @Test func `refreshes end no relation to a deleted badge whose rule is no action`() throws {
    let text = AttributeDescription("name", .string, defaultValue: .string(""))
    let person = try Entity(
      name: "Person", attributes: [text],
      relationships: [.toOne("badge", "Badge", inverse: "owner")])
    let badge = try Entity(
      name: "Badge", attributes: [text],
      relationships: [.toOne("owner", "Person", inverse: "badge", deleteRule: .noAction)])
    let key = try ToOneKey("badge", of: person)
    let store = try TestStore(model: try Model([person, badge]))
    let context = store.context()
    try context.performAndWait {
      let (ada, eve, one) = (context.insert(person), context.insert(person), context.insert(badge))
      ada[key] = one
      try context.save()
      eve[key] = one
      try context.refresh(ada, mergeChanges: false)
      try context.save()
      #expect(ada[key] == one)
      context.delete(one)
      for owner in [ada, eve] { try context.refresh(owner, mergeChanges: true) }
      context.processPendingChanges()
      #expect(!ada.hasChanges && !eve.hasChanges)
      #expect(ada[key] == one && eve[key] == one)
    }
    #expect(try store.coordinator.danglingReferences() == [])
  }

  // Semantics 67
  @Test func `a deletion finds no conflict with a partner that was never stored`() throws {
    let child = mine.child()
    let badge = try child.performAndWait {
      let eve = child.hire("Eve")
      let badge = child.insert(Company.badge)
      badge[Company.number] = 2
      try child.obtainPermanentIDs(for: [badge])
      try child.save()
      mine.performAndWait { mine.rollback() }
      eve[Company.badgeOf] = badge
      try child.save()
      return badge.objectID
    }
    mine.performAndWait {
      mine.delete(mine.object(with: badge))
      // The badge conflicts: its row never existed.
      let error = mine.saveError()
      guard case .conflict(let conflicts)? = error else {
        Issue.record("not a conflict: \(String(describing: error))")
        return
      }
      #expect(conflicts.map(\.id) == [badge])
    }
  }
}
