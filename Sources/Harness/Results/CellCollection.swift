package import Foundation
package import Measurement
import Support
import SystemPackage

/// Joins a run's cells, measured one by one or on several machines, into one report.
package struct CellCollection: Sendable {
  private struct Part {
    let result: CellResult
    /// An index in `documents`. A million rows would have room for as many documents.
    let document: Int?
    let source: String
  }

  private var parts: [Part] = []
  package private(set) var documents: [CellDocument] = []
  package private(set) var environments: [MachineEnvironment] = []

  package init() {}

  package var cells: [CellResult] { parts.map(\.result).sorted { $0.order < $1.order } }

  package mutating func add(_ file: String) throws {
    let handle: FileHandle
    do {
      handle = FileHandle(
        fileDescriptor: try FileDescriptor.open(file, .readOnly).rawValue, closeOnDealloc: true)
    } catch {
      throw Self.unreadable(file, error)
    }
    try add(from: file) {
      do {
        return try handle.read(upToCount: 1 << 20)
      } catch {
        throw Self.unreadable(file, error)
      }
    }
  }

  package static func data(of file: String) throws -> Data {
    do {
      return try Data(contentsOf: URL(fileURLWithPath: file))
    } catch {
      throw unreadable(file, error)
    }
  }

  private static func unreadable(_ file: String, _ error: any Error) -> HarnessError {
    HarnessError("cannot read '\(file)': \(FileError.reason(error)); check the path")
  }

  /// Adds a report, with its environment file, or documents. `source` is the path.
  ///
  /// - Throws: `HarnessError` if the data is neither documents nor a report, or holds no cell.
  package mutating func add(_ data: Data, from source: String) throws {
    var rest: Data? = data
    try add(from: source) {
      defer { rest = nil }
      return rest
    }
  }

  /// - Parameter piece: returns the next bytes. Nil at the end.
  private mutating func add(from source: String, _ piece: () throws -> Data?) throws {
    let count = parts.count
    var start = Data()
    var first: UInt8?
    while first == nil, let next = try piece() {
      start += next
      first = next.first { !" \n\r\t".utf8.contains($0) }
    }
    do {
      if first == UInt8(ascii: "{") {
        while let next = try piece() { start += next }
        try addDocuments(start, from: source)
      } else {
        try addRows(start, piece, from: source)
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

  private mutating func addDocuments(_ data: Data, from source: String) throws {
    for document in try CellDocuments.read(data) {
      parts.append(Part(result: document.result, document: documents.count, source: source))
      documents.append(document)
      if let environment = document.environment { note(environment) }
    }
  }

  /// Decodes piece by piece: the text of a million rows is larger than the rows.
  private mutating func addRows(
    _ start: Data, _ piece: () throws -> Data?, from source: String
  ) throws {
    var decoder = CellCSVDecoder()
    var rows: [CellResult] = []
    var next: Data? = start
    while let bytes = next, !bytes.isEmpty {
      try decoder.feed(bytes) { row, _ in rows.append(row) }
      next = try piece()
    }
    try decoder.finish { row, _ in rows.append(row) }
    parts += rows.map { Part(result: $0, document: nil, source: source) }
    if let environment = MachineEnvironment(besides: source) { note(environment, isShard: true) }
  }

  /// A report that was collected before has the environments of several machines.
  ///
  /// - Parameter isShard: whether the machine's state before it is kept. A document is of one cell.
  private mutating func note(_ environment: MachineEnvironment, isShard: Bool = false) {
    for var one in environment.all {
      one.run.otherMachines = nil
      let known = environments.firstIndex { $0.machine.changes(to: one.machine).isEmpty }
      if let known {
        environments[known].run.add(one.run)
        if isShard { environments[known].noteState(before: one) }
      } else {
        environments.append(one)
      }
    }
  }

  /// - Throws: `HarnessError` if a cell occurs twice, or if builds, seeds or scenario digests
  ///   differ.
  package func requireOneRun() throws {
    // By hash, because the names of a million rows would take much memory.
    var seen: [Int: Int] = [:]
    for (index, part) in parts.enumerated() {
      let name = part.result.name
      if let other = seen.updateValue(index, forKey: name.hashValue),
        parts[other].result.name == name
      {
        throw HarnessError(
          "\(name) occurs twice, in '\(parts[other].source)' and '\(part.source)'; give the parts of one run,"
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
        try results.append(documents[document])
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
    "cell \(self.order) (\(setting.short), \(self.topology.short), \(self.store.short),"
      + " trial \(self.trial))"
  }

  fileprivate var setting: String {
    self.parameters.isEmpty ? self.scenario : "\(self.scenario) \(self.parameters)"
  }
}
