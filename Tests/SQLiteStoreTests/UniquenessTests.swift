import Baseline
import GRDB
import ObjectGraph
import Testing

@testable import SQLiteStore

@Suite struct UniquenessTests {
  private func conflicts(_ body: () throws -> Void) throws -> [ConstraintConflict] {
    do {
      try body()
    } catch SaveError.constraint(let conflicts) {
      return conflicts
    }
    return []
  }

  private func conflict(
    _ entity: String, _ values: KeyValuePairs<String, Value>, _ objectID: ManagedObjectID,
    _ rowID: ManagedObjectID
  ) -> ConstraintConflict {
    ConstraintConflict(
      entity: entity, constraint: values.map(\.key), values: values.map(\.value),
      objectID: objectID, rowID: rowID)
  }

  // Semantics 76
  @Test(arguments: StoreMode.allCases)
  func `a save that repeats a unique value names both objects and writes nothing`(
    mode: StoreMode
  ) throws {
    let store = try FamilyStore(mode)
    let company = store.family.company
    let there = try store.saved(company, ["name": .string("A")])
    let new = store.insert(company, ["name": .string("A")])
    var request = SaveRequest()
    request.inserts = [store.insert(company, ["name": .string("B")]), new]
    let found = try conflicts { _ = try store.coordinator.save(request) }
    #expect(
      found == [conflict("Company", ["name": .string("A")], new.id, there)])
    #expect(
      "\(SaveError.constraint(found))"
        == "1 object(s) have values that must be unique and that another row has (Company: name = \"A\");"
        + " change them, or set a merge policy")
    #expect(try store.coordinator.count(FetchRequest(company)) == 1)
    let other = try store.saved(company, ["name": .string("C")])
    let update = try store.update(other, ["name": .string("A")])
    #expect(
      try conflicts { try store.save(update) }
        == [conflict("Company", ["name": .string("A")], other, there)])
    #expect(try store.value(other, "name") == .string("C"))
  }

  @Test func `a conflict of two new objects names their temporary IDs`() throws {
    let store = try FamilyStore()
    let inserts = ["A", "A"].map { store.insert(store.family.company, ["name": .string($0)]) }
    #expect(
      try conflicts { _ = try store.saved(inserts) }
        == [conflict("Company", ["name": .string("A")], inserts[1].id, inserts[0].id)])
  }

  @Test func `several rows can be null in a unique column`() throws {
    let store = try FamilyStore()
    let inserts = (0..<3).map { store.insert(store.family.person, ["name": .string("\($0)")]) }
    #expect(try store.saved(inserts).count == 3)
  }

  @Test func `a constraint applies to subentities but not to the parent`() throws {
    let store = try FamilyStore()
    let family = store.family
    let numbered: [String: Value] = ["name": .string("n"), "number": .int64(1)]
    let boss = try store.saved(family.boss, numbered.merging(["email": .string("x")]) { $1 })
    #expect(try store.saved(family.person, ["name": .string("n")]).primaryKey == 2)
    #expect(
      try store.saved(family.employee, ["name": .string("m"), "number": .int64(1)]).primaryKey == 3)
    let employee = store.insert(family.employee, numbered)
    #expect(
      try conflicts { _ = try store.saved([employee]) }
        == [conflict("Employee", ["number": .int64(1), "name": .string("n")], employee.id, boss)])
    let contractor = store.insert(family.contractor, ["name": .string("n"), "email": .string("x")])
    #expect(
      try conflicts { _ = try store.saved([contractor]) }
        == [conflict("Contractor", ["email": .string("x")], contractor.id, boss)])
  }

  @Test func `a unique value can move from a deleted row to a new one, and between two rows`()
    throws
  {
    let store = try FamilyStore()
    let company = store.family.company
    let ids = try store.saved(
      ["A", "B", "C"].map { store.insert(company, ["name": .string($0)]) })
    var request = SaveRequest()
    request.inserts = [store.insert(company, ["name": .string("C")])]
    request.deletes = [.init(id: ids[2], version: 1)]
    request.updates = [
      try store.update(ids[0], ["name": .string("B")]),
      try store.update(ids[1], ["name": .string("A")]),
    ]
    let new = try store.coordinator.save(request)
    let plain = try PlainReader(store.configuration.url).rows(of: company)
    #expect(plain.map(\.key) == [1, 2, 4])
    #expect(plain.map(\.values) == [[.string("B")], [.string("A")], [.string("C")]])
    #expect(plain.map(\.version) == [2, 2, 1])
    #expect(new.map(\.primaryKey) == [4])
    let last = store.insert(company, ["name": .string("B")])
    request = SaveRequest()
    request.inserts = [last]
    request.updates = [try store.update(ids[0], ["name": .string("A")])]
    #expect(
      try conflicts { _ = try store.coordinator.save(request) }.map(\.objectID)
        == [ids[0]])
  }

  // Semantics 76
  @Test func `a batch update names the values that two rows would have`() throws {
    let store = try FamilyStore()
    let family = store.family
    for (number, name) in [(1, "a"), (1, "b"), (2, "c")] as [(Int64, String)] {
      _ = try store.saved(family.employee, ["number": .int64(number), "name": .string(name)])
    }
    func update(_ entity: Entity, _ values: [String: Value]) throws {
      _ = try store.coordinator.execute(.update(entity, set: values))
    }
    #expect(throws: StoreError.notUnique(entity: "Person", values: ["email = \"x\""])) {
      try update(family.person, ["email": .string("x")])
    }
    let error = StoreError.notUnique(entity: "Employee", values: ["number", "name = \"z\""])
    #expect(throws: error) { try update(family.employee, ["name": .string("z")]) }
    #expect(
      "\(error)"
        == "the batch would give two rows of 'Employee' the same number, name = \"z\", which"
        + " must be unique; set other values, or fewer rows")
  }

  // Semantics 76
  @Test func `version conflicts are reported before constraint conflicts`() throws {
    let store = try FamilyStore()
    let company = store.family.company
    let ids = try store.saved(["A", "B"].map { store.insert(company, ["name": .string($0)]) })
    var request = SaveRequest()
    request.inserts = [store.insert(company, ["name": .string("A")])]
    request.updates = [try store.update(ids[1], ["name": .string("C")], version: 9)]
    let error = #expect(throws: SaveError.self) { try store.coordinator.save(request) }
    guard case .conflict(let conflicts)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(conflicts.map(\.id) == [ids[1]])
  }

  @Test func `a batch update names the values of a subentity's constraint`() throws {
    let store = try FamilyStore()
    for name in ["a", "b"] {
      _ = try store.saved(
        store.family.employee, ["number": .int64(1), "name": .string(name)])
    }
    #expect(
      throws: StoreError.notUnique(entity: "Employee", values: ["number", "name = \"z\""])
    ) {
      try store.coordinator.execute(.update(store.family.person, set: ["name": .string("z")]))
    }
  }
}
