import ObjectGraph
import Queues
import TestSupport
import Testing

// A new object has a row's unique value. Under a policy that prefers the object, the row takes its
// place:
//
//   new Employee "A1" ─dept→ Sales        the row with "A1" gets these relations,
//            └─projects⇉ App, Site        loses the to-one relations that the object does not
//                                         have, and keeps its other members

// Semantics 76
@Suite("Relations of a new object that becomes an existing row")
struct UniqueRelationsTests {
  private let store: TestStore
  private let context: ManagedObjectContext

  init() throws {
    store = try TestStore(model: Company.model)
    context = store.context()
    try context.performAndWait {
      let ada = context.hire("Ada")
      ada[Company.code] = "A1"
      ada[Company.dept] = context.found("Old")
      ada.add(context.found("App", Company.project), to: Company.projects)
      let joe = context.hire("Joe")
      joe[Company.boss] = ada
      try context.save()
      context.reset()
    }
  }

  private func saveTwin(by policy: MergePolicy, _ relate: (ManagedObject) throws -> Void) throws {
    try context.performAndWait {
      context.mergePolicy = policy
      let twin = context.hire("Eve")
      twin[Company.code] = "A1"
      try relate(twin)
      try context.save()
      #expect(!context.hasChanges)
    }
    #expect(try store.coordinator.danglingReferences() == [])
  }

  private func stored(_ read: (ManagedObject) -> [String]) throws -> [String] {
    try store.reading { fresh in
      let row = try fresh.fetch(FetchRequest(Company.employee, where: Company.code == "A1"))
      #expect(row.count == 1)
      return read(row[0])
    }
  }

  @Test(arguments: [MergePolicy.objectTrump, .overwrite])
  func `the row takes the new object's to-one relations`(policy: MergePolicy) throws {
    try saveTwin(by: policy) { $0[Company.dept] = context.found("New") }
    #expect(
      try stored { [$0[Company.name], $0[Company.dept]?[Company.title] ?? "none"] }
        == ["Eve", "New"])
  }

  @Test(arguments: [MergePolicy.objectTrump, .overwrite], [true, false])
  func `the row loses a to-one relation that the new object does not have`(
    policy: MergePolicy, setsNil: Bool
  ) throws {
    try saveTwin(by: policy) { if setsNil { $0[Company.dept] = nil } }
    #expect(try stored { [$0[Company.dept]?[Company.title] ?? "none"] } == ["none"])
  }

  // The object of the row still has the values that the row had before.
  @Test(arguments: [MergePolicy.objectTrump, .overwrite])
  func `the row loses what another context saved meanwhile, too`(policy: MergePolicy) throws {
    let other = store.context()
    try context.performAndWait {
      let ada = try context.employee("Ada")
      #expect(ada[Company.boss] == nil)
      try other.performAndWait {
        let row = try other.employee("Ada")
        row[Company.boss] = try other.employee("Joe")
        row[Company.salary] = 7
        try other.save()
      }
      try saveTwin(by: policy) { _ in }
      #expect(ada[Company.boss] == nil)
    }
    #expect(
      try stored { [$0[Company.boss]?[Company.name] ?? "none", "\($0[Company.salary])"] }
        == ["none", "1000"])
  }

  @Test(arguments: [MergePolicy.objectTrump, .overwrite])
  func `both sides of a one-to-one relation that the new object does not have end`(
    policy: MergePolicy
  ) throws {
    try context.performAndWait {
      let badge = context.insert(Company.badge)
      badge[Company.number] = 7
      badge[Company.owner] = try context.employee("Ada")
      try context.save()
      try saveTwin(by: policy) { _ in }
      #expect(badge[Company.owner] == nil)
    }
    #expect(try stored { ["\($0[Company.badgeOf]?[Company.number] ?? 0)"] } == ["0"])
  }

  @Test func `a policy of one's own restores what the new object does not have`() throws {
    context.performAndWait {
      context.conflictHandler = { context, conflicts, applyPolicy in
        guard case .constraint(let conflicts) = conflicts else { return try applyPolicy() }
        for conflict in conflicts {
          let row = try context.existingObject(with: conflict.rowID)
          let twin = try context.existingObject(with: conflict.objectID)
          if twin[Company.dept] == nil { twin[Company.dept] = row[Company.dept] }
        }
        try applyPolicy()
      }
    }
    try saveTwin(by: .objectTrump) { _ in }
    #expect(
      try stored { [$0[Company.name], $0[Company.dept]?[Company.title] ?? "none"] }
        == ["Eve", "Old"])
  }

  @Test func `a policy of one's own may refuse the save, which then changes nothing`() throws {
    struct Refusal: Error {}
    context.performAndWait {
      context.conflictHandler = { _, _, _ in throw Refusal() }
      let twin = context.hire("Eve")
      twin[Company.code] = "A1"
      #expect(throws: Refusal.self) { try context.save() }
      #expect(context.insertedObjects == [twin])
    }
    #expect(try stored { [$0[Company.name]] } == ["Ada"])
  }

  @Test(arguments: [MergePolicy.objectTrump, .overwrite])
  func `the row gets the new object's many-to-many relations besides its own`(
    policy: MergePolicy
  ) throws {
    try saveTwin(by: policy) {
      for title in ["Site", "Tool"] {
        $0.add(context.found(title, Company.project), to: Company.projects)
      }
    }
    #expect(
      try stored { $0[Company.projects].map { $0[Company.title] }.sorted() }
        == ["App", "Site", "Tool"])
  }

  @Test(arguments: [MergePolicy.objectTrump, .overwrite])
  func `objects that refer to the new object refer to the row`(policy: MergePolicy) throws {
    try saveTwin(by: policy) {
      context.hire("Max")[Company.boss] = $0
      try context.employee("Joe")[Company.boss] = $0
    }
    #expect(try stored { $0[Company.reports].map { $0[Company.name] }.sorted() } == ["Joe", "Max"])
  }

  @Test(arguments: [MergePolicy.objectTrump, .overwrite])
  func `the row gets the new object's one-to-one partner`(policy: MergePolicy) throws {
    try saveTwin(by: policy) {
      let badge = context.insert(Company.badge)
      badge[Company.number] = 7
      $0[Company.badgeOf] = badge
    }
    #expect(try stored { ["\($0[Company.badgeOf]?[Company.number] ?? 0)"] } == ["7"])
  }

  @Test func `a new object's partners stay if a cascade would delete them with it`() throws {
    try saveTwin(by: .objectTrump) {
      let badge = context.insert(Company.badge)
      badge[Company.number] = 7
      $0[Company.badgeOf] = badge
    }
    try context.performAndWait { () throws in
      #expect(try context.all(Company.badge).count == 1)
    }
  }

  @Test(arguments: [MergePolicy.storeTrump, .rollback])
  func `under the other policies the row stays as it is`(policy: MergePolicy) throws {
    try saveTwin(by: policy) {
      $0.add(context.found("Site", Company.project), to: Company.projects)
    }
    #expect(
      try stored { [$0[Company.name]] + $0[Company.projects].map { $0[Company.title] } }
        == ["Ada", "App"])
  }

  @Test func `neither undo nor redo brings back a new object that became a row`() throws {
    try context.performAndWait {
      context.mergePolicy = .objectTrump
      let site = context.found("Site", Company.project)
      try context.save()
      context.undoManager = ContextUndoManager()
      let twin = context.hire("Eve")
      twin[Company.code] = "A1"
      context.processPendingChanges()
      twin[Company.salary] = 2000
      twin.add(site, to: Company.projects)
      try context.save()
      let theirs = store.context("theirs")
      try theirs.saving { try theirs.employee("Eve")[Company.salary] = 3000 }
      for _ in 1...2 { context.undo() }
      for _ in 1...2 { context.redo() }
      #expect(twin.context == nil)
      try context.save()
    }
    #expect(
      try stored { ["\($0[Company.salary])"] + $0[Company.projects].map { $0[Company.title] } }
        .sorted() == ["3000", "App", "Site"])
  }
}
