import Foundation
import Measurement
import Testing
import Topologies
import Workload

@testable import Harness

/// A list in sections, in every topology that can make them.
@Suite(.timeLimit(.minutes(3)))
struct SectionsTests {
  private let folder = TemporaryFolder()

  /// Rows that change move between classes and months, so sections appear and go.
  private func run(_ topology: TopologyDescriptor, _ set: String...) async throws -> CellResult {
    try await CellRunner.run(
      topology, of: "\(ScenarioLibrary.sourceTree)/Tests/Scenarios/ships.yaml",
      set: ["asks_about=open"] + set, in: folder
    ).result
  }

  @Test(arguments: Topologies.builtIn)
  func `sections hold the rows that belong to them, or the topology says why it has none`(
    topology: TopologyDescriptor
  ) async throws {
    for (kind, section, sort) in [
      (WorkKind.sections, "class", "[name]"), (.computedSections, "{month_of: built}", "[-built]"),
    ] {
      let result = try await run(topology, "list.section_by=\(section)", "list.sort=\(sort)")
      if let reason = topology.refusals[.sections] ?? topology.refusals[kind] {
        #expect(result.error.contains(reason), "\(result.error)")
      } else {
        #expect(
          result.status != .crashed && result.status != .wrong, "\(section): \(result.error)")
      }
    }
  }

  @Test(arguments: Topologies.builtIn.filter { $0.refusals[.batches] == nil })
  func `sections of a list with batches hold the rows that belong to them`(
    topology: TopologyDescriptor
  ) async throws {
    for section in ["class", "{month_of: built}"] {
      let result = try await run(
        topology, "list.section_by=\(section)", "list.batch_size=3", "changes.second_worker=2")
      #expect(result.status != .crashed && result.status != .wrong, "\(section): \(result.error)")
    }
  }

  /// The store counts sections by an attribute. A computed one is known by its object alone.
  @Test func `computed sections read every row of a list with batches`() async throws {
    let topology = try TopologyDescriptor.named("container")
    func opened(_ section: String) async throws -> (statements: Double, rows: Double) {
      let result = try await run(
        topology, "list.section_by=\(section)", "list.batch_size=5", "list.sort=[built]")
      return (
        try #require(result.metrics[.openStatements]), try #require(result.metrics[.openRowsRead])
      )
    }
    let none = try await opened("none")
    let month = try await opened("{month_of: built}")
    // 20 rows, 4 of them shown.
    #expect(month.statements == none.statements + 3)
    #expect(month.rows == none.rows + 15)
  }

  @Test func `a list without its sections is wrong`() async throws {
    let broken = try TopologyDescriptor.changing { $0.sections = nil }
    let result = try await run(broken, "list.section_by=class")
    #expect(result.status == .wrong && result.error.contains("sections"), "\(result.error)")
  }

  @Test(arguments: [
    (["list.section_by=nothing"], "unknown attribute 'nothing'"),
    (["list.section_by={month_of: name}"], "'name' is no date"),
    (["list.section_by={year_of: built}"], "month_of"),
    (["list.section_by=class", "list.sort=[name, class]"], "must begin with 'class'"),
    (["list.section_by=class", "list.count=0", "asks_about=change"], "no list shows the rows"),
  ])
  func `a section that cannot be made names its field`(set: [String], text: String) throws {
    let file = "\(ScenarioLibrary.sourceTree)/Tests/Scenarios/ships.yaml"
    do {
      _ = try Scenario.load(file: file, set: set)
      Issue.record("accepted: \(set)")
    } catch {
      #expect("\(error)".contains("list.s") && "\(error)".contains(text), "\(error)")
    }
  }

  @Test func `sections change the digest, and can be swept`() throws {
    let file = "\(ScenarioLibrary.sourceTree)/Tests/Scenarios/ships.yaml"
    let swept = try Scenario.load(
      file: file, set: ["list.section_by=[none, class, {month_of: built}]"])
    #expect(Set(try swept.map { try Workload.make($0, seed: 1).digest }).count == 3)
    #expect(swept.map(\.list.order.terms.first?.attribute) == [1, 3, 2])
  }
}
