package import Foundation
package import Measurement
import SQLiteStore
import Support
import Workload

// The files of a run that ended early, and what resuming does with them:
//
//   NAME.cells/0001-….json ─┐ written first, whole or not at all
//   NAME.csv   header       │
//              row 1        │   kept
//              row 2        │   kept
//              row 3, to…   ▼   cut off: written again from 0003-….json, or measured again
//
// A row with status `wrong`, `crashed`, `timeout` or `suspect` is a result and is kept. Measuring
// such cells until they succeed would hide how often they fail.

/// Reading changes nothing.
package struct InterruptedRun: Sendable {
  private let csv: URL
  package let rows: [CellResult]
  /// Documents whose rows are missing or torn.
  package let rowless: [CellDocument]
  package let environment: MachineEnvironment?
  /// In bytes, up to the end of the last complete row.
  let length: Int
  package let isTorn: Bool

  /// - Throws: `UsageError` if a file cannot be read or holds more than the rows of one run.
  package init(reading csv: URL) throws {
    self.csv = csv
    let bytes = try Self.bytes(of: csv)
    length = CellCSV.endOfLastRow(in: bytes)
    isTorn = length < bytes.count
    let header = Array(CellCSV.header.utf8)
    guard length == 0 ? header.starts(with: bytes) : bytes.starts(with: header) else {
      throw Self.refusal(
        csv,
        " does not begin with this version's header row; resume with the version that began it,"
          + " or choose another --output")
    }
    rows = try Self.rows(bytes.prefix(length), of: csv)
    environment = try Self.environment(of: csv)
    guard rows.isEmpty || environment != nil else {
      throw Self.refusal(
        ResultsFile.environment(of: csv),
        " is missing, so it is unknown whether machine and binary"
          + " are the same; choose another --output")
    }
    if let row = rows.first, let id = environment?.run.id, id != row.runID {
      throw Self.refusal(
        ResultsFile.environment(of: csv),
        " is of another run (\(id.short)) than the rows (\(row.runID.short)), so it is unknown"
          + " whether machine and binary are the same; choose another --output")
    }
    let runID = rows.first?.runID ?? environment?.run.id
    rowless = Self.documents(of: csv, runID: runID, without: Set(rows.map(\.order)))
  }

  private static func refusal(_ file: URL, _ why: String) -> UsageError {
    UsageError("--resume: '\(file.path)'\(why)")
  }

  package var cells: [CellResult] { (rows + rowless.map(\.result)).sorted { $0.order < $1.order } }

  package var runID: String? { rows.first?.runID ?? environment?.run.id }

  private static func bytes(of csv: URL) throws -> [UInt8] {
    guard FileManager.default.fileExists(atPath: csv.path) else { return [] }
    do {
      return [UInt8](try Data(contentsOf: csv))
    } catch {
      throw UsageError("--resume: cannot read '\(csv.path)': \(FileError.reason(error))")
    }
  }

  private static func rows(_ bytes: ArraySlice<UInt8>, of csv: URL) throws -> [CellResult] {
    guard !bytes.isEmpty else { return [] }
    let rows: [CellResult]
    do {
      rows = try CellCSV.decode(Array(bytes))
    } catch {
      throw refusal(csv, ", \(error); remove the row, or choose another --output")
    }
    let runs = Set(rows.map(\.runID))
    guard runs.count <= 1 else {
      throw refusal(csv, " holds the rows of \(runs.count) runs; it must hold one")
    }
    var seen: Set<Int> = []
    if let twice = rows.first(where: { !seen.insert($0.order).inserted }) {
      throw refusal(
        csv, " holds cell \(twice.order) twice; remove one row, or choose another --output")
    }
    return rows
  }

  private static func environment(of csv: URL) throws -> MachineEnvironment? {
    let file = ResultsFile.environment(of: csv)
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    guard let environment = MachineEnvironment(besides: csv.path) else {
      throw refusal(file, " is not an environment file of this version; choose another --output")
    }
    return environment
  }

  /// Skips incomplete documents, and drafts, which will be removed: their cells are measured again.
  private static func documents(
    of csv: URL, runID: String?, without orders: Set<Int>
  ) -> [CellDocument] {
    let folder = ResultsFile.cells(of: csv)
    let names = FileSystem.names(in: folder.path)
    let documents = names.filter {
      $0.hasSuffix(".json") && !$0.hasSuffix(ResultsFile.recordingSuffix)
    }
    return documents.sorted().compactMap { name in
      // A document's name begins with the cell's position in the run.
      guard let order = Int(name.prefix { $0 != "-" }), !orders.contains(order),
        let data = try? Data(contentsOf: folder.appendingPathComponent(name)),
        let document = try? JSONDecoder().decode(CellDocument.self, from: data),
        document.result.order == order, document.result.runID == runID
      else { return nil }
      return document
    }
  }

  /// Checks that plan, machine and binary are the same.
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
    guard let environment, case let changes = environment.machine.changes(to: now.machine),
      !changes.isEmpty
    else {
      return
    }
    let what =
      environment.machine.isOfMachine(now.machine)
      ? "the binary or environment changed"
      : "another machine measured its rows, or nothing tells that it is the same"
    throw notContinued(
      "\(what): \(changes.joined(separator: "; "))."
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
      throw notContinued(
        "the scenario '\(cell.scenario)' or its data changed since the run began (scenario_digest"
          + " was \(cell.scenarioDigest), is \(run.digest)). Restore \(run.scenario.file),"
          + " or choose another --output")
    }
  }

  private func otherOptions(_ what: String) -> UsageError {
    let begun = environment.map { ": \($0.run.commandLine.shellCommand)" } ?? ""
    return notContinued("\(what). Resume with the original options\(begun)")
  }

  private func notContinued(_ why: String) -> UsageError {
    Self.refusal(csv, " cannot be continued: \(why)")
  }
}

extension CellResult {
  /// A counted cell that failed does not say what it was to count, so `planned` is returned.
  fileprivate func measurement(planned: String) -> String {
    guard isCounted else { return "times" }
    if self.status != .ok, planned != "times" { return planned }
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
  /// machine's state to the environment file. All of it is on the disk on return.
  ///
  /// - Returns: the environment, as written.
  package func take(
    up run: InterruptedRun, in now: MachineEnvironment
  ) throws -> MachineEnvironment {
    try makeCellsFolder()
    try cut(to: run.length)
    for document in run.rowless { try appendRow(document.result) }
    let environment = run.environment?.resumed(in: now) ?? now
    try write(environment)
    try sync()
    return environment
  }
}
