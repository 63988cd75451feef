import ObjectGraph
import Queues
import TestSupport
import Testing

// Ada moves to a place that turns out to be taken. The rows that she leads to are unchanged, so the
// save meets the uniqueness constraint, and no conflict of versions:
//
//   mine     ada.seat = 2 ───────────────────── save ─▶ constraint: the edit is dropped
//   file                     bob.seat = 2, by a batch request

@Suite("Edits that a uniqueness constraint drops") struct DroppedEditTests {
  private let store: TestStore
  private let mine: ManagedObjectContext
  private let department: Entity
  private let worker: Entity
  private let seat: Entity
  private let name: AttributeKey<String>
  private let number: AttributeKey<Int64>
  private let place: ToOneKey
  private let chair: ToOneKey
  private let staff: ToManyKey
  private let sitter: ToOneKey

  init() throws {
    department = try Entity(
      name: "Department", attributes: [AttributeDescription("title", .string)],
      relationships: [.toMany("staff", "Worker", inverse: "department")])
    worker = try Entity(
      name: "Worker",
      attributes: [AttributeDescription("name", .string), AttributeDescription("code", .string)],
      relationships: [
        .toOne("department", "Department", inverse: "staff"),
        .toOne("seat", "Seat", inverse: "worker"),
      ], uniquenessConstraints: [["code", "department"], ["seat"]])
    seat = try Entity(
      name: "Seat", attributes: [AttributeDescription("number", .int64)],
      relationships: [.toOne("worker", "Worker", inverse: "seat")])
    name = try AttributeKey("name", of: worker)
    number = try AttributeKey("number", of: seat)
    place = try ToOneKey("department", of: worker)
    chair = try ToOneKey("seat", of: worker)
    staff = try ToManyKey("staff", of: department)
    sitter = try ToOneKey("worker", of: seat)
    store = try TestStore(model: try Model([department, worker, seat]))
    mine = store.context("mine")
  }

  private struct Office {
    let ada: ManagedObject
    let departments: [ManagedObject]
    let seats: [ManagedObject]
  }

  /// Saves Ada, code A, in the first department and seat; and Bob, code B, in the second
  /// department.
  private func open() throws -> Office {
    let departments = ["Old", "New"].map { title -> ManagedObject in
      let object = mine.insert(department)
      object[0] = .string(title)
      return object
    }
    let seats = [1, 2].map { (number: Int64) -> ManagedObject in
      let object = mine.insert(seat)
      object[self.number] = number
      return object
    }
    let workers = zip(["Ada", "Bob"], ["A", "B"]).map { name, code -> ManagedObject in
      let object = mine.insert(worker)
      object[self.name] = name
      object[1] = .string(code)
      return object
    }
    for (worker, department) in zip(workers, departments) { worker[place] = department }
    workers[0][chair] = seats[0]
    try mine.save()
    return Office(ada: workers[0], departments: departments, seats: seats)
  }

  private func setBob(_ values: [String: Value]) throws {
    let request = BatchRequest.update(worker, where: name == "Bob", set: values)
    #expect(try mine.execute(request).count == 1)
  }

  private func staffNames(_ office: Office) -> [[String]] {
    office.departments.map { $0[staff].map { $0[name] } }
  }

  // Semantics 76
  @Test(arguments: [MergePolicy.storeTrump, .rollback])
  func `a dropped move keeps the members of both departments`(policy: MergePolicy) throws {
    try mine.performAndWait {
      mine.mergePolicy = policy
      let office = try open()
      #expect(staffNames(office) == [["Ada"], ["Bob"]])
      office.ada[place] = office.departments[1]
      try setBob(["code": .string("A")])
      try mine.save()
      #expect(office.ada[place] === office.departments[0])
      #expect(staffNames(office) == [["Ada"], ["Bob"]])
      #expect(!mine.hasChanges)
    }
  }

  // Semantics 76
  @Test(arguments: [MergePolicy.storeTrump, .rollback])
  func `a dropped move back to a deleted department follows its delete rule`(
    policy: MergePolicy
  ) throws {
    try mine.performAndWait {
      mine.mergePolicy = policy
      let office = try open()
      office.ada[place] = office.departments[1]
      mine.delete(office.departments[0])
      try setBob(["code": .string("A")])
      try mine.save()
      #expect(office.ada[place] == nil)
    }
    let stored = try store.reading { fresh in
      try fresh.fetch(FetchRequest(worker, where: name == "Ada")).map { $0[place] == nil }
    }
    #expect(stored == [true])
  }

  // Semantics 76
  @Test(arguments: [MergePolicy.storeTrump, .rollback])
  func `a dropped edit of a one-to-one relation is dropped on both sides`(
    policy: MergePolicy
  ) throws {
    try mine.performAndWait {
      mine.mergePolicy = policy
      let office = try open()
      office.ada[chair] = office.seats[1]
      try setBob(["seat": .object(office.seats[1].objectID)])
      try mine.save()
      #expect(office.ada[chair] === office.seats[0])
      #expect(office.seats.map { $0[sitter]?[name] } == ["Ada", nil])
      #expect(!mine.hasChanges)
    }
    let fresh = store.context("fresh")
    try fresh.performAndWait {
      let seats = try fresh.fetch(FetchRequest(seat, sortedBy: [number.ascending]))
      #expect(seats.map { $0[sitter]?[name] } == ["Ada", nil])
    }
  }
}

// A refresh keeps transient properties, which no store has:
// developer.apple.com/documentation/coredata/nsmanagedobjectcontext/refresh(_:mergechanges:)

@Suite("Transient values and conflicts") struct SettledTransientTests {
  private let store: TestStore
  private let mine: ManagedObjectContext

  init() throws {
    store = try TestStore(model: Company.model)
    mine = store.context("mine")
  }

  private func saveAda(isMoodSaved: Bool) throws -> ManagedObject {
    let ada = mine.hire("Ada")
    try mine.save()
    ada[Company.mood] = "tired"
    if isMoodSaved { try mine.save() }
    let theirs = store.context("theirs")
    _ = try theirs.saving { try #require(try theirs.person("Ada"))[Company.salary] = 2000 }
    return ada
  }

  // Semantics 70, 71, 72, 73
  @Test(arguments: MergePolicy.allCases.filter { $0 != .error }, [true, false])
  func `a settled conflict keeps transient values`(policy: MergePolicy, isMoodSaved: Bool) throws {
    try mine.performAndWait {
      mine.mergePolicy = policy
      let ada = try saveAda(isMoodSaved: isMoodSaved)
      ada[Company.salary] = 3000
      try mine.save()
      let isMine = policy == .objectTrump || policy == .overwrite
      #expect(ada[Company.salary] == (isMine ? 3000 : 2000))
      #expect(ada[Company.mood] == "tired" && !mine.hasChanges)
    }
  }

  // Semantics 70, 73
  @Test(arguments: [MergePolicy.storeTrump, .rollback], [true, false])
  func `a dropped deletion keeps transient values`(policy: MergePolicy, isMoodSaved: Bool) throws {
    try mine.performAndWait {
      mine.mergePolicy = policy
      let ada = try saveAda(isMoodSaved: isMoodSaved)
      mine.delete(ada)
      try mine.save()
      #expect(!ada.isDeleted && ada[Company.salary] == 2000)
      #expect(ada[Company.mood] == "tired" && !mine.hasChanges)
    }
  }
}
