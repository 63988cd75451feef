import Baseline
import Foundation
import Measurement
import ObjectGraph
import Queues
import SQLiteStore
import Testing
import Topologies
import Workload

@testable import Harness
@testable import Repeats

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

  @Test func `a rate's events are not cut by a rounded product`() {
    #expect(0.29 * 100 < 29 && 0.29.events(in: .seconds(100)) == 29)
    #expect(2.5.events(in: .seconds(1)) == 2 && 0.0.events(in: .seconds(9)) == 0)
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

struct SharedTemplateTests {
  @Test func `the template of an old store is made once a run`() throws {
    let file = "\(ScenarioLibrary.sourceTree)/Scenarios/aged-store.yaml"
    let scenario = try #require(try Scenario.load(file: file, size: .smoke).first)
    let cell = try PreparedCell(
      Workload.make(scenario, seed: 1), topology: try #require(Topologies.builtIn.first),
      storeMode: .pool)
    let run = TemporaryFolder()
    for _ in 1...2 {
      let folder = TemporaryFolder()
      _ = try CellFiles(folder.url, cell: cell, sharing: run.url).freshStore()
      let template = folder.url.appendingPathComponent("template.sqlite").path
      #expect(!FileManager.default.fileExists(atPath: template))
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: run.url.path)
        == ["template-\(cell.workload.digest).sqlite"])
  }
}

struct ListVerificationTests {
  private struct Listed: ListOnMain {
    let rows: [ContiguousArray<Value>]
    var count: Int { rows.count }
    func row(at index: Int) -> ContiguousArray<Value> { rows[index] }
  }

  private static func cell() throws -> PreparedCell {
    let file = "\(ScenarioLibrary.sourceTree)/Scenarios/million.yaml"
    let scenario = try #require(try Scenario.load(file: file, size: .smoke).first)
    return try PreparedCell(
      Workload.make(scenario, seed: 1), topology: try #require(Topologies.builtIn.first),
      storeMode: .pool)
  }

  @Test func `a kept store holds the rows after the changes`() async throws {
    let folder = TemporaryFolder()
    let kept = folder.url.appendingPathComponent("kept.sqlite")
    let topology = try #require(Topologies.builtIn.first)
    let document = try await CellRunner.run(topology, of: Scenario.fewCities, in: folder) {
      $0.keepStore = kept.path
    }
    let scenario = try #require(try Scenario.load(file: Scenario.fewCities).first)
    let cell = try PreparedCell(
      Workload.make(scenario, seed: 1), topology: topology, storeMode: .pool)
    let found = try StoreVerification(cell, Expectation(cell, edits: 0), store: kept, lists: [])
    #expect(found.wrong == nil)
    #expect(found.fingerprint == document.result.fingerprint)
  }

  @Test func `what differs in a list is named, also after its rows were let go`() throws {
    let cell = try Self.cell()
    let folder = TemporaryFolder()
    let files = try CellFiles(folder.url, cell: cell)
    let store = try files.freshStore()
    _ = try RawSQLite(
      StoreConfiguration(url: store, mode: .pool), model: cell.model.model,
      rows: cell.model.tables.map(\.rowEntity), lookup: cell.scenario.find
    ).run(cell.effects)
    let table = cell.model.tables[0]
    let right = cell.workload.inListOrder(cell.workload.expectedRows).map(table.values)
    let expectation = Expectation(cell, edits: 0)
    cell.workload.freeRows()

    func wrong(_ rows: [ContiguousArray<Value>]) throws -> String? {
      let differing = expectation.differingRows(of: Listed(rows: rows), ofTable: 0, cell)
      return try StoreVerification(cell, expectation, store: store, lists: [differing]).wrong
    }
    #expect(try wrong(right) == nil)
    #expect(
      try wrong(Array(right.dropLast()))?.hasPrefix("the list on main lacks 1 row(s)") == true)
    #expect(
      try wrong(right.reversed()) == "the list on main holds the right rows in the wrong order")
    var changed = right
    changed[3][table.columns[4]] = .double(-1)
    #expect(try wrong(changed)?.contains("holds 1 row(s) with other values") == true)
  }
}

@Suite("The two clocks of a cell")
struct ClockAgreementTests {
  private func clocks(lateBeats: Int = 0, unexplained: Int64 = 0) -> ClockAgreement {
    let recorder = MainRecorder(clock: ManualClock())
    recorder.open(at: Instant(nanoseconds: 0))
    var recording = recorder.close(at: Instant(nanoseconds: 0))
    recording.disagreements = lateBeats
    recording.unexplained = unexplained * 1_000_000
    return ClockAgreement(recording)
  }

  @Test func `one late beat is a disagreement`() {
    #expect(clocks().holds)
    #expect(!clocks(lateBeats: 1, unexplained: 2).holds)
  }

  @Test func `the repeats of a cell are added up`() {
    let cell = ClockAgreement([clocks(lateBeats: 2, unexplained: 2), clocks(), clocks()])
    #expect(cell.lateBeats == 2)
    #expect(!cell.holds)
    #expect(
      cell.doubt == "2 beat(s) were answered too long after the gap that they came due in, which"
        + " leaves 2.0 ms of main's time unexplained")
  }
}
