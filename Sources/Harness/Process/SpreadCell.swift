package import Foundation
import Measurement
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
}

/// As a run would, with time limit and reruns.
package struct SpreadCell {
  private let line: CellSpecification
  private let scenario: Scenario
  private let folder: URL

  /// - Parameters:
  ///   - file: the scenario file on this machine.
  ///   - folder: an existing folder, which the caller removes.
  package init(_ line: CellSpecification, scenario file: String, folder: URL) throws {
    var line = line
    line.scenarioFile = file
    line.folder = folder.appendingPathComponent("cell", isDirectory: true).path
    line.hostID = Machine.hostID
    self.line = line
    self.folder = folder
    guard let scenario = try Scenario.load(file: file, set: line.overrides).first else {
      throw CellError.sweep(file)
    }
    self.scenario = scenario
  }

  /// - Returns: the cell's document, even if its process failed; nil after an interrupt.
  package func run(
    executable: String, version: String, gitSHA: String, interrupts: Interrupts
  ) async throws -> CellDocument? {
    var specification = line
    specification.gitSHA = gitSHA
    let environment = MachineEnvironment.capture(
      version: version, gitSHA: gitSHA, storesIn: folder, scenarios: [scenario])
    let process = CellProcess(
      executable: executable, timeLimit: .seconds(line.timeLimit ?? Self.usualTimeLimit),
      interrupts: interrupts)
    var document = try await process.run(specification)
    document?.environment = environment
    return document
  }

  private static let usualTimeLimit: Double = 60
}
