import Foundation
import Measurement
import SQLiteStore
import Testing
import Workload

@testable import Harness

// A run of 4 topologies × 3 trials, interrupted with its files in every possible state.

@Suite struct InterruptedRunTests {
  let folder: TemporaryFolder
  let csv: URL
  let request: RunRequest
  let environment: MachineEnvironment

  init() throws {
    folder = TemporaryFolder()
    csv = folder.url.appendingPathComponent("a.csv")
    request = try Self.request(folder.url)
    environment = MachineEnvironment.sample(in: folder)
  }

  static func request(
    _ folder: URL, trials: Int = 3, seed: UInt64 = 1, topologies: [String] = ["a", "b", "c", "d"]
  ) throws -> RunRequest {
    let file = Scenario.fewCities
    let scenario = try #require(try Scenario.load(file: file, set: []).first)
    let variants = topologies.map { Variant(scenario: 0, topology: $0, store: .pool) }
    var request = RunRequest(
      scenarios: [RunScenario(scenario: scenario, digest: "digest")],
      plan: Plan(variants: variants, trials: trials, seed: 1), seed: seed, folder: folder,
      timeLimit: .seconds(1), executable: "/nowhere")
    request.runID = "the-run"
    return request
  }

  func document(_ cell: PlannedCell, _ status: CellStatus = .ok) -> CellDocument {
    let specification = CellSpecification(
      planned: cell, of: request.scenarios[0], runID: request.runID, seed: request.seed)
    var result = CellResult(specification, startedAt: "2026-01-01T00:00:00Z", status: status)
    result.error = status == .ok ? "" : "said \"no\", twice"
    result.metrics["total_ms"] = Double(cell.order)
    return CellDocument(specification: specification, result: result)
  }

  func leave(
    cells count: Int, status: CellStatus = .ok, edit: (inout MachineReading) -> Void = { _ in }
  ) throws {
    let results = try ResultsFile(path: csv.path, force: false)
    var environment = environment
    environment.run.id = request.runID
    edit(&environment.machine)
    try results.write(environment)
    for cell in request.plan.cells.prefix(count) { try results.append(document(cell, status)) }
  }

  func text() throws -> String { try String(contentsOf: csv, encoding: .utf8) }

  func write(_ text: some StringProtocol) throws { try Data(text.utf8).write(to: csv) }

  func file(_ name: String) -> URL { folder.url.appendingPathComponent(name) }

  private func takeUp(_ request: RunRequest? = nil) throws -> [Int] {
    let request = request ?? self.request
    let results = try ResultsFile(resuming: csv.path)
    let run = try InterruptedRun(reading: csv)
    try run.check(request, in: environment)
    _ = try results.take(up: run, in: environment)
    let done = Set(run.cells.map(\.order))
    return request.plan.cells.map(\.order).filter { !done.contains($0) }
  }

  func refusal(_ request: RunRequest? = nil, in now: MachineEnvironment? = nil) throws -> String {
    let before = try text()
    let error = #expect(throws: UsageError.self) {
      try InterruptedRun(reading: csv).check(request ?? self.request, in: now ?? environment)
    }
    #expect(try text() == before)
    return error?.description ?? ""
  }

  @Test func `finished cells are kept, and the others remain`() throws {
    try leave(cells: 5)
    let before = try text()
    #expect(try takeUp() == Array(6...12))
    #expect(try text() == before)
  }

  @Test func `a run without any file is begun`() throws {
    #expect(try takeUp() == Array(1...12))
    #expect(try text() == CellCSV.header)
    #expect(try takeUp() == Array(1...12))
  }

  @Test(arguments: [CellStatus.wrong, .crashed, .timeout, .suspect])
  func `a failed cell is a result and is not run again`(status: CellStatus) throws {
    try leave(cells: 2, status: status)
    #expect(try takeUp() == Array(3...12))
  }

  @Test func `a torn last row is restored from its document`() throws {
    try leave(cells: 3, status: .wrong)
    let whole = try text()
    let rowStart = CellCSV.endOfLastRow(in: Array(whole.utf8.dropLast()))
    for length in stride(from: rowStart, to: whole.utf8.count, by: 7) {
      try write(String(whole.utf8.prefix(length)) ?? "")
      #expect(try takeUp() == Array(4...12))
      #expect(try text() == whole)
    }
  }

  @Test func `a torn row without a complete document is measured again`() throws {
    try leave(cells: 3)
    let whole = try text()
    let last = request.plan.cells[2]
    let name = "0003-few-cities-\(last.variant.topology)-pool-\(last.trial).json"
    try Data(#"{"protocol":"#.utf8).write(to: file("a.cells/\(name)"))
    try write(whole.dropLast(4))
    #expect(try takeUp() == Array(3...12))
    #expect(try CellCSV.decode(text()).map(\.order) == [1, 2])
  }

  @Test func `a cell of whose document only the draft is left is measured again`() throws {
    try leave(cells: 3)
    let whole = try text()
    let last = request.plan.cells[2]
    let name = "a.cells/0003-few-cities-\(last.variant.topology)-pool-\(last.trial).json"
    try FileManager.default.moveItem(at: file(name), to: file(name + ".topobench-draft"))
    try write(
      String(whole.utf8.prefix(CellCSV.endOfLastRow(in: Array(whole.utf8.dropLast())))) ?? "")
    #expect(try takeUp() == Array(3...12))
    #expect(try CellCSV.decode(text()).map(\.order) == [1, 2])
  }

  @Test(arguments: [0, 1, 20])
  func `a torn header is written again`(length: Int) throws {
    try leave(cells: 0)
    try write(CellCSV.header.prefix(length))
    #expect(try takeUp() == Array(1...12))
    #expect(try text() == CellCSV.header)
  }

  @Test func `all rows are restored from documents if the CSV file is lost`() throws {
    try leave(cells: 4)
    let whole = try text()
    try FileManager.default.removeItem(at: csv)
    #expect(try takeUp() == Array(5...12))
    #expect(try text() == whole)
  }

  @Test func `the environment file records each resumption`() throws {
    try leave(cells: 1)
    _ = try takeUp()
    _ = try takeUp()
    let run = try InterruptedRun(reading: csv)
    #expect(run.environment?.run.resumptions?.count == 2)
    #expect(run.runID == "the-run")
  }

  @Test func `a run may be resumed with more trials`() throws {
    try leave(cells: 12)
    #expect(try takeUp(Self.request(folder.url, trials: 4)) == Array(13...16))
  }

  @Test func `a shard resumes its own rounds`() throws {
    let (first, second) = try (shard("1/2"), shard("2/2"))
    try leave(cells: 0)
    do {
      let results = try ResultsFile(resuming: csv.path)
      try results.append(document(second.plan.cells[0]))
    }
    #expect(try refusal(first).contains("which these options do not plan"))
    #expect(try takeUp(second) == [6, 7, 8])
  }

  private func shard(_ text: String) throws -> RunRequest {
    var request = try Self.request(folder.url)
    request.plan = request.plan.part(try #require(Shard(text)))
    return request
  }
}
