import Foundation
import Measurement
import SQLiteStore
import Testing
import Workload

@testable import Harness

struct CellSpecificationTests {
  private static func specification(
    mostRepeats: Int? = nil, baselineRuns: Int? = nil
  ) -> CellSpecification {
    var specification = CellSpecification(
      runID: "run", scenarioFile: "none.yaml", scenario: "none", scenarioDigest: "",
      topology: "main-only", store: "pool", trial: 1, order: 1, seed: 1, folder: "")
    specification.mostRepeats = mostRepeats
    specification.baselineRuns = baselineRuns
    return specification
  }

  @Test(arguments: [
    (
      specification(baselineRuns: -1),
      "'baselineRuns' of the specification is -1; give 0 or more, or leave it out"
    ),
    (
      specification(mostRepeats: 0),
      "'mostRepeats' of the specification is 0; give 1 or more, or leave it out"
    ),
  ])
  func `a cell and its check refuse a number of runs that is too small`(
    specification: CellSpecification, reason: String
  ) async throws {
    let document = await CellRunner(topologies: []).run(specification)
    #expect(document.result.status == .crashed && document.result.error == reason)
    let check = CellCheck(
      of: try JSONEncoder().encode(specification), topobench: "1", gitSHA: "", topologies: [])
    #expect(check.problem == reason && check.scenarioDigest == nil)
  }

  @Test func `a line of a plan names no folder of the machine that planned it`() throws {
    let file = "\(ScenarioLibrary.sourceTree)/Scenarios/aged-store.yaml"
    let scenario = try #require(try Scenario.load(file: file, size: .smoke).first)
    let cell = PlannedCell(
      variant: Variant(scenario: 0, topology: "main-only", store: .pool), trial: 1, order: 1)
    let line = CellSpecification(
      planned: cell, of: RunScenario(scenario: scenario, digest: ""), runID: "run", seed: 1)
    #expect(line.folder.isEmpty && line.templates == nil)
  }

  @Test(arguments: [specification(), specification(mostRepeats: 1, baselineRuns: 0)])
  func `the smallest numbers of runs are allowed`(specification: CellSpecification) throws {
    try specification.validateRuns()
  }
}
