import Baseline
import ObjectGraph
import Queues
import Testing

@testable import SQLiteStore

@Suite struct BatchRowTests {
  private func people(_ rows: (name: String, email: String)...) -> [[String: Value]] {
    rows.map { ["name": .string($0.name), "email": .string($0.email)] }
  }

  // MARK: - Entities

  // Semantics 120
  @Test func `a batch delete of another entity's object stops the program`() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try FamilyStore()
      let family = store.family
      // Both rows have the key 1.
      _ = try store.saved(family.person, ["name": .string("p")])
      let company = try store.saved(family.company, ["name": .string("A")])
      _ = try store.coordinator.execute(.delete(family.person, objects: [company]))
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("a batch request of 'Person' names an object of 'Company'"))
  }

  // Semantics 120
  @Test func `a batch delete of a parent entity's object stops the program`() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try FamilyStore()
      let person = try store.saved(store.family.person, ["name": .string("p")])
      _ = try store.coordinator.execute(.delete(store.family.employee, objects: [person]))
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("names an object of 'Person' where it takes one of 'Employee'"))
  }

  // Semantics 119
  @Test func `a batch update to an object of another entity stops the program`() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let store = try FamilyStore()
      let person = try store.saved(store.family.person, ["name": .string("p")])
      _ = try store.coordinator.execute(
        .update(store.family.person, set: ["employer": .object(person)]))
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("names an object of 'Person' where it takes one of 'Company'"))
  }

  // Semantics 119
  @Test func `a batch update may relate rows to an object of a subentity`() throws {
    let store = try FamilyStore()
    let boss = try store.saved(store.family.boss, ["name": .string("b")])
    let desk = try store.saved(store.family.desk, ["room": .int64(1)])
    let update = BatchRequest.update(store.family.desk, set: ["owner": .object(boss)])
    #expect(try store.coordinator.execute(update).count == 1)
    store.coordinator.forgetRows(of: [desk])
    #expect(try store.value(desk, "owner") == .object(boss))
  }

  // MARK: - Temporary IDs

  // Semantics 42
  @Test func `batch requests find no row by the ID of an object that was never saved`() throws {
    let store = try FamilyStore()
    let family = store.family
    let company = try store.saved(family.company, ["name": .string("A")])
    _ = try store.saved(family.person, ["name": .string("p"), "employer": .object(company)])
    let (new, other) = (store.temporaryID(family.person), store.temporaryID(family.company))
    let employer = try ToOneKey("employer", of: family.person)
    let requests: [BatchRequest] = [
      .delete(family.person, objects: [new]),
      .delete(FetchRequest(family.person, where: .isSelf(new))),
      .delete(FetchRequest(family.person, where: employer == other)),
      .update(family.person, where: employer.isIn([other]), set: ["name": .string("x")]),
    ]
    for request in requests { #expect(try store.coordinator.execute(request).count == 0) }
    let people = try PlainReader(store.configuration.url).rows(of: family.person)
    #expect(people.map { $0.values[0] } == [.string("p")])
  }

  // Semantics 38, 95, 119, 120
  @Test func `batch requests and dictionaries find an object that was saved since by its old ID`()
    throws
  {
    let store = try FamilyStore()
    let family = store.family
    let employer = try ToOneKey("employer", of: family.person)
    let parent = ManagedObjectContext(
      name: "parent", queue: PrivateQueue(label: "parent"), parent: .coordinator(store.coordinator))
    let child = ManagedObjectContext(
      name: "child", queue: PrivateQueue(label: "child"), parent: .context(parent))
    try child.performAndWait { () throws in
      let (company, person) = (child.insert(family.company), child.insert(family.person))
      company[0] = .string("A")
      person[0] = .string("p")
      person[employer] = company
      let (oldCompany, oldPerson) = (company.objectID, person.objectID)
      try child.save()
      try parent.performAndWait { try parent.save() }
      func count(_ predicate: FetchPredicate) throws -> Value? {
        let request = DictionaryRequest(family.person, [.count("people")], where: predicate)
        return try child.fetchDictionaries(request).first?["people"]
      }
      #expect(try count(employer == oldCompany) == .int64(1))
      #expect(try count(employer != oldCompany) == .int64(0))
      let update = BatchRequest.update(
        family.person, where: employer == oldCompany, set: ["employer": .object(oldCompany)])
      #expect(try child.execute(update).count == 1)
      #expect(try count(employer == oldCompany) == .int64(1))
      #expect(try child.execute(.delete(family.company, objects: [oldCompany])).count == 1)
      let deletion = FetchRequest(family.person, where: .isSelf(oldPerson))
      #expect(try child.execute(.delete(deletion)).count == 1)
    }
  }

  // MARK: - Inserted rows

  // Semantics 76
  @Test func `a new row that updates an existing one leaves its relationships`() throws {
    let store = try FamilyStore()
    let family = store.family
    let company = try store.saved(family.company, ["name": .string("A")])
    let person = try store.saved(
      family.person,
      ["name": .string("old"), "email": .string("x"), "employer": .object(company)])
    let row = store.row(family.person, ["name": .string("new"), "email": .string("x")])
    var request = BatchRequest.insert(family.person, rows: [row])
    request.uniquenessRule = .update
    #expect(try store.coordinator.execute(request).count == 1)
    store.coordinator.forgetRows(of: [person])
    #expect(try store.value(person, "name") == .string("new"))
    #expect(try store.value(person, "employer") == .object(company))
    #expect(try store.related(company, "staff") == [person])
  }

  // Semantics 76, 121
  @Test func `a row that comes twice is listed once, in the result and in the history`() throws {
    let store = try FamilyStore { $0.keepsHistory = true }
    let person = store.family.person
    let old = try store.saved(person, ["name": .string("old"), "email": .string("x")])
    let start = try store.coordinator.currentHistoryToken()
    var request = BatchRequest.insert(
      person, objects: people(("a", "y"), ("b", "x"), ("c", "y"), ("d", "x")))
    request.uniquenessRule = .update
    request.returnsObjectIDs = true
    let result = try store.coordinator.execute(request)
    let ids = try #require(result.objectIDs)
    #expect(ids.map(\.primaryKey) == [1, 2] && ids[0] == old && result.count == 2)
    #expect(
      try store.coordinator.history(after: start).map(\.changes) == [
        [
          HistoryChange(objectID: ids[1], kind: .insert),
          HistoryChange(objectID: old, kind: .update, updatedProperties: ["name", "email"]),
        ]
      ])
    store.coordinator.forgetRows(of: ids)
    #expect(try ids.map { try store.value($0, "name") } == [.string("d"), .string("c")])
  }
}
