import Baseline
import ObjectGraph
import SQLiteStore
import TestSupport
import Queues
import Testing
import Topologies

@Suite("Rows that arrive whole")
struct ArrivalTests {
  private static let peers = Topologies.builtIn.filter { $0.kind == .peer }
  private static let takers = Topologies.builtIn.filter { $0.refusal(of: [.constraint]) == nil }

  private func versions(_ bench: Bench) throws -> [Value: Int64] {
    let rows = try PlainReader(bench.file).rows(of: City.entity).map { ($0.values[0], $0.version) }
    return Dictionary(uniqueKeysWithValues: rows)
  }

  @Test(arguments: Variant.all, [Lookup.perBatch, .perObject])
  func `a new row is inserted, a different one is updated, an equal one is not written`(
    variant: Variant, lookup: Lookup
  ) async throws {
    try await Bench.with(variant.topology, variant.mode, lookup: lookup) { bench in
      let (new, changed) = (City.values(101, "aa"), City.values(2, "zz", population: 2))
      try await bench.topology.apply([
        .upsert(Bench.initial[0]), .upsert(changed), .upsert(new),
      ])
      try await bench.topology.settle()
      let expected = ([Bench.initial[0], changed, new] + Bench.initial.dropFirst(2))
        .sorted(by: Bench.isListed)
      #expect(try bench.stored() == expected)
      #expect(bench.shown() == expected)
      let versions = try versions(bench)
      let found: [Int64?] = [1, 2, 101].map { versions[.int64($0)] }
      #expect(found == [1, 2, 1])
    }
  }

  @Test(arguments: Variant.all, [Lookup.perBatch, .perObject])
  func `a row that arrives twice in a batch is one row with the last values`(
    variant: Variant, lookup: Lookup
  ) async throws {
    try await Bench.with(variant.topology, variant.mode, lookup: lookup) { bench in
      let (first, last) = (City.values(101, "first"), City.values(101, "last"))
      try await bench.topology.apply([
        .upsert(first), .upsert(first), .upsert(last), .upsert(City.values(3, "x")),
        .update(key: .int64(101), fields: [FieldChange(index: 2, value: .int64(5))]),
        .upsert(Bench.initial[2]),
      ])
      try await bench.topology.settle()
      let expected = (Bench.initial + [City.values(101, "last", population: 5)])
        .sorted(by: Bench.isListed)
      #expect(try bench.stored() == expected)
      #expect(bench.shown() == expected)
    }
  }

  @Test(arguments: Variant.all, [Lookup.perBatch, .perObject])
  func `a row that a batch deletes may arrive again in the same batch`(
    variant: Variant, lookup: Lookup
  ) async throws {
    let seventh = FetchPredicate.compare(0, .equal, .int64(7))
    try await Bench.with(variant.topology, variant.mode, lookup: lookup, deletion: seventh) {
      bench in
      let again = City.values(3, "again")
      try await bench.topology.apply([
        .delete(key: .int64(3)), .delete(key: .int64(5)), .upsert(again),
        .upsert(Bench.initial[4]), .deleteWhere(), .upsert(Bench.initial[6]),
        .upsert(City.values(101, "new")), .delete(key: .int64(101)),
        .upsert(City.values(101, "newer")),
      ])
      try await bench.topology.settle()
      let kept = Bench.initial.filter { $0[0] != .int64(3) }
      let expected = (kept + [again, City.values(101, "newer")]).sorted(by: Bench.isListed)
      #expect(try bench.stored() == expected)
      #expect(bench.shown() == expected)
    }
  }

  @Test(arguments: Variant.all)
  func `delete-where finds rows by text, and by lists longer than a statement's parameters`(
    variant: Variant
  ) async throws {
    let format = try FetchPredicate(format: "name ENDSWITH[c] '7'", City.entity, in: City.model)
    let keys = (Array(31...40) + Array(1000...6000)).map { Value.int64($0) }
    let sevens = [7, 17, 27, 37].map { Value.int64($0) }
    for (deletion, deleted) in [(format, sevens), (.isIn(0, ValueSet(keys)), keys)] {
      try await Bench.with(variant.topology, variant.mode, deletion: deletion) { bench in
        try await bench.topology.apply([.deleteWhere(), .insert(City.values(37, "again"))])
        try await bench.topology.settle()
        let kept = Bench.initial.filter { !deleted.contains($0[0]) }
        let expected = (kept + [City.values(37, "again")]).sorted(by: Bench.isListed)
        #expect(try bench.stored() == expected)
        #expect(bench.shown() == expected)
      }
    }
  }

  @Test(arguments: peers)
  func `a lookup of more keys than a statement's parameters finds the rows`(
    topology: TopologyDescriptor
  ) async throws {
    try await Bench.with(topology) { bench in
      // SQLite of Debian binds 250,000 values.
      let keys = (1...260_000).map { Value.int64($0) }
      let found = try bench.main.sync { try bench.topology.fetchOnMain(keys) }
      #expect(found == Bench.initial.count)
    }
  }

  private static func employee(_ code: String, _ name: String, salary: Int64) -> Change {
    let given: [String: Value] = [
      "name": .string(name), "salary": .int64(salary), "code": .string(code),
      "department": .string("Sales"),
    ]
    let row = Company.employee.columns.map { given[$0.name] ?? $0.attribute?.defaultValue ?? .null }
    return .upsert(ContiguousArray(row), of: CompanyBench.employees)
  }

  @Test(arguments: takers)
  func `a uniqueness constraint finds the row, and empty relations of an object empty the row's`(
    topology: TopologyDescriptor
  ) async throws {
    let company = try await CompanyBench.result(topology, lookup: .constraint) { context in
      let (ada, bob) = (context.hire("Ada"), context.hire("Bob"))
      (ada[Company.code], bob[Company.code]) = ("ADA", "BOB")
      ada[Company.dept] = context.found("Sales")
      ada[Company.boss] = bob
      ada.add(bob, to: Company.friends)
    } _: { bench in
      try await bench.topology.apply([
        Self.employee("ADA", "Ada II", salary: 7), Self.employee("CID", "Cid", salary: 8),
      ])
      try await bench.topology.apply([Self.employee("CID", "Cid", salary: 9)])
      try await bench.topology.apply([.insert([.string("Ops")])])
    }
    // SQL and a batch insert write only the columns that they are given.
    let keepsBoss = topology.kind == .peer || topology.name == "batch-insert"
    let boss = keepsBoss ? "Bob" : "-"
    #expect(
      company == [
        "Department Ops", "Department Sales",
        "Employee Ada II, 7 in Sales under \(boss), badge 0, friends [\"Bob\"], projects []",
        "Employee Bob, 1000 in - under -, badge 0, friends [\"Ada II\"], projects []",
        "Employee Cid, 9 in Sales under -, badge 0, friends [], projects []",
      ])
  }
}
