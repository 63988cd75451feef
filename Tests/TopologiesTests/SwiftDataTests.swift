import ObjectGraph
import Queues
import SQLiteStore
import TestSupport
import Testing
import Topologies

@Suite("Live queries as in SwiftData")
struct SwiftDataTests {
  private static func descriptor(_ name: String = "swiftdata") throws -> TopologyDescriptor {
    try #require(Topologies.builtIn.first { $0.name == name })
  }

  private static func edit(_ population: Int64) -> Change {
    .update(key: .int64(20), fields: [FieldChange(index: 2, value: .int64(population))])
  }

  @Test func `a save makes the query fetch all its rows, and refresh the newer ones`() async throws
  {
    try await Bench.with(try Self.descriptor()) { bench in
      bench.main.sync { bench.main.openWindow() }
      try await bench.topology.apply(Stream.batches[0])
      try await bench.topology.settle()
      let counts = bench.main.sync { bench.main.closeWindow() }.counts
      // 40 rows, with one deleted and two inserted.
      #expect(counts[.statements] == 1 && counts[.rowsRead] == 41)
      #expect(counts[.objectsRefreshed] == 2 && counts[.faultsFired] == nil)
      #expect(counts[.listChanges] == nil)
    }
  }

  @Test func `a query fetches again after a save of another entity`() async throws {
    _ = try await CompanyBench.result(try Self.descriptor()) { context in
      _ = context.found("Sales")
      context.hire("Ada")[Company.code] = "ADA"
    } _: { bench in
      bench.main.sync { bench.main.openWindow() }
      try await bench.topology.apply([CompanyBench.raise])
      try await bench.topology.settle()
      let counts = bench.main.sync { bench.main.closeWindow() }.counts
      #expect(counts[.statements] == 1 && counts[.rowsRead] == 1)
      #expect(counts[.objectsRefreshed, default: 0] == 0)
    }
  }

  @Test(arguments: ["swiftdata", "swiftdata-autosave"])
  func `main's own save makes the query fetch too, at once or in a later block`(
    name: String
  ) async throws {
    try await Bench.with(try Self.descriptor(name)) { bench in
      let topology = bench.topology
      let before = topology.lastCommit
      bench.main.sync { bench.main.openWindow() }
      try bench.main.sync {
        try topology.editOnMain([Self.edit(1)])
        try topology.editOnMain([Self.edit(2)])
        #expect((topology.lastCommit == before) == (name == "swiftdata-autosave"))
      }
      try await topology.settle()
      let counts = bench.main.sync { bench.main.closeWindow() }.counts
      #expect(counts[.commits] == (name == "swiftdata-autosave" ? 1 : 2))
      #expect(try bench.stored().contains { $0[0] == .int64(20) && $0[2] == .int64(2) })
    }
  }

  /// The user looked up row 7, which is updated, and row 5, which is deleted.
  @Test(arguments: [("swiftdata", 1), ("notification-merge", 0)])
  func `an object that the query no longer returns stays stale`(
    name: String, expected: Int
  ) async throws {
    try await Bench.with(try Self.descriptor(name)) { bench in
      let topology = bench.topology
      _ = try bench.main.sync { try topology.fetchOnMain([.int64(5), .int64(7)]) }
      try await topology.apply(Stream.batches[0])
      try await topology.settle()
      #expect(try bench.main.sync { try topology.staleObjectsOnMain() } == expected)
    }
  }

  @Test(arguments: [("swiftdata", 1), ("notification-merge", 0)])
  func `an object that no query returns stays stale after an update`(
    name: String, expected: Int
  ) async throws {
    _ = try await CompanyBench.result(try Self.descriptor(name)) { context in
      context.hire("Ada")[Company.code] = "ADA"
    } _: { bench in
      let topology = try #require(bench.topology as? any ContextTopology)
      let held = try bench.main.sync {
        let people = try topology.main.fetch(FetchRequest(Company.employee))
        for person in people { person.fireFault() }
        return people
      }
      try await topology.apply([CompanyBench.raise])
      try await topology.settle()
      #expect(try bench.main.sync { try topology.staleObjectsOnMain() } == expected)
      withExtendedLifetime(held) {}
    }
  }
}

extension CompanyBench {
  fileprivate static let raise = Change.update(
    key: .string("ADA"), fields: [FieldChange(index: Company.salary.index, value: .int64(7))],
    of: employees)
}
