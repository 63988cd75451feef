import Foundation
import GRDB
import Measurement
import ObjectGraph
import Repeats
import SQLiteStore
import Support
import Testing
import Topologies
import Workload

@testable import Harness

/// Stores of an older version of the model, which the opening migrates.
@Suite(.timeLimit(.minutes(2)))
struct MigratedStoreTests {
  private let folder = TemporaryFolder()
  private static let file = "\(ScenarioLibrary.sourceTree)/Tests/Scenarios/updated-clubs.yaml"

  private static let migrating = Topologies.builtIn.filter { $0.refusal(of: [.migration]) == nil }

  private func run(_ topology: TopologyDescriptor, _ set: String...) async throws -> CellResult {
    try await CellRunner.run(topology, of: Self.file, set: set, in: folder).result
  }

  /// Opened alone, and after the changes, with the rows of the current version.
  @Test(arguments: migrating, ["main", "background"])
  func `a store of the previous version has the rows of the current one once it is open`(
    topology: TopologyDescriptor, thread: String
  ) async throws {
    let result = try await run(topology, "store.opens_on=\(thread)")
    #expect([.ok, .suspect].contains(result.status), "\(result.error)")
    let current = try await run(topology, "store.version=current")
    #expect(result.fingerprint == current.fingerprint && result.fingerprint != "")
  }

  @Test func `the template is of the previous version, and no topology opens it unmigrated`()
    async throws
  {
    let sound = try TopologyDescriptor.named("container")
    let columns = Columns()
    let broken = TopologyDescriptor(
      name: "broken", wiring: "", summary: "",
      make: { environment in
        let database = try DatabaseQueue(path: environment.store.path)
        columns.names = try database.read { try $0.columns(in: "ZMEMBER").map(\.name) }
        columns.hasTown = try database.read { try $0.tableExists("ZTOWN") }
        columns.nulls = try database.read {
          try Int.fetchOne($0, sql: "SELECT count(*) FROM ZMEMBER WHERE ZRANK IS NULL") ?? 0
        }
        try database.close()
        #expect(environment.migratesStore)
        return try sound.make(
          TopologyEnvironment(
            store: environment.store, storeMode: environment.storeMode, model: environment.model,
            entity: environment.entity, keyIndex: environment.keyIndex,
            rowEntities: environment.rowEntities, mainQueue: environment.mainQueue,
            lists: environment.lists, lookup: environment.lookup, realised: environment.realised))
      })
    let result = try await run(broken)
    #expect(result.status == .crashed && result.error.contains("another model"), "\(result.error)")
    #expect(columns.names.contains("ZCALLED") && columns.names.contains("ZRANK"))
    for name in ["ZNAME", "ZLEVEL", "ZNOTE", "ZAGE", "ZTOWN"] {
      #expect(!columns.names.contains(name), "\(name)")
    }
    #expect(!columns.hasTown && columns.nulls > 0)
  }

  @Test func `a change that no migration can follow is refused at its line`() throws {
    let yaml = try String(contentsOfFile: Self.file, encoding: .utf8)
      .replacing("note: string?", with: "note: string")
    let scenario = try #require(
      try Scenario.decode(yaml: yaml, file: "updated-clubs.yaml", set: []).first)
    let error = #expect(throws: InputError.self) { try StoreModel(scenario) }
    #expect(
      error?.description == "updated-clubs.yaml:35: field 'store.changes_since': no migration can"
        + " follow: 'Member.note' must have a value now, and older rows may have none;"
        + " give it a default")
  }

  @Test func `topologies without contexts are left out, with the reason`() throws {
    let refused = Topologies.builtIn.filter { $0.refusal(of: [.migration]) != nil }
    #expect(refused.map(\.kind) == [.peer, .peer, .peer, .peer])
    let scenario = try #require(try Scenario.load(file: Self.file).first)
    #expect(scenario.workKinds.contains(.migration))
    let current = try Scenario.load(file: Self.file, set: ["store.version=current"])
    #expect(!current[0].workKinds.contains(.migration))
  }
}

// @unchecked: written on the main thread only, while the test waits.
private final class Columns: @unchecked Sendable {
  var names: [String] = []
  var hasTown = true
  var nulls = 0
}
