import Foundation
import ObjectGraph
import Queues
import Testing

@testable import SQLiteStore

@Suite struct HistoryTests {
  private func store(_ mode: StoreMode = .pool, rows: Int64 = 0) throws -> TestStore {
    try TestStore(mode, rows: rows) { $0.keepsHistory = true }
  }

  // Semantics 123
  @Test(arguments: StoreMode.allCases)
  func `every save is one transaction with author, date and changes`(mode: StoreMode) throws {
    let time = Lock(Date(timeIntervalSinceReferenceDate: 100))
    let store = try TestStore(mode, rows: 2) {
      $0.keepsHistory = true
      $0.now = { time.withLock { $0 } }
    }
    #expect(try store.coordinator.history() == [])
    let start = try store.coordinator.currentHistoryToken()
    var request = store.insertion(store.fixture.row(3))
    request.author = "import"
    request.contextName = "worker"
    request.updates = store.renaming(1, to: "x").updates
    request.deletes = store.deletion(2).deletes
    let receipt = try store.coordinator.commit(request)
    time.withLock { $0 += 1 }
    _ = try store.coordinator.save(store.renaming(1, to: "y", version: 2))
    let history = try store.coordinator.history(after: start)
    #expect(history == (try store.coordinator.history()))
    #expect(history.map(\.author) == ["import", nil])
    #expect(history.map(\.contextName) == ["worker", nil])
    #expect(history.map(\.date.timeIntervalSinceReferenceDate) == [100, 101])
    #expect(
      history[0].changes == [
        HistoryChange(objectID: store.id(3), kind: .insert),
        HistoryChange(objectID: store.id(1), kind: .update, updatedProperties: ["name"]),
        HistoryChange(objectID: store.id(2), kind: .delete),
      ])
    #expect(history[0].token == receipt.historyToken)
    #expect(try store.coordinator.history(after: receipt.historyToken) == [history[1]])
    #expect(try store.coordinator.history(after: history[1].token) == [])
    #expect(try store.coordinator.currentHistoryToken() == history[1].token)
  }

  // Semantics 123
  @Test func `failed and empty saves are not in the history`() throws {
    let store = try store(rows: 1)
    #expect(try store.coordinator.commit(SaveRequest()).historyToken == nil)
    #expect(throws: SaveError.self) {
      try store.coordinator.save(store.renaming(1, to: "x", version: 9))
    }
    #expect(try store.coordinator.history() == [])
    let receipt = try store.coordinator.commit(store.renaming(1, to: "x"))
    #expect(receipt.historyToken?.number == 1)
  }

  // Semantics 123
  @Test func `a did-save carries a token if the store keeps its history, else none`() throws {
    for keepsHistory in [true, false] {
      let store = try TestStore(.pool) { $0.keepsHistory = keepsHistory }
      let context = store.coordinator.context("worker", author: "me")
      let token = try context.performAndWait {
        let found = Lock<HistoryToken?>(nil)
        context.observeDidSave { save in found.withLock { $0 = save.historyToken } }
        _ = context.insert(store.entity, values: store.fixture.row(1))
        try context.save()
        return found.withLock { $0 }
      }
      #expect((token != nil) == keepsHistory)
      if keepsHistory {
        let history = try store.coordinator.history()
        #expect(history.map(\.token) == [token] && history[0].author == "me")
        #expect(history[0].contextName == "worker")
      } else {
        #expect(throws: HistoryError.notKept) { try store.coordinator.history() }
      }
    }
  }

  // Semantics 121
  @Test(arguments: StoreMode.allCases)
  func `a batch request is a transaction in the history and notifies observers`(mode: StoreMode)
    throws
  {
    let store = try store(mode, rows: 3)
    let other = try store.secondCoordinator()
    let notified = Lock<[HistoryToken]>([])
    let observation = other.observeRemoteChanges { token in notified.withLock { $0.append(token) } }
    let context = store.coordinator.context("worker", author: "batch")
    try context.performAndWait {
      try context.execute(.update(store.entity, set: ["name": .string("x"), "rank": .null]))
      try context.execute(.delete(FetchRequest(store.entity, limit: 1)))
      try context.execute(.insert(store.entity, rows: [store.fixture.row(4)]))
    }
    let history = try store.coordinator.history()
    #expect(history.map(\.changes.count) == [3, 1, 1])
    #expect(history.map { $0.changes[0].kind } == [.update, .delete, .insert])
    #expect(history[0].changes[2].updatedProperties == ["name", "rank"])
    #expect(history.map(\.author) == ["batch", "batch", "batch"])
    #expect(notified.withLock { $0 } == history.map(\.token))
    withExtendedLifetime(observation) {}
    let silent = notified.withLock { $0.count }
    try endObservation(of: other, then: store)
    #expect(notified.withLock { $0.count } == silent + 1)
  }

  /// Only the caller's observation reports the save.
  private func endObservation(of other: SQLiteCoordinator, then store: TestStore) throws {
    let notified = Lock(0)
    do {
      let observation = other.observeRemoteChanges { _ in notified.withLock { $0 += 1 } }
      withExtendedLifetime(observation) {}
    }
    _ = try store.coordinator.save(store.insertion(store.fixture.row(9)))
    #expect(notified.withLock { $0 } == 0)
  }

  // Semantics 120, 121
  @Test func `rows that referred to batch-deleted rows are changes in the history`() throws {
    let family = try FamilyStore(.pool) { $0.keepsHistory = true }
    let company = family.temporaryID(family.family.company)
    let ids = try family.saved([
      family.insert(family.family.company, ["name": .string("A")], id: company),
      family.insert(family.family.boss, ["name": .string("b"), "employer": .object(company)]),
    ])
    let start = try family.coordinator.currentHistoryToken()
    _ = try family.coordinator.execute(.delete(family.family.company, objects: [ids[0]]))
    #expect(
      try family.coordinator.history(after: start).map(\.changes) == [
        [
          HistoryChange(objectID: ids[1], kind: .update, updatedProperties: ["employer"]),
          HistoryChange(objectID: ids[0], kind: .delete),
        ]
      ])
  }

  // Semantics 125
  @Test func `deleting history before a token expires older tokens`() throws {
    let store = try store()
    let tokens = try (1...4).map {
      try #require(
        try store.coordinator.commit(store.insertion(store.fixture.row($0))).historyToken)
    }
    #expect(try store.coordinator.deleteHistory(before: tokens[2]) == 2)
    #expect(try store.coordinator.history().map(\.token) == [tokens[2], tokens[3]])
    #expect(throws: HistoryError.expiredToken(tokens[0])) {
      try store.coordinator.history(after: tokens[0])
    }
    #expect(HistoryError.expiredToken(tokens[0]).code == 134_301)
    // No transaction after the second one is missing.
    #expect(try store.coordinator.history(after: tokens[1]).map(\.token) == Array(tokens[2...]))
    #expect(try store.coordinator.deleteHistory(before: .distantFuture) == 2)
    #expect(try store.coordinator.history(after: tokens[3]) == [])
    #expect(throws: HistoryError.expiredToken(tokens[2])) {
      try store.coordinator.history(after: tokens[2])
    }
    let next = try store.coordinator.commit(store.insertion(store.fixture.row(5)))
    #expect(try store.coordinator.history(after: tokens[3]).map(\.token) == [next.historyToken])
  }

  // Semantics 125
  @Test func `deleting history before a date removes everything up to the last older transaction`()
    throws
  {
    let time = Lock(Date(timeIntervalSinceReferenceDate: 0))
    let store = try TestStore(.pool) {
      $0.keepsHistory = true
      $0.now = { time.withLock { $0 } }
    }
    for seconds in [10, 30, 20, 40] {
      time.withLock { $0 = Date(timeIntervalSinceReferenceDate: Double(seconds)) }
      _ = try store.coordinator.save(store.insertion(store.fixture.row(Int64(seconds))))
    }
    let date = Date(timeIntervalSinceReferenceDate: 25)
    #expect(try store.coordinator.deleteHistory(before: date) == 3)
    #expect(try store.coordinator.history().map(\.token.number) == [4])
    #expect(try store.coordinator.deleteHistory(before: date) == 0)
  }

  // Semantics 123
  @Test func `history and tokens survive a restart, and history cannot be turned off`() throws {
    let store = try store()
    let receipt = try store.coordinator.commit(store.insertion(store.fixture.row(1)))
    let kept = try JSONEncoder().encode(receipt.historyToken)
    _ = try store.coordinator.save(store.insertion(store.fixture.row(2)))
    let all = try store.coordinator.history()
    try store.coordinator.close()
    let again = try store.secondCoordinator()
    let token = try JSONDecoder().decode(HistoryToken.self, from: kept)
    #expect(try again.history() == all && again.history(after: token) == [all[1]])
    var without = store.configuration
    without.keepsHistory = false
    let path = store.url.path(percentEncoded: false)
    #expect(throws: StoreError.historyKept(path: path)) {
      try SQLiteCoordinator(without, model: store.fixture.model)
    }
    try again.deleteHistory(before: .distantFuture)
    #expect(throws: HistoryError.notKept) {
      try SQLiteCoordinator(without, model: store.fixture.model).history()
    }
    let foreign = HistoryToken(store: "another", number: 1)
    #expect(throws: HistoryError.foreignToken(foreign)) { try again.history(after: foreign) }
  }

  // Semantics 45
  @Test func `a URI names the object in another process`() throws {
    let family = try FamilyStore()
    let id = try family.saved(family.family.boss, ["name": .string("b")])
    let uri = try #require(family.coordinator.uriRepresentation(of: id))
    #expect(uri.absoluteString == "x-coredata://\(family.coordinator.storeIdentifier)/Boss/p1")
    #expect(family.coordinator.objectID(forURI: uri) == id)
    #expect(family.coordinator.uriRepresentation(of: family.temporaryID(family.family.boss)) == nil)
    let text = uri.absoluteString
    for bad in [
      "x-coredata://other/Boss/p1", text.replacing("Boss", with: "Bos"),
      text.replacing("/p1", with: "/t1"), text.replacing("/p1", with: "/p0"), text + "/p2",
      text.replacing("x-coredata", with: "http"),
    ] {
      let url = try #require(URL(string: bad))
      #expect(family.coordinator.objectID(forURI: url) == nil, "\(bad)")
    }
  }

  @Test func `many changes of one object are one net change`() throws {
    func id(_ key: Int64) -> ManagedObjectID {
      ManagedObjectID(store: 1, entityIndex: 0, primaryKey: key)
    }
    func transaction(_ changes: (Int64, HistoryChange.Kind)...) -> HistoryTransaction {
      HistoryTransaction(
        token: HistoryToken(store: "", number: 1), date: .distantPast, author: nil,
        contextName: nil, changes: changes.map { .init(objectID: id($0), kind: $1) })
    }
    let net = ChangedObjectIDs([
      transaction((1, .insert), (2, .insert), (3, .update)),
      transaction((1, .update), (2, .delete), (3, .update), (4, .update)),
      transaction((4, .delete), (5, .delete)),
    ])
    #expect(net == ChangedObjectIDs(inserted: [id(1)], updated: [id(3)], deleted: [id(4), id(5)]))
  }
}
