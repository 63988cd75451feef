import Support
import ObjectGraph
import Queues
import SQLiteStore
import TestSupport
import Testing
import Topologies

// The effects of a deletion:
//
//   Sales ──employees, cascade──▶ Ada ──badge, cascade──▶ 1
//     └────────────────────────▶ Mia ◀──boss, nullify── Cid, Dan
//     └──rooms, no action──▶ Attic      friends and projects: pairs are deleted

@Suite("Delete rules in every topology")
struct DeletedRowsTests {
  static let withoutObjects = Topologies.builtIn.filter {
    $0.kind == .peer || $0.name == "batch-insert"
  }

  private static func fill(_ context: ManagedObjectContext) {
    let (sales, ops) = (context.found("Sales"), context.found("Ops"))
    let mia = context.hire("Mia", as: Company.manager)
    let people = ["Ada", "Cid", "Dan"].map { context.hire($0) }
    for person in people { person[Company.code] = person[Company.name].uppercased() }
    for (person, department) in zip([mia] + people, [sales, sales, ops, ops]) {
      person[Company.dept] = department
    }
    for person in people { person[Company.boss] = mia }
    people[0].add(people[1], to: Company.friends)
    let project = context.found("X", Company.project)
    for person in people { person.add(project, to: Company.projects) }
    for (number, person) in people.enumerated() {
      let badge = context.insert(Company.badge)
      badge[Company.number] = Int64(number + 1)
      person[Company.badgeOf] = badge
    }
    context.found("Attic", Company.room)[Company.place] = sales
  }

  private static let withoutSales = [
    "Department Ops",
    "Employee Cid, 1000 in Ops under -, badge 2, friends [], projects [\"X\"]",
    "Employee Dan, 1000 in Ops under -, badge 3, friends [], projects [\"X\"]",
    "Project X", "Room Attic", "badge 2 of Cid", "badge 3 of Dan",
  ]

  @Test(arguments: Topologies.builtIn)
  func `delete-where applies cascade and nullify rules`(
    topology: TopologyDescriptor
  ) async throws {
    let company = try await CompanyBench.result(
      topology, deletion: Company.title == "Sales", fill: Self.fill
    ) { bench in
      try await bench.topology.apply([.deleteWhere()])
      try await bench.topology.settle()
      #expect(bench.shown() == ["\"Ops\""])
      // So a save of the row's older values would conflict.
      #expect(try bench.versions()["\"Dan\""] == 2)
    }
    #expect(company == Self.withoutSales)
  }

  @Test(arguments: Topologies.builtIn, [Lookup.perBatch, .perObject])
  func `a delete by key applies them too`(topology: TopologyDescriptor, lookup: Lookup) async throws
  {
    let company = try await CompanyBench.result(topology, lookup: lookup, fill: Self.fill) {
      bench in
      try await bench.topology.apply([
        .delete(key: .string("CID"), of: CompanyBench.employees), .delete(key: .string("Sales")),
      ])
    }
    #expect(company == Self.withoutSales.filter { !$0.contains("Cid") })
  }

  @Test(arguments: Topologies.builtIn)
  func `delete-where without a match changes nothing`(topology: TopologyDescriptor) async throws {
    let before = try await CompanyBench.result(topology, fill: Self.fill) { _ in }
    let after = try await CompanyBench.result(
      topology, deletion: Company.title == "Nowhere", fill: Self.fill
    ) { bench in
      try await bench.topology.apply([.deleteWhere()])
    }
    #expect(before == after && before.count == 11)
  }

  @Test(arguments: Topologies.builtIn)
  func `a deny rule leaves everything unchanged`(
    topology: TopologyDescriptor
  ) async throws {
    let denied = StoreError.deleteDenied(entity: "Employee", relationship: "contracts")
    let hasObjects = !Self.withoutObjects.contains { $0.name == topology.name }
    let fill = { (context: ManagedObjectContext) in
      Self.fill(context)
      let lease = context.found("Lease", Company.contract)
      lease[Company.party] = context.insertedObjects.first { $0[0] == .string("Ada") }
    }
    let before = try await CompanyBench.result(topology, fill: fill) { _ in }
    for change in [Change.deleteWhere(), .delete(key: .string("Sales"))] {
      let after = try await CompanyBench.result(
        topology, deletion: Company.title == "Sales", fill: fill
      ) { bench in
        let error = await #expect(throws: (any Error).self) {
          try await bench.topology.apply([change])
        }
        #expect(
          hasObjects ? (error as? SaveError)?.code == 1600 : error as? StoreError == denied,
          "\(String(describing: error))")
      }
      #expect(before == after && before.contains("contract Lease of Ada"))
    }
  }

  @Test(arguments: RandomRuns.seeds(12))
  func `peers and a batch request delete the same objects as a context`(seed: UInt64) async throws {
    let deletion = Company.title == "D0" || Company.title == "D2"
    let fill = { (context: ManagedObjectContext) in RandomCompany(seed).fill(context) }
    let model = try #require(Topologies.builtIn.first { $0.name == "notification-merge" })
    let expected = try await outcome(deleting: deletion, in: model, fill)
    for topology in Self.withoutObjects {
      let found = try await outcome(deleting: deletion, in: topology, fill)
      #expect(found == expected, "seed \(seed), \(topology.name)")
    }
  }

  private func outcome(
    deleting deletion: FetchPredicate, in topology: TopologyDescriptor,
    _ fill: (ManagedObjectContext) throws -> Void
  ) async throws -> [String] {
    var code = 0
    let company = try await CompanyBench.result(topology, deletion: deletion, fill: fill) { bench in
      do {
        try await bench.topology.apply([.deleteWhere()])
      } catch let error as SaveError {
        code = error.code == 1560 ? 1600 : error.code
      } catch let error as StoreError {
        code = error.code ?? -1
      }
    }
    return ["\(code)"] + company
  }
}

/// People in four departments with random relationships. One in six companies has a contract.
private struct RandomCompany {
  private let seed: UInt64

  init(_ seed: UInt64) { self.seed = seed }

  func fill(_ context: ManagedObjectContext) {
    var random = SplitMix64(seed: seed)
    let departments = (0..<4).map { context.found("D\($0)") }
    let projects = (0..<3).map { context.found("P\($0)", Company.project) }
    let people = (0..<12).map { number in
      context.hire("E\(number)", as: random.chance(4) ? Company.manager : Company.employee)
    }
    for (number, person) in people.enumerated() {
      if !random.chance(4) { person[Company.dept] = departments[number % 4] }
      if random.chance(2) { person[Company.boss] = random.pick(people) }
      if random.chance(2) { person.add(random.pick(people), to: Company.friends) }
      if random.chance(2) { person.add(random.pick(projects), to: Company.projects) }
      if random.chance(2) {
        let badge = context.insert(Company.badge)
        badge[Company.number] = Int64(number)
        person[Company.badgeOf] = badge
      }
    }
    for (number, department) in departments.enumerated() {
      context.found("R\(number)", Company.room)[Company.place] = department
    }
    if random.chance(6) {
      context.found("C", Company.contract)[Company.party] = random.pick(people)
    }
  }
}
