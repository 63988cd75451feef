import Foundation
import Measurement
import SQLiteStore
import Workload

extension InterruptedRun {
  /// Holds what is there against what is to be done, on the machine and with the program of now.
  ///
  /// - Throws: `UsageError` that names the first thing that is another than it was, and what to do.
  package func check(_ request: RunRequest, in now: MachineEnvironment) throws {
    try checkEnvironment(now)
    let planned = Dictionary(
      request.plan.cells.map { ($0.order, $0) }, uniquingKeysWith: { first, _ in first })
    for cell in cells {
      guard let planned = planned[cell.order] else {
        throw otherOptions(
          "it holds cell \(cell.order) (\(cell.topology), \(cell.store), trial \(cell.trial)),"
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
      ? "its rows are of another binary or environment" : "its rows are of another machine"
    throw UsageError(
      "--resume: '\(csv.path)' cannot be continued: \(what): \(changes.joined(separator: "; "))."
        + " Continue it there and so, or name another --output")
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
    ]
    if let (name, was, planned) = pairs.first(where: { $0.1 != $0.2 }) {
      throw otherOptions(
        "the \(name) of cell \(cell.order) was '\(was)', these options plan '\(planned)'")
    }
    guard cell.scenarioDigest == run.digest else {
      throw UsageError(
        "--resume: '\(csv.path)' cannot be continued: the scenario '\(cell.scenario)' or its data"
          + " has changed since it was begun (scenario_digest was \(cell.scenarioDigest), is"
          + " \(run.digest)). Restore \(run.scenario.file), or name another --output")
    }
  }

  private func otherOptions(_ what: String) -> UsageError {
    let begun = environment.map { ": \(Self.quoted($0.commandLine))" } ?? ""
    return UsageError(
      "--resume: '\(csv.path)' cannot be continued: \(what)."
        + " Give the options that it was begun with\(begun)")
  }

  /// As a shell reads it.
  private static func quoted(_ words: [String]) -> String {
    words.map { word in
      word.wholeMatch(of: /[A-Za-z0-9_.,:=\/+@%-]+/) != nil
        ? word : "'\(word.replacing("'", with: "'\\''"))'"
    }.joined(separator: " ")
  }
}

extension ResultsFile {
  /// Continues a run: what was cut off goes, and a cell whose document is there has its row again.
  /// The environment file says when, and what the machine was like.
  package func take(up run: InterruptedRun, in now: MachineEnvironment) throws {
    try makeCellsFolder()
    try cut(to: run.length)
    for document in run.rowless { try appendRow(document.result) }
    try write(run.environment?.resumed(in: now) ?? now)
  }
}
