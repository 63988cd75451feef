package import Foundation
import Support
package import Measurement

/// Joins a run's cells, measured one by one or on several machines, into one report.
package struct CellCollection: Sendable {
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  private struct Part {
    let result: CellResult
    let document: CellDocument?
    let source: String

    func checkNames() throws(Failure) {
      do throws(UsageError) {
        for name in [result.scenario, result.topology, result.store] { try FileName.check(name) }
      } catch {
        throw Failure(description: "'\(source)': \(error)")
      }
    }
  }

  private var parts: [Part] = []
  package private(set) var environments: [MachineEnvironment] = []

  package init() {}

  package var cells: [CellResult] { parts.map(\.result).sorted { $0.order < $1.order } }

  package var documents: [CellDocument] { parts.compactMap(\.document) }

  package mutating func add(_ file: String) throws {
    try add(Self.data(of: file), from: file)
  }

  package static func data(of file: String) throws -> Data {
    do {
      return try Data(contentsOf: URL(fileURLWithPath: file))
    } catch {
      throw Failure(description: "cannot read '\(file)'; check the path")
    }
  }

  /// A report's environment file is read too. `source` is the path.
  ///
  /// - Throws: `Failure` if the data is neither, or holds no cell.
  package mutating func add(_ data: Data, from source: String) throws {
    let isJSON = data.first { !" \n\r\t".utf8.contains($0) } == UInt8(ascii: "{")
    let count = parts.count
    if isJSON {
      try addDocuments(data, from: source)
    } else {
      try addRows(data, from: source)
    }
    guard parts.count > count else { throw Failure(description: "'\(source)' holds no cell") }
    for part in parts[count...] { try part.checkNames() }
  }

  private mutating func addDocuments(_ data: Data, from source: String) throws {
    do {
      for document in try CellDocuments.read(data) {
        parts.append(Part(result: document.result, document: document, source: source))
        if let environment = document.environment { note(environment) }
      }
    } catch {
      throw Failure(description: "'\(source)', \(error)")
    }
  }

  private mutating func addRows(_ data: Data, from source: String) throws {
    do {
      for row in try CellCSV.decode([UInt8](data)) {
        parts.append(Part(result: row, document: nil, source: source))
      }
    } catch {
      throw Failure(description: "'\(source)', \(error)")
    }
    if let environment = MachineEnvironment(besides: source) { note(environment) }
  }

  private mutating func note(_ environment: MachineEnvironment) {
    guard environments.allSatisfy({ !$0.changes(to: environment).isEmpty }) else { return }
    environments.append(environment)
  }

  /// - Throws: `Failure` if a cell occurs twice, or if builds, seeds or scenario digests differ.
  package func requireOneRun() throws {
    var seen: [String: String] = [:]
    for part in parts {
      let name = part.result.name
      if let other = seen.updateValue(part.source, forKey: name) {
        throw Failure(
          description: "\(name) occurs twice, in '\(other)' and '\(part.source)'; give the parts"
            + " of one run, each once")
      }
    }
    try requireOne("git_sha", \.gitSHA, "a report holds one build; use `compare` for two")
    try requireOne("seed", { "\($0.seed)" }, "a report holds one seed; collect each seed by itself")
    for cells in Dictionary(grouping: parts, by: { $0.result.setting }).values {
      let digests = Set(cells.map(\.result.scenarioDigest))
      guard digests.count == 1 else {
        throw Failure(
          description:
            "the cells of \(cells[0].result.scenario.quoted) have \(digests.count) versions of"
            + " the scenario (\(digests.sorted().joined(separator: ", ").short)); use one version")
      }
    }
  }

  private func requireOne(
    _ name: String, _ value: (CellResult) -> String, _ why: String
  ) throws {
    let values = Set(parts.map { value($0.result) })
    guard values.count <= 1 else {
      throw Failure(
        description: "the cells have \(values.count) values of \(name)"
          + " (\(values.sorted().joined(separator: ", ").short)); \(why)")
    }
  }

  /// - Throws: `Failure` if a cell was not planned.
  package func missing(of plan: [CellSpecification]) throws -> [String] {
    let planned = Set(plan.map(\.name))
    if let stranger = parts.first(where: { !planned.contains($0.result.name) }) {
      throw Failure(
        description: "\(stranger.result.name), in '\(stranger.source)', is not in the plan")
    }
    let there = Set(parts.map(\.result.name))
    return plan.map(\.name).filter { !there.contains($0) }
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

  /// The first machine, with the others inside; nil if no part has an environment.
  package var environment: MachineEnvironment? {
    guard var environment = environments.first else { return nil }
    environment.runID = cells.first?.runID
    environment.otherMachines = environments.count > 1 ? Array(environments.dropFirst()) : nil
    return environment
  }
}

extension CellResult {
  fileprivate var name: String {
    "cell \(order) (\(setting.short), \(topology.short), \(store.short), trial \(trial))"
  }

  fileprivate var setting: String { parameters.isEmpty ? scenario : "\(scenario) \(parameters)" }
}

extension CellSpecification {
  fileprivate var name: String { CellResult(self, startedAt: "", status: .ok).name }
}
