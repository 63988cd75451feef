import ObjectGraph
import Queues
import SQLiteStore
import TestSupport
import Testing
import Topologies

/// SwiftData's behaviour as its users report it.
@Suite("Live queries as in SwiftData")
struct SwiftDataTests {
  private static func descriptor(_ name: String = "swiftdata") throws -> TopologyDescriptor {
    try #require(Topologies.builtIn.first { $0.name == name })
  }

  private static let edit = Change.update(
    key: .int64(20), fields: [FieldChange(index: 2, value: .int64(1))])

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
        try topology.editOnMain([Self.edit])
        try topology.editOnMain([Self.edit])
        #expect((topology.lastCommit == before) == (name == "swiftdata-autosave"))
      }
      try await topology.settle()
      let counts = bench.main.sync { bench.main.closeWindow() }.counts
      #expect(counts[.commits] == (name == "swiftdata-autosave" ? 1 : 2))
      #expect(try bench.stored().contains { $0[0] == .int64(20) && $0[2] == .int64(1) })
    }
  }
}

extension CompanyBench {
  fileprivate static let raise = Change.of(
    employees,
    .update(
      key: .string("ADA"),
      fields: [FieldChange(index: Company.salary.index, value: .int64(7))]))
}
