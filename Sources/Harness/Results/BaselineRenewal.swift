package import Foundation
package import Measurement

/// Replaces a baseline, a CSV file and its environment file, with a candidate's reports.
package struct BaselineRenewal: Sendable {
  package let baseline: URL
  private let collection: CellCollection

  /// Reads the candidate and changes nothing.
  ///
  /// - Throws: `CellCollection.Failure` if a cell is not `ok`, the environment file is missing, or
  ///   the reports are not of one run.
  package init(of baseline: String, from candidates: [String]) throws {
    self.baseline = URL(fileURLWithPath: baseline)
    var collection = CellCollection()
    for file in candidates { try collection.add(file) }
    try collection.requireOneRun()
    if let bad = collection.cells.first(where: { $0.status != .ok }) {
      throw CellCollection.Failure(
        description: "the baseline is not renewed: \(bad.topology), trial \(bad.trial), is"
          + " \(bad.status.rawValue) (\(bad.error)); measure again until every cell is ok")
    }
    guard collection.environment != nil else {
      throw CellCollection.Failure(
        description:
          "the baseline is not renewed: '\(candidates[0])' has no environment file beside it,"
          + " so its machine is unknown; name a report with its environment file")
    }
    self.collection = collection
  }

  package var cells: [CellResult] { collection.cells }

  /// Writes each file whole or not at all. Follows a link.
  package func write() throws {
    let (target, beside) = (
      baseline.resolvingSymlinksInPath(), ResultsFile.environment(of: baseline)
    )
    let isThere = FileManager.default.fileExists(atPath: beside.path)
    do {
      try FileSystem.makeFolder(at: target.deletingLastPathComponent())
      try FileSystem.write(Data(CellCSV.text(cells).utf8), to: target, force: true)
    } catch {
      throw FileError("write", target.path, error)
    }
    guard let environment = collection.environment else { return }
    try ResultsFile.write(
      environment.withoutPaths,
      to: isThere ? beside.resolvingSymlinksInPath() : ResultsFile.environment(of: target))
  }
}

extension MachineEnvironment {
  /// Removes folders, which mean nothing to readers of a committed file.
  fileprivate var withoutPaths: MachineEnvironment {
    var result = self
    result.commandLine = commandLine.map {
      $0.hasPrefix("/") ? URL(fileURLWithPath: $0).lastPathComponent : $0
    }
    result.otherMachines = otherMachines?.map(\.withoutPaths)
    return result
  }
}
