package import Foundation
import Workload

// How a sweep is spread over machines:
//
//   plan ── a specification a line ──▶ cell, anywhere: folder, machine and program filled in
//                                        │ a process of its own, as in a run; a time limit; reruns
//                                        ▼
//   collect ◀── a document a line ── with the environment of the machine that measured

extension CellSpecification {
  package init(planned cell: PlannedCell, of run: RunScenario, runID: String, seed: UInt64) {
    self.init(cell, of: run, runID: runID, seed: seed, under: URL(fileURLWithPath: "/"))
    folder = ""
    hostID = ""
    templates = nil
  }

  package var isPlanned: Bool { folder.isEmpty }

  /// Runs a line of a plan as a run would, with time limit and reruns.
  ///
  /// - Parameters:
  ///   - file: the scenario file on this machine.
  ///   - parent: an existing folder, which the caller removes.
  /// - Returns: the cell's document, even if its process failed; nil after an interrupt.
  package func runPlanned(
    scenario file: String, under parent: URL, executable: String, version: String, gitSHA: String,
    interrupts: Interrupts
  ) async throws -> CellDocument? {
    var cell = self
    cell.scenarioFile = file
    cell.folder = parent.appendingPathComponent("cell", isDirectory: true).path
    cell.hostID = Machine.hostID ?? ""
    cell.gitSHA = gitSHA
    guard let scenario = try Scenario.load(file: file, set: overrides).first else {
      throw HarnessError.sweep(file)
    }
    let environment = MachineEnvironment.capture(
      version: version, gitSHA: gitSHA, storesIn: parent, scenarios: [scenario])
    let process = CellProcess(
      executable: executable, timeLimit: .seconds(timeLimit ?? 60), interrupts: interrupts)
    var document = try await process.run(cell)
    document?.environment = environment
    return document
  }
}
