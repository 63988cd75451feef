import Foundation
import Measurement
import SQLiteStore
import Support
import Workload

extension InterruptedRun {
  /// Same plan, machine and binary.
  ///
  /// - Throws: `UsageError` that names the first difference, and what to do.
  package func check(_ request: RunRequest, in now: MachineEnvironment) throws {
    try checkEnvironment(now)
    let planned = Dictionary(
      request.plan.cells.map { ($0.order, $0) }, uniquingKeysWith: { first, _ in first })
    for cell in cells {
      guard let planned = planned[cell.order] else {
        throw otherOptions(
          "it has cell \(cell.order) (\(cell.topology), \(cell.store), trial \(cell.trial)),"
            + " which these options do not plan")
      }
      try check(cell, planned, request)
    }
  }

  private func checkEnvironment(_ now: MachineEnvironment) throws {
    guard let environment, case let changes = environment.changes(to: now), !changes.isEmpty else {
      return
    }
    let what =
      environment.hostID == now.hostID
      ? "the binary or environment changed" : "another machine measured its rows"
    throw UsageError(
      "--resume: '\(csv.path)' cannot be continued: \(what): \(changes.joined(separator: "; "))."
        + " Resume on the original machine with the original build, or choose another --output")
  }

  private func check(_ cell: CellResult, _ planned: PlannedCell, _ request: RunRequest) throws {
    let run = request.scenarios[planned.variant.scenario]
    let pairs = [
      ("scenario", cell.scenario, run.scenario.name),
      ("parameters", cell.parameters, run.scenario.parametersJSON),
      ("topology", cell.topology, planned.variant.topology),
      ("store", cell.store, planned.variant.store.rawValue),
      ("trial", "\(cell.trial)", "\(planned.trial)"),
      ("seed", "\(cell.seed)", "\(request.seed)"),
      ("label", cell.label, request.label),
      ("measurement", cell.measurement(planned: request.measurement), request.measurement),
    ]
    if let (name, was, planned) = pairs.first(where: { $0.1 != $0.2 }) {
      throw otherOptions(
        "the \(name) of cell \(cell.order) was '\(was)', these options plan '\(planned)'")
    }
    guard cell.scenarioDigest == run.digest else {
      throw UsageError(
        "--resume: '\(csv.path)' cannot be continued: the scenario '\(cell.scenario)' or its data"
          + " changed since the run began (scenario_digest was \(cell.scenarioDigest), is"
          + " \(run.digest)). Restore \(run.scenario.file), or choose another --output")
    }
  }

  private func otherOptions(_ what: String) -> UsageError {
    let begun = environment.map { ": \($0.commandLine.shellCommand)" } ?? ""
    return UsageError(
      "--resume: '\(csv.path)' cannot be continued: \(what)."
        + " Resume with the original options\(begun)")
  }
}

extension CellResult {
  /// A counted cell that failed does not say which parts it was to count.
  fileprivate func measurement(planned: String) -> String {
    guard isCounted else { return "times" }
    if status != .ok, planned != "times" { return planned }
    return metrics[Metric.instructionParts[0]] == nil ? "instructions" : "instructions and parts"
  }
}

extension RunRequest {
  fileprivate var measurement: String {
    countedParts.map { $0.isEmpty ? "instructions" : "instructions and parts" } ?? "times"
  }
}

extension ResultsFile {
  /// Continues a run: cuts off a torn row, writes rows for documents without one, and adds the
  /// machine's state to the environment file.
  package func take(up run: InterruptedRun, in now: MachineEnvironment) throws {
    try makeCellsFolder()
    removeDrafts()
    try cut(to: run.length)
    for document in run.rowless { try appendRow(document.result) }
    try write(run.environment?.resumed(in: now) ?? now)
  }
}
