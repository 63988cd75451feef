import DataModel
import Foundation
import Measurement
import Queues
import SQLiteStore
import Support
import Testing
import Topologies
import Workload

@testable import Harness

/// Deletions of owners, with the rules that the model gives them.
@Suite(.timeLimit(.minutes(3)))
struct RuledDeletionTests {
  private let folder = TemporaryFolder()
  private static let shelves = "\(ScenarioLibrary.sourceTree)/Tests/Scenarios/shelves.yaml"

  private func run(
    _ topology: TopologyDescriptor, of file: String = RuledDeletionTests.shelves, _ set: [String]
  ) async throws -> CellResult {
    try await CellRunner.run(topology, of: file, set: set, in: folder).result
  }

  @Test(arguments: Topologies.builtIn, ["incremental", "arrivals"])
  func `every topology ends with the rows that the rules leave`(
    topology: TopologyDescriptor, stream: String
  ) async throws {
    for set in [["worker.find=per-batch"], ["worker.find=per-object", "changes.per_save=7"]] {
      let result = try await run(topology, ["changes.stream=\(stream)"] + set)
      #expect([.ok, .suspect].contains(result.status), "\(set): \(result.error)")
      #expect(result.metrics[.orphans] == nil)
    }
  }

  @Test(arguments: Topologies.builtIn.filter { $0.kind == .peer }, ["incremental", "arrivals"])
  func `a peer is handed owners, and no row that a rule deletes`(
    peer: TopologyDescriptor, stream: String
  ) async throws {
    let set = ["changes.stream=\(stream)"]
    let handed = Lock<Set<Change>>([])
    let noting = TopologyDescriptor(
      name: peer.name, wiring: "", summary: "", kind: .peer, fixedStoreMode: peer.fixedStoreMode,
      make: { NotingTopology(try peer.make($0), handed) })
    let result = try await run(noting, set)
    #expect([.ok, .suspect].contains(result.status), "\(result.error)")
    let scenario = try #require(try Scenario.load(file: Self.shelves, set: set).first)
    let workload = try Workload.make(scenario, seed: 1)
    let owners = Set(workload.batches.flatMap(\.changes).filter(\.isDelete))
    let gone = Set(workload.effects.joined().filter(\.isDelete))
    #expect(owners.isStrictSubset(of: gone))
    #expect(handed.withLock { $0.filter(\.isDelete) } == owners)
  }

  /// The expected rows come from `RuledRows`, which shares no code with contexts and peers.
  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `contexts and peers leave the expected rows by random rules`(seed: UInt64) async throws {
    let file = try shelvesWithRandomRules(seed: seed)
    for name in ["notification-merge", "sqlite-direct"] {
      let result = try await run(.named(name), of: file, ["generate.seed=\(seed)"])
      #expect(
        [.ok, .suspect].contains(result.status), "seed \(seed), \(name): \(result.error)")
      // The scenario itself deletes 19.
      #expect(result.deletes ?? 0 > 19)
    }
  }

  /// Each relationship cascades or nullifies.
  private func shelvesWithRandomRules(seed: UInt64) throws -> String {
    var random = SplitMix64(seed: seed)
    let yaml = try String(contentsOfFile: Self.shelves, encoding: .utf8)
    let lines = yaml.split(separator: "\n", omittingEmptySubsequences: false).map {
      line -> String in
      guard line.contains("inverse: ") else { return String(line) }
      let plain = line.replacing(", delete_rule: cascade", with: "")
        .replacing(", optional: false", with: "")
      return String(
        random.nextBool()
          ? plain.replacing("inverse: ", with: "delete_rule: cascade, inverse: ") : plain)
    }
    let file = folder.path("shelves.yaml")
    try lines.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
    return file
  }

  @Test func `a topology that skips rules is wrong where they run`() async throws {
    let sound = try TopologyDescriptor.named("batch-insert")
    let careless = TopologyDescriptor(
      name: "careless", wiring: "", summary: "",
      make: { try sound.make($0.withoutRules) })
    let result = try await run(careless, [])
    #expect(result.status == .wrong, "\(result.error)")
  }

  @Test(arguments: Topologies.builtIn)
  func `a batch request leaves orphans, and other topologies refuse that`(
    topology: TopologyDescriptor
  ) async throws {
    let result = try await run(topology, ["changes.deletions=without-rules"])
    if topology.name == "batch-insert" {
      #expect([.ok, .suspect].contains(result.status), "\(result.error)")
      #expect(result.metrics[.orphans] ?? 0 > 20)
    } else {
      #expect(result.error.contains("deletions without rules"), "\(result.error)")
    }
  }
}

/// Notes the changes that it is handed.
private final class NotingTopology: PassingTopology {
  let sound: any Topology
  private let handed: Lock<Set<Change>>

  init(_ sound: any Topology, _ handed: Lock<Set<Change>>) {
    (self.sound, self.handed) = (sound, handed)
  }

  func apply(_ batch: ChangeBatch) async throws {
    handed.withLock { $0.formUnion(batch.changes) }
    try await sound.apply(batch)
  }
}

extension TopologyEnvironment {
  fileprivate var withoutRules: TopologyEnvironment {
    TopologyEnvironment(
      store: store, storeMode: storeMode, model: model, entity: entity, keyIndex: keyIndex,
      rowEntities: rowEntities, mainQueue: mainQueue, lists: lists, lookup: lookup,
      realised: realised, runsDeleteRules: false)
  }
}
