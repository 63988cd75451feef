package import Foundation
package import Measurement
import Support

/// Replaces a baseline, a CSV file and its environment file, with a candidate's reports.
package struct BaselineRenewal: Sendable {
  package let baseline: URL
  package let cells: [CellResult]
  private let environment: MachineEnvironment

  /// Reads the candidate and changes nothing.
  ///
  /// - Throws: `HarnessError` if a cell is not `ok`, the environment file is missing, or the
  ///   reports are not of one run.
  package init(of baseline: String, from candidates: [String]) throws {
    self.baseline = URL(fileURLWithPath: baseline)
    var collection = CellCollection()
    for file in candidates { try collection.add(file) }
    try collection.requireOneRun()
    cells = collection.cells
    if let bad = cells.first(where: { $0.status != .ok }) {
      throw HarnessError(
        "the baseline is not renewed: \(bad.topology), trial \(bad.trial), is"
          + " \(bad.status.rawValue) (\(bad.error)); measure again until every cell is ok")
    }
    guard let environment = collection.environment else {
      throw HarnessError(
        "the baseline is not renewed: '\(candidates[0])' has no environment file beside it,"
          + " so its machine is unknown; name a report with its environment file")
    }
    self.environment = environment
  }

  /// Writes each file whole or not at all. Follows a link.
  package func write() throws {
    try ResultsFile.requireOwnFiles(of: baseline, option: "--baseline")
    let target = baseline.resolvingSymlinksInPath()
    let beside = ResultsFile.environment(of: baseline)
    let isThere = FileManager.default.fileExists(atPath: beside.path)
    try FileSystem.write(Data(CellCSV.text(cells).utf8), to: target, force: true)
    try ResultsFile.write(
      environment.withoutPaths,
      to: isThere ? beside.resolvingSymlinksInPath() : ResultsFile.environment(of: target))
  }
}

extension MachineEnvironment {
  /// Removes folders from arguments: they mean nothing to readers of a committed file.
  fileprivate var withoutPaths: MachineEnvironment {
    var result = self
    result.run.commandLine = run.commandLine.map {
      $0.hasPrefix("/") ? URL(fileURLWithPath: $0).lastPathComponent : $0
    }
    result.run.otherMachines = run.otherMachines?.map(\.withoutPaths)
    return result
  }
}
