import ObjectGraph
import Queues
import TestSupport
import Testing

@Suite("While the store cannot be read")
struct FailingStoreTests {
  private let store: TestStore
  private let failing: FailingStore
  private let root: ManagedObjectContext

  init() throws {
    store = try TestStore(model: Company.model)
    failing = FailingStore(store.coordinator)
    root = failing.context("root")
  }

  private func hireAda() throws -> (sales: ManagedObjectID, ada: ManagedObjectID) {
    try root.performAndWait {
      let (sales, ada) = (root.found("Sales"), root.hire("Ada"))
      ada[Company.dept] = sales
      try root.save()
      return (sales.objectID, ada.objectID)
    }
  }

  private func storedNames() throws -> [String] {
    try store.reading { try $0.all(Company.person).map { $0[Company.name] }.sorted() }
  }

  // A fault of another level: its context has registered the object without its row.
  @Test func `a child's save throws a lower level's read error and loses nothing`() throws {
    let id = try hireAda().ada
    let (parent, fault) = root.performAndWait { (root.child("parent"), root.object(with: id)) }
    let child = parent.child()
    try child.performAndWait {
      let ada = try child.existingObject(with: id)
      ada[Company.name] = "Ada Lovelace"
      try root.performAndWait { try root.refresh(fault, mergeChanges: false) }
      failing.fail([.rows])
      #expect(throws: FailingStore.Failure(read: .rows)) { try child.save() }
      #expect(child.updatedObjects == [ada])
      #expect(!parent.performAndWait { parent.hasChanges })
      #expect(root.performAndWait { fault.isFault && !fault.isDeleted })
      failing.fail([])
      try child.save()
    }
    try parent.performAndWait { try parent.save() }
    try root.performAndWait { try root.save() }
    #expect(try storedNames() == ["Ada Lovelace"])
  }

  @Test func `a child's deleting save throws the read error of its parent's delete rules`() throws {
    let ids = try hireAda()
    let child = root.child()
    try child.performAndWait {
      let ada = try child.existingObject(with: ids.ada)
      #expect(ada[Company.contracts].isEmpty)
      child.delete(try child.existingObject(with: ids.sales))
      child.processPendingChanges()
      #expect(child.deletedObjects.count == 2)
      failing.fail([.members])
      #expect(throws: FailingStore.Failure(read: .members)) { try child.save() }
      #expect(child.deletedObjects.count == 2)
      #expect(!root.performAndWait { root.hasChanges })
      failing.fail([])
      try child.save()
    }
    try root.performAndWait { try root.save() }
    #expect(try storedNames().isEmpty)
  }

  @Test func `rules that cannot read fail the save and are applied by the next`() throws {
    let ids = try hireAda()
    try root.performAndWait {
      root.delete(root.object(with: ids.sales))
      failing.fail([.members])
      root.processPendingChanges()
      #expect(throws: FailingStore.Failure(read: .members)) { try root.save() }
      #expect(root.deletedObjects.map(\.objectID) == [ids.sales])
      failing.fail([.rows])
      #expect(throws: FailingStore.Failure(read: .rows)) { try root.save() }
      failing.fail([])
      try root.save()
    }
    #expect(try storedNames().isEmpty)
  }

  @Test func `a deny rule that cannot read fails the save`() throws {
    try root.performAndWait {
      let (ada, contract) = (root.hire("Ada"), root.found("Work", Company.contract))
      contract[Company.party] = ada
      try root.save()
      try root.refresh(ada, mergeChanges: false)
      root.delete(ada)
      root.processPendingChanges()
      try root.refresh(contract, mergeChanges: false)
      failing.fail([.rows, .members])
      #expect(throws: FailingStore.Failure.self) { try root.save() }
      failing.fail([])
      #expect(throws: SaveError.self) { try root.save() }
    }
    #expect(try storedNames() == ["Ada"])
  }

  @Test func `an automatic merge makes unreadable objects faults, except edited ones`() throws {
    let ids = try hireAda()
    let other = failing.context("other")
    let (sales, ada) = root.performAndWait {
      root.automaticallyMergesChangesFromParent = true
      let (sales, ada) = (root.object(with: ids.sales), root.object(with: ids.ada))
      #expect(sales[Company.title] == "Sales")
      ada[Company.salary] = 2000
      return (sales, ada)
    }
    try other.saving {
      try other.existingObject(with: ids.sales)[Company.title] = "Marketing"
      try other.existingObject(with: ids.ada)[Company.name] = "Ada Lovelace"
      failing.fail([.rows])
    }
    root.performAndWait {
      #expect(sales.isFault && !sales.isDeleted)
      #expect(!ada.isFault)
      failing.fail([])
      #expect(sales[Company.title] == "Marketing")
      #expect(throws: SaveError.self) { try root.save() }
    }
  }

  @Test func `a getter whose value cannot be read stops the program with the reason`() async throws
  {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = try TestStore(of: "Agra")
      let failing = FailingStore(store.coordinator)
      let context = failing.context("main")
      try context.performAndWait {
        let city = try #require(try context.fetch(FetchRequest(City.entity)).first)
        failing.fail([.rows])
        _ = city[City.name]
      }
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("cannot read the row of 'City' in context 'main'"))
  }
}
