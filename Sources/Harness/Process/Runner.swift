package import Foundation
package import Judging
package import Measurement
import SQLiteStore
import Topologies
package import Workload

package struct RunScenario: Sendable {
  package let scenario: Scenario
  package let digest: String

  package init(scenario: Scenario, digest: String) {
    self.scenario = scenario
    self.digest = digest
  }

  package func key(of variant: Variant) -> CellKey {
    CellKey(
      scenario: scenario.name, digest: digest, parameters: scenario.parametersJSON,
      topology: variant.topology, store: variant.store.rawValue)
  }
}

package struct RunRequest: Sendable {
  package var scenarios: [RunScenario]
  package var plan: Plan
  package var seed: UInt64
  /// Identifies the run in every CSV row. A resumed run keeps its ID.
  package var runID = UUID().uuidString.lowercased()
  package var label = ""
  package var gitSHA = ""
  /// An existing folder.
  package var folder: URL
  package var keepStores: URL?
  package var recordBeside: URL?
  package var timeLimit: Duration
  /// Runs a cell when its first argument is `cell`.
  package var executable: String
  /// The slices to count beside all instructions; nil to measure times.
  package var countedParts: [String]?
  package var callgrind: Callgrind?

  package init(
    scenarios: [RunScenario], plan: Plan, seed: UInt64, folder: URL, timeLimit: Duration,
    executable: String
  ) {
    self.scenarios = scenarios
    self.plan = plan
    self.seed = seed
    self.folder = folder
    self.timeLimit = timeLimit
    self.executable = executable
  }

  fileprivate func key(of cell: PlannedCell) -> CellKey {
    scenarios[cell.variant.scenario].key(of: cell.variant)
  }
}

/// Observes a run, from the process that starts the cells. It is called between cells, while none
/// runs.
package protocol CellObserver: Sendable {
  /// - Parameters:
  ///   - cells: one for each cell.
  ///   - finished: the cells that need not run again.
  func planned(_ cells: [CellKey], finished: [CellResult])

  func began(_ cell: CellKey)

  /// Called when the row is on disk.
  func ended(_ cell: CellKey, as result: CellResult)
}

package struct Runner {
  private let request: RunRequest
  private let results: ResultsFile
  private let interrupts: Interrupts
  private let finished: [CellResult]
  private let observer: (any CellObserver)?
  private let kept: () throws -> Void

  /// - Parameter kept: called when a cell's row is on disk.
  package init(
    _ request: RunRequest, results: ResultsFile, interrupts: Interrupts,
    finished: [CellResult] = [], observer: (any CellObserver)? = nil,
    kept: @escaping () throws -> Void = {}
  ) {
    self.kept = kept
    self.finished = finished
    self.observer = observer
    self.request = request
    self.results = results
    self.interrupts = interrupts
  }

  /// - Returns: the finished cells, in order; fewer than planned after an interrupt.
  /// - Throws: the error of writing a row or starting a process.
  package func run() async throws -> [CellResult] {
    let done = Set(finished.map(\.order))
    let remaining = request.plan.cells.filter { !done.contains($0.order) }
    observer?.planned(request.plan.cells.map(request.key), finished: finished)
    var cells = finished
    for planned in remaining {
      guard !interrupts.isInterrupted else { break }
      let key = request.key(of: planned)
      observer?.began(key)
      guard let document = try await process.run(try specification(of: planned)) else { break }
      try results.keep(document)
      try kept()
      cells.append(document.result)
      observer?.ended(key, as: document.result)
    }
    return cells.sorted { $0.order < $1.order }
  }

  private var process: CellProcess {
    CellProcess(
      executable: request.executable, timeLimit: request.timeLimit, interrupts: interrupts,
      callgrind: request.callgrind)
  }

  private func specification(of cell: PlannedCell) throws -> CellSpecification {
    let run = request.scenarios[cell.variant.scenario]
    var specification = CellSpecification(
      cell, of: run, runID: request.runID, seed: request.seed, under: request.folder)
    specification.gitSHA = request.gitSHA
    specification.label = request.label
    specification.keepStore = keepPath(of: cell, run.scenario)
    if let csv = request.recordBeside { try specification.record(beside: csv) }
    return specification
  }

  private func keepPath(of cell: PlannedCell, _ scenario: Scenario) -> String? {
    guard let folder = request.keepStores else { return nil }
    let parameters = scenario.overrides.map { "-\($0)" }.joined()
      .replacing(/[^A-Za-z0-9_.=-]+/, with: "_")
    let name = [
      scenario.name + parameters, cell.variant.topology, cell.variant.store.rawValue,
      "\(cell.trial)",
    ].joined(separator: "-")
    return folder.appendingPathComponent("\(name).sqlite").path
  }
}

extension CellSpecification {
  init(_ cell: PlannedCell, of run: RunScenario, runID: String, seed: UInt64, under folder: URL) {
    self.init(
      runID: runID, hostID: Machine.hostID ?? "", scenarioFile: run.scenario.file,
      overrides: run.scenario.overrides, parameters: run.scenario.parametersJSON,
      scenario: run.scenario.name, scenarioDigest: run.digest, topology: cell.variant.topology,
      store: cell.variant.store.rawValue, trial: cell.trial, order: cell.order, seed: seed,
      folder: folder.appendingPathComponent("cell-\(cell.order)", isDirectory: true).path)
    if run.scenario.store.age > 0 { templates = folder.path }
  }

  mutating func record(beside csv: URL) throws {
    let row = CellResult(self, startedAt: "", status: .ok)
    recordTo = try ResultsFile.recording(of: row, in: csv).path
  }
}
