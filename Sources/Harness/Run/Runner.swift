package import Foundation
package import Measurement
import Queues
import SQLiteStore
import Topologies
package import Workload

/// A scenario of a run, with what every cell of it has in common.
package struct RunScenario: Sendable {
  package let scenario: Scenario
  package let digest: String

  package init(scenario: Scenario, digest: String) {
    self.scenario = scenario
    self.digest = digest
  }
}

/// What a run is to do.
package struct RunRequest: Sendable {
  package var scenarios: [RunScenario]
  package var plan: Plan
  package var seed: UInt64
  package var label = ""
  package var gitSHA = ""
  /// An existing folder for the stores of the cells.
  package var folder: URL
  package var keepStores: URL?
  package var timeLimit: Duration
  /// The program that runs a cell when its first argument is `cell`.
  package var executable: String
  package var showsProgress: Bool

  package init(
    scenarios: [RunScenario], plan: Plan, seed: UInt64, folder: URL, timeLimit: Duration,
    executable: String, showsProgress: Bool
  ) {
    self.scenarios = scenarios
    self.plan = plan
    self.seed = seed
    self.folder = folder
    self.timeLimit = timeLimit
    self.executable = executable
    self.showsProgress = showsProgress
  }
}

/// Runs a plan's cells, one process each, and puts each row on disk before the next cell starts.
package struct Runner {
  private let request: RunRequest
  private let results: ResultsFile
  private let interrupts: Interrupts
  private let runID = UUID().uuidString.lowercased()

  package init(_ request: RunRequest, results: ResultsFile, interrupts: Interrupts) {
    self.request = request
    self.results = results
    self.interrupts = interrupts
  }

  /// How often a cell whose two clocks disagree is run again.
  private static let mostReruns = 2

  /// - Returns: the cells that were run, in order; fewer than planned after an interrupt.
  /// - Throws: what writing a row or starting a process throws.
  package func run() async throws -> [CellResult] {
    var progress = Progress(total: request.plan.cells.count, isWanted: request.showsProgress)
    defer { progress.clear() }
    var cells: [CellResult] = []
    for planned in request.plan.cells {
      guard !interrupts.isInterrupted else { break }
      progress.cellBegins(planned.order, describe(planned))
      guard let document = try await settledDocument(of: planned) else { break }
      try results.append(document)
      cells.append(document.result)
    }
    return cells
  }

  private func describe(_ cell: PlannedCell) -> String {
    let scenario = request.scenarios[cell.variant.scenario].scenario.name
    return "\(scenario) · \(cell.variant.topology) · \(cell.variant.store.rawValue)"
  }

  /// A cell's document, the last of up to three if its clocks disagreed. Nil after an interrupt.
  private func settledDocument(of planned: PlannedCell) async throws -> CellDocument? {
    for rerun in 0... {
      guard var document = try await document(of: planned) else { return nil }
      document.result.metrics["ruler_reruns"] = Double(rerun)
      if document.result.status != .suspect || rerun == Self.mostReruns { return document }
    }
    return nil
  }

  private func document(of planned: PlannedCell) async throws -> CellDocument? {
    let folder = try makeFolder(for: planned)
    defer { try? FileManager.default.removeItem(at: folder) }
    let specification = specification(of: planned, in: folder)
    let child = ChildProcess(
      executable: request.executable, arguments: ["cell"], timeLimit: request.timeLimit,
      interrupts: interrupts)
    let outcome = try await child.run(input: try JSONEncoder().encode(specification))
    return document(specification, outcome)
  }

  private func document(
    _ specification: CellSpecification, _ outcome: ChildOutcome
  ) -> CellDocument? {
    switch outcome {
    case .finished(let output):
      do {
        return try JSONDecoder().decode(CellDocument.self, from: output)
      } catch {
        return failed(specification, .crashed, "gave back no document: \(error)")
      }
    case .crashed(let how):
      return failed(specification, .crashed, how)
    case .timedOut:
      let seconds = request.timeLimit / .seconds(1)
      return failed(
        specification, .timeout, "not done after \(seconds.formatted()) s: a deadlock, or too slow")
    case .interrupted:
      return nil
    }
  }

  private func failed(
    _ specification: CellSpecification, _ status: CellStatus, _ error: String
  ) -> CellDocument {
    var result = CellResult(
      specification, startedAt: Date().formatted(.iso8601), status: status)
    result.error = error.oneLine
    return CellDocument(specification: specification, result: result)
  }
}

// MARK: - A cell's specification

extension Runner {
  private func makeFolder(for cell: PlannedCell) throws -> URL {
    let folder = request.folder.appendingPathComponent("cell-\(cell.order)", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  private func specification(of cell: PlannedCell, in folder: URL) -> CellSpecification {
    let run = request.scenarios[cell.variant.scenario]
    var specification = CellSpecification(
      runID: runID, scenarioFile: run.scenario.file, scenario: run.scenario.name,
      scenarioDigest: run.digest, topology: cell.variant.topology, store: cell.variant.store,
      trial: cell.trial, order: cell.order, seed: request.seed, folder: folder.path)
    specification.gitSHA = request.gitSHA
    specification.label = request.label
    specification.hostID = Machine.hostID
    specification.overrides = run.scenario.overrides
    specification.parameters = run.scenario.parametersJSON
    specification.keepStore = keepPath(of: cell, run.scenario)
    specification.spawnedAt = SystemClock().now().nanoseconds
    return specification
  }

  /// `DIR/<scenario>-<topology>-<store>-<trial>.sqlite`, with what was set in the name.
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
