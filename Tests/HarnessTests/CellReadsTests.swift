import Foundation
import Measurement
import Testing
import Topologies
import Workload

@testable import Harness

/// The related values that a list's cells read.
@Suite(.timeLimit(.minutes(3)))
struct CellReadsTests {
  private let folder = TemporaryFolder()

  private func run(
    _ topology: TopologyDescriptor, reads: String, _ set: String...
  ) async throws -> CellResult {
    try await CellRunner.run(
      topology, of: "\(ScenarioLibrary.sourceTree)/Tests/Scenarios/ships.yaml",
      set: ["list.reads=\(reads)"] + set, in: folder
    ).result
  }

  private func scrolled(_ name: String, reads: String, _ set: String...) async throws -> Double {
    let result = try await CellRunner.run(
      .named(name), of: "\(ScenarioLibrary.sourceTree)/Tests/Scenarios/ships.yaml",
      set: ["list.reads=\(reads)"] + set, in: folder
    ).result
    #expect(result.status != .crashed && result.status != .wrong, "\(result.error)")
    return try #require(result.metrics[.scrollStatements])
  }

  /// New positions arrive, too, so the counts and the last positions change.
  @Test(arguments: Topologies.builtIn)
  func `cells read the related values that the rows of all entities give`(
    topology: TopologyDescriptor
  ) async throws {
    for reads in [
      "[flag.name, flag.bloc.name, flag.bloc.code]", "[positions.@count]",
      "[positions.last(time).latitude, positions.last(-latitude).number, flag.ships.@count]",
    ] {
      let result = try await run(topology, reads: reads)
      #expect(result.status != .crashed && result.status != .wrong, "\(reads): \(result.error)")
    }
  }

  @Test func `each related object that a cell reads is read by a statement of its own`()
    async throws
  {
    let none = try await scrolled("container", reads: "[]")
    let counts = try await scrolled("container", reads: "[positions.@count]")
    let last = try await scrolled("container", reads: "[positions.last(time).latitude]")
    // 20 ships at the end, 4 of them shown before the scroll, with 80 positions.
    #expect(counts >= none + 16, "\(none), \(counts)")
    #expect(last > counts + 16, "\(counts), \(last)")
  }

  @Test func `prefetching saves the statements of cells`() async throws {
    let reads = "[positions.last(time).latitude]"
    let plain = try await scrolled("container", reads: reads)
    let prefetching = try await scrolled("container", reads: reads, "list.prefetch=[positions]")
    #expect(prefetching < plain / 2, "\(plain), \(prefetching)")
  }

  @Test func `a list of lists sweeps what cells read`() throws {
    let file = "\(ScenarioLibrary.sourceTree)/Tests/Scenarios/ships.yaml"
    let swept = try Scenario.load(
      file: file, set: ["list.reads=[[], [flag.name], [flag.name, positions.@count]]"])
    #expect(swept.map(\.list.reads) == [[], ["flag.name"], ["flag.name", "positions.@count"]])
    #expect(Set(try swept.map { try Workload.make($0, seed: 1).digest }).count == 3)
    let one = try Scenario.load(file: file, set: ["list.reads=[flag.name, positions.@count]"])
    #expect(one.map(\.list.reads) == [["flag.name", "positions.@count"]])
  }

  @Test(arguments: [
    ("[name]", "name a relationship first"), ("[flag.nme]", "Did you mean 'name'?"),
    ("[positions.latitude]", "end with @count, or with last(ATTRIBUTE).latitude"),
    ("[flag.@count]", "needs a to-many relationship"), ("[owner.name]", "Known: "),
    ("[positions.last(tme).latitude]", "Did you mean 'time'?"),
  ])
  func `a path that leads nowhere names its field and what is known`(
    reads: String, text: String
  ) async throws {
    let message: String
    do {
      message = try await run(.named("container"), reads: reads).error
    } catch {
      message = "\(error)"
    }
    #expect(message.contains("list.reads") && message.contains(text), "\(message)")
  }

  @Test func `a topology whose cells read something else is wrong`() async throws {
    let broken = try TopologyDescriptor.changing { $0.related = [] }
    let result = try await run(broken, reads: "[flag.name]")
    #expect(result.status == .wrong, "\(result.error)")
  }
}
