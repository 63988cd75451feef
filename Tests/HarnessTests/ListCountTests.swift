import Foundation
import Measurement
import ObjectGraph
import Queues
import Testing
import Topologies
import Workload

@testable import Harness

@Suite(.timeLimit(.minutes(2)))
struct ListCountTests {
  private let folder = TemporaryFolder()

  private func run(
    _ topology: TopologyDescriptor, set: [String],
    file: String = "\(ScenarioLibrary.sourceTree)/Tests/Scenarios/orders.yaml"
  ) async throws -> CellResult {
    try await CellRunner.run(topology, of: file, set: set, in: folder).result
  }

  @Test(arguments: Topologies.builtIn)
  func `all lists are delivered and hold the right rows, and without a list nothing is visible`(
    topology: TopologyDescriptor
  ) async throws {
    for set in [
      ["list.count=3"], ["list.count=3", "list.share_entity=false"], ["list.share_entity=false"],
      ["changes.unrelated=true", "list.count=2"],
    ] {
      let result = try await run(topology, set: set)
      #expect(result.status != .crashed && result.status != .wrong, "\(set): \(result.error)")
      if set.count == 1, set[0].hasSuffix("3") { #expect(result.metrics["visible_ms"] != nil) }
      #expect(result.metrics["main_deferred_ms"] != nil)
    }
    let result = try await run(topology, set: ["list.count=0"])
    #expect(result.status != .crashed && result.status != .wrong, "\(result.error)")
    #expect(result.metrics["visible_ms"] == nil && result.metrics["main_deferred_ms"] == nil)
    #expect(result.metrics["durable_ms"] != nil && result.metrics["main_list_changes"] == 0)
  }

  private static let apart = """
    name: apart
    asks: Does a save that no list shows cost main anything?
    entity: { name: Row, key: number, attributes: { number: int64, text: string } }
    others:
      Shown: { key: number, rows: 5 }
    model:
      Shown: { attributes: { number: int64, text: string } }
    generate: { rows: 10, updates: 6 }
    changes: { per_save: 2, unrelated: true }
    list: { count: 2 }
    repeat_for_ms: 0
    """

  /// Two live queries fetch after each of three saves.
  @Test(arguments: [("notification-merge", 0.0), ("swiftdata", 6), ("grdb-pool", 0)])
  func `saves that no list shows change no list, but make live queries fetch`(
    name: String, statements: Double
  ) async throws {
    let file = folder.url.appendingPathComponent("apart.yaml")
    try Data(Self.apart.utf8).write(to: file)
    let topology = try TopologyDescriptor.named(name)
    let result = try await run(topology, set: [], file: file.path)
    #expect(result.status != .crashed && result.status != .wrong, "\(result.error)")
    #expect(result.metrics["main_list_changes"] == 0)
    #expect(result.metrics["main_statements"] == statements)
  }

  @Test func `each list is told of each change`() async throws {
    let topology = try TopologyDescriptor.named("notification-merge")
    let one = try #require(try await run(topology, set: []).metrics["main_list_changes"])
    let three = try await run(topology, set: ["list.count=3"]).metrics["main_list_changes"]
    #expect(one > 0 && three == 3 * one)
  }

  @Test func `a row that another list lacks is wrong, and a missing list is an error`() async throws
  {
    let sound = try #require(Topologies.builtIn.first)
    let broken = TopologyDescriptor(
      name: "broken", wiring: "", summary: "", make: { OtherLists(try sound.make($0), lacks: 1) })
    let wrong = try await run(broken, set: ["list.count=2"])
    #expect(wrong.status == .wrong)
    #expect(wrong.error.contains("list 2 on main lacks 1 row(s)"), "\(wrong.error)")
    let oneList = TopologyDescriptor(
      name: "one-list", wiring: "", summary: "",
      make: { OtherLists(try sound.make($0), lacks: nil) })
    let missing = try await run(oneList, set: ["list.count=2"])
    #expect(missing.error.contains("'one-list' has 1 list(s), the scenario asks for 2"))
  }

  @Test(arguments: [
    "list.count=1", "list.batch_size=2", "list.where=title != 'x'", "asks_about=open",
  ])
  func `a row that an opened list lacks until the first save is wrong`(set: String) async throws {
    let sound = try #require(Topologies.builtIn.first)
    let late = TopologyDescriptor(
      name: "late", wiring: "", summary: "", make: { LateRow(try sound.make($0)) })
    let result = try await run(late, set: [set])
    #expect(result.status == .wrong)
    #expect(result.error.contains("when opened, "), "\(result.error)")
  }
}

/// Lists lack their last row until the first save.
private final class LateRow: PassingTopology {
  let sound: any Topology
  private let isComplete = Lock(false)

  init(_ sound: any Topology) { self.sound = sound }

  func apply(_ batch: ChangeBatch) async throws {
    isComplete.withLock { $0 = true }
    try await sound.apply(batch)
  }

  var lists: [any ListOnMain] {
    let missing = isComplete.withLock { $0 } ? 0 : 1
    return sound.lists.map { Shortened(list: $0, missing: missing) }
  }
}

/// The second list lacks its last rows, or is missing.
private final class OtherLists: PassingTopology {
  let sound: any Topology
  private let missing: Int?

  init(_ sound: any Topology, lacks missing: Int?) { (self.sound, self.missing) = (sound, missing) }

  var lists: [any ListOnMain] {
    [sound.list] + (missing.map { [Shortened(list: sound.lists[1], missing: $0)] } ?? [])
  }
}

private struct Shortened: ListOnMain {
  let list: any ListOnMain
  let missing: Int
  var count: Int { list.count - missing }
  func row(at index: Int) -> ContiguousArray<Value> { list.row(at: index) }
}
