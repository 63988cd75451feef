package import Foundation
package import Measurement
import Support

/// Joins a run's cells, measured one by one or on several machines, into one report.
package struct CellCollection: Sendable {
  private struct Part {
    let result: CellResult
    let document: CellDocument?
    let source: String
  }

  private var parts: [Part] = []
  package private(set) var environments: [MachineEnvironment] = []

  package init() {}

  package var cells: [CellResult] { parts.map(\.result).sorted { $0.order < $1.order } }

  package var documents: [CellDocument] { parts.compactMap(\.document) }

  package mutating func add(_ file: String) throws { try add(Self.data(of: file), from: file) }

  package static func data(of file: String) throws -> Data {
    do {
      return try Data(contentsOf: URL(fileURLWithPath: file))
    } catch {
      throw HarnessError("cannot read '\(file)': \(FileError.reason(error)); check the path")
    }
  }

  /// Adds a report, with its environment file, or documents. `source` is the path.
  ///
  /// - Throws: `HarnessError` if the data is neither documents nor a report, or holds no cell.
  package mutating func add(_ data: Data, from source: String) throws {
    let isJSON = data.first { !" \n\r\t".utf8.contains($0) } == UInt8(ascii: "{")
    let count = parts.count
    do {
      if isJSON {
        for document in try CellDocuments.read(data) {
          parts.append(Part(result: document.result, document: document, source: source))
          if let environment = document.environment { note(environment) }
        }
      } else {
        for row in try CellCSV.decode([UInt8](data)) {
          parts.append(Part(result: row, document: nil, source: source))
        }
        if let environment = MachineEnvironment(besides: source) { note(environment) }
      }
    } catch {
      throw HarnessError("'\(source)', \(error)")
    }
    guard parts.count > count else { throw HarnessError("'\(source)' holds no cell") }
    for part in parts[count...] {
      do {
        try part.result.checkNames()
      } catch {
        throw HarnessError("'\(source)': \(error)")
      }
    }
  }

  private mutating func note(_ environment: MachineEnvironment) {
    let known = environments.firstIndex {
      $0.machine.changes(to: environment.machine).isEmpty
    }
    if let known {
      environments[known].run.add(environment.run)
    } else {
      environments.append(environment)
    }
  }

  /// - Throws: `HarnessError` if a cell occurs twice, or if builds, seeds or scenario digests
  ///   differ.
  package func requireOneRun() throws {
    var seen: [String: String] = [:]
    for part in parts {
      let name = part.result.name
      if let other = seen.updateValue(part.source, forKey: name) {
        throw HarnessError(
          "\(name) occurs twice, in '\(other)' and '\(part.source)'; give the parts of one run,"
            + " each once")
      }
    }
    try requireOne("git_sha", \.gitSHA, "a report holds one build; use `compare` for two")
    try requireOne("seed", { "\($0.seed)" }, "a report holds one seed; collect each seed by itself")
    for cells in Dictionary(grouping: parts, by: { $0.result.setting }).values {
      let digests = Set(cells.map(\.result.scenarioDigest))
      guard digests.count == 1 else {
        throw HarnessError(
          "the cells of \(cells[0].result.scenario.quoted) have \(digests.count) versions of"
            + " the scenario (\(digests.sorted().joined(separator: ", ").short)); use one version")
      }
    }
  }

  private func requireOne(_ name: String, _ value: (CellResult) -> String, _ why: String) throws {
    let values = Set(parts.map { value($0.result) })
    guard values.count <= 1 else {
      throw HarnessError(
        "the cells have \(values.count) values of \(name)"
          + " (\(values.sorted().joined(separator: ", ").short)); \(why)")
    }
  }

  /// - Throws: `HarnessError` if a cell was not planned.
  package func missing(of plan: [CellSpecification]) throws -> [String] {
    let planned = plan.map { CellResult($0, startedAt: "", status: .ok).name }
    let names = Set(planned)
    if let stranger = parts.first(where: { !names.contains($0.result.name) }) {
      throw HarnessError("\(stranger.result.name), in '\(stranger.source)', is not in the plan")
    }
    let there = Set(parts.map(\.result.name))
    return planned.filter { !there.contains($0) }
  }

  package func write(to results: ResultsFile) throws {
    for part in parts.sorted(by: { $0.result.order < $1.result.order }) {
      if let document = part.document {
        try results.append(document)
      } else {
        try results.appendRow(part.result)
      }
    }
    if let environment { try results.write(environment) }
  }

  /// The first machine's environment, with those of the others inside; nil if no part has one.
  package var environment: MachineEnvironment? {
    guard var environment = environments.first else { return nil }
    environment.run.id = cells.first?.runID
    environment.run.otherMachines = environments.count > 1 ? Array(environments.dropFirst()) : nil
    return environment
  }
}

extension CellResult {
  fileprivate var name: String {
    "cell \(order) (\(setting.short), \(topology.short), \(store.short), trial \(trial))"
  }

  fileprivate var setting: String { parameters.isEmpty ? scenario : "\(scenario) \(parameters)" }
}

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
