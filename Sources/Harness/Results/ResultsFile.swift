package import Foundation
package import Measurement

/// The files of a run: the CSV file, its environment file, and a folder with one document a cell.
/// Each row is on disk before the next cell starts.
package final class ResultsFile {
  /// The CSV file; nil for standard output.
  package let csv: URL?
  /// Nil for standard output.
  private let handle: FileHandle?

  /// Creates the files, so that a run that cannot write them measures nothing.
  ///
  /// - Parameters:
  ///   - path: the path of the CSV file; `-` for standard output, which has no environment file.
  ///   - force: whether to replace existing files.
  /// - Throws: `UsageError` if the files exist or cannot be written.
  package init(path: String, force: Bool) throws {
    guard path != "-" else {
      csv = nil
      handle = nil
      try write(CellCSV.header)
      return
    }
    let csv = URL(fileURLWithPath: path)
    self.csv = csv
    if !force {
      try Self.requireAbsence(of: [csv, Self.environment(of: csv), Self.cells(of: csv)])
    }
    do {
      try FileSystem.makeFolder(at: csv.deletingLastPathComponent())
      handle = try FileSystem.openForAppending(csv, force ? .emptied : .refused)
      if force { try? FileManager.default.removeItem(at: Self.cells(of: csv)) }
      try FileSystem.makeFolder(at: Self.cells(of: csv))
      try write(CellCSV.header)
    } catch {
      throw UsageError("--output: cannot write '\(csv.path)': \(error)")
    }
  }

  /// Opens the files of an interrupted run, or creates them. Existing content stays.
  ///
  /// - Throws: `UsageError` if the file cannot be written, or another process is writing to it.
  package init(resuming path: String) throws {
    let csv = URL(fileURLWithPath: path)
    self.csv = csv
    do {
      try FileSystem.makeFolder(at: csv.deletingLastPathComponent())
      handle = try FileSystem.openForAppending(csv, .kept)
    } catch {
      throw UsageError("--output: cannot write '\(csv.path)': \(error)")
    }
  }

  /// Creates the folder of the cells' documents if it is missing.
  func makeCellsFolder() throws {
    guard let csv else { return }
    do {
      try FileSystem.makeFolder(at: Self.cells(of: csv))
    } catch {
      throw UsageError("--output: cannot write '\(csv.path)': \(error)")
    }
  }

  private static func requireAbsence(of files: [URL]) throws {
    if let there = files.first(where: { FileManager.default.fileExists(atPath: $0.path) }) {
      throw UsageError(
        "--output: '\(there.path)' exists; name another file, or --force to write over it")
    }
  }

  /// `results/<scenario>-<UTC time>.csv` in the current folder. A number is added if a run that
  /// started in the same second has that name.
  package static func defaultPath(
    scenarios: [String], at date: Date,
    exists: (String) -> Bool = { FileManager.default.fileExists(atPath: $0) }
  ) -> String {
    let time = date.formatted(
      Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted))
    let names = Set(scenarios)
    let name = names.count == 1 ? scenarios[0] : "\(names.count)-scenarios"
    let base = "results/\(name)-\(time)"
    guard exists("\(base).csv") else { return "\(base).csv" }
    let number = (2...).first { !exists("\(base)-\($0).csv") }
    return "\(base)-\(number ?? 2).csv"
  }

  package static func environment(of csv: URL) -> URL {
    csv.deletingPathExtension().appendingPathExtension("env.json")
  }

  static func cells(of csv: URL) -> URL {
    csv.deletingPathExtension().appendingPathExtension("cells")
  }
}

// MARK: - A cell's files

extension ResultsFile {
  /// The name of a cell's files, without extension.
  private static func name(of cell: CellResult) -> String {
    [
      String(format: "%04d", cell.order), cell.scenario, cell.topology, cell.store,
      "\(cell.trial)",
    ].joined(separator: "-")
  }

  package static let recordingSuffix = ".events.json"

  /// The path of a cell's recorded events, whether or not they were recorded.
  package static func recording(of cell: CellResult, in csv: URL) -> URL {
    cells(of: csv).appendingPathComponent(name(of: cell) + recordingSuffix)
  }
}

// MARK: - Writing

extension ResultsFile {
  /// Writes the environment file. Does nothing if rows go to standard output.
  package func write(_ environment: some Encodable) throws {
    guard let csv else { return }
    try Self.encoder.encode(environment).write(to: Self.environment(of: csv), options: .atomic)
  }

  /// Writes a cell's document, then appends its row in one write.
  package func append(_ document: CellDocument) throws {
    if let csv {
      let name = Self.documentName(of: document.result)
      try Self.encoder.encode(document).write(
        to: Self.cells(of: csv).appendingPathComponent(name), options: .atomic)
    }
    try appendRow(document.result)
  }

  /// The file's name in the folder of cells.
  static func documentName(of cell: CellResult) -> String { "\(name(of: cell)).json" }

  /// Appends the row of a cell that has no document, or whose document is already on disk.
  func appendRow(_ cell: CellResult) throws {
    try write(CellCSV.row(cell))
  }

  private func write(_ text: String) throws {
    // Without a reader, measuring on would be in vain.
    guard let handle else { return try StandardOutput().write(text, "a row", isOptional: false) }
    try handle.write(contentsOf: Data(text.utf8))
  }

  /// Cuts the file to its first `length` bytes, and writes a header row if that leaves it empty.
  func cut(to length: Int) throws {
    try handle?.truncate(atOffset: UInt64(length))
    if length == 0 { try write(CellCSV.header) }
  }

  static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    return encoder
  }
}
