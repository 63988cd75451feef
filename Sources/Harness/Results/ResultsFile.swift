package import Foundation
package import Measurement
package import Support
import SystemPackage

/// A run keeps each cell's row and document on the disk before the next cell starts.
package final class ResultsFile {
  /// Nil for standard output, as is `file`.
  package let csv: URL?
  private let file: FileDescriptor?
  /// None if the CSV file existed.
  private let created: [URL]
  /// Whether the report's own name is on the disk.
  private var isNamed = false

  /// Creates the files first: a run that cannot write them measures nothing. `-` is standard
  /// output, which has no environment file. `force` replaces only an earlier report's files.
  ///
  /// - Throws: `UsageError` if the files exist or cannot be written.
  package init(path: String, force: Bool) throws {
    guard path != "-" else {
      (csv, file, created) = (nil, nil, [])
      try write(CellCSV.header)
      return
    }
    let csv = URL(fileURLWithPath: path)
    self.csv = csv
    try Self.requireOwnFiles(of: csv)
    if !force {
      try Self.requireAbsence(of: [csv, Self.environment(of: csv), Self.cells(of: csv)])
    }
    let replaced = force ? Self.cellFiles(listedIn: csv) : []
    (file, created) = try Self.open(csv, force ? .emptied : .refused)
    do {
      for file in replaced { unlink(file.path) }
      if force { removeDrafts() }
      try makeCellsFolder()
      try write(CellCSV.header)
    } catch {
      discard()
      throw error
    }
  }

  /// Opens an interrupted run's files, or creates them.
  ///
  /// - Throws: `UsageError` if the file cannot be written, or another process is writing to it.
  package init(resuming path: String) throws {
    let csv = URL(fileURLWithPath: path)
    self.csv = csv
    try Self.requireOwnFiles(of: csv)
    (file, created) = try Self.open(csv, .kept)
  }

  deinit { try? file?.close() }

  private static func open(
    _ csv: URL, _ existing: FileSystem.Existing
  ) throws(UsageError) -> (FileDescriptor?, created: [URL]) {
    let missing = [environment(of: csv)].filter {
      !FileManager.default.fileExists(atPath: $0.path)
    }
    do {
      try FileSystem.makeFolder(at: csv.deletingLastPathComponent())
      let (file, isNew) = try FileSystem.openForAppending(csv, existing)
      return (file, isNew ? [csv] + missing : [])
    } catch {
      throw UsageError("--output: \(FileError("write", csv.path, error))")
    }
  }

  package func discard() {
    guard let csv, !created.isEmpty else { return }
    for file in created { unlink(file.path) }
    rmdir(Self.cells(of: csv).path)
  }

  func makeCellsFolder() throws(UsageError) {
    guard let csv else { return }
    let folder = Self.cells(of: csv)
    do {
      try FileSystem.makeFolder(at: folder)
    } catch {
      throw UsageError("--output: \(FileError("create the folder", folder.path, error))")
    }
  }

  private static func requireAbsence(of files: [URL]) throws(UsageError) {
    if let there = files.first(where: { FileManager.default.fileExists(atPath: $0.path) }) {
      throw UsageError(
        "--output: '\(there.path)' exists; name another file, or --force to write over it")
    }
  }

  /// - Throws: `UsageError` if the report would write over another report's files: those of `n` and
  ///   of `n.csv` have the same names.
  static func requireOwnFiles(of csv: URL, option: String = "--output") throws(UsageError) {
    let shared = environment(of: csv)
    let other = [csv.deletingPathExtension(), csv.appendingPathExtension("csv")].first {
      $0.path != csv.path && environment(of: $0) == shared && isReport($0)
    }
    if let other {
      throw UsageError(
        "\(option): '\(csv.path)' would share '\(shared.lastPathComponent)' with the report"
          + " '\(other.path)'; name another file")
    }
    guard !csv.lastPathComponent.hasSuffix(".env.json") else {
      throw UsageError(
        "\(option): '\(csv.path)' is the name of an environment file; end the name with .csv")
    }
  }

  private static func isReport(_ file: URL) -> Bool {
    var status = stat()
    guard stat(file.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let handle = try? FileHandle(forReadingFrom: file)
    else { return false }
    let start = Data(CellCSV.columns[0].utf8)
    return (try? handle.read(upToCount: start.count)) == start
  }

  /// `results/<scenario>-<UTC time>.csv` in the current folder, with a number if that exists.
  package static func defaultPath(
    scenarios: [String], at date: Date,
    exists: (String) -> Bool = { FileManager.default.fileExists(atPath: $0) }
  ) -> String {
    let time = date.formatted(
      Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted))
    let names = Set(scenarios)
    let name = names.count == 1 ? scenarios[0] : "\(names.count)-scenarios"
    return unused("results/\(name)-\(time)", exists: exists)
  }

  private static func unused(_ base: String, exists: (String) -> Bool) -> String {
    guard exists("\(base).csv") else { return "\(base).csv" }
    let number = (2...).first { !exists("\(base)-\($0).csv") }
    return "\(base)-\(number ?? 2).csv"
  }

  package static func environment(of csv: URL) -> URL { beside(csv, "env.json") }

  static func cells(of csv: URL) -> URL { beside(csv, "cells") }

  /// Only a final `.csv` is dropped, so that `run.1` and `run.2` share no file.
  private static func beside(_ csv: URL, _ suffix: String) -> URL {
    (csv.pathExtension == "csv" ? csv.deletingPathExtension() : csv).appendingPathExtension(suffix)
  }

  /// - Throws: `UsageError` if a name in the row could lead to another folder.
  private static func name(of cell: CellResult) throws(UsageError) -> String {
    try cell.checkNames()
    return [
      String(format: "%04d", cell.order), cell.scenario, cell.topology, cell.store, "\(cell.trial)",
    ].joined(separator: "-")
  }

  static func document(of cell: CellResult, in csv: URL) throws(UsageError) -> URL {
    cells(of: csv).appendingPathComponent("\(try name(of: cell)).json")
  }

  package static let recordingSuffix = ".events.json"

  package static func recording(of cell: CellResult, in csv: URL) throws(UsageError) -> URL {
    cells(of: csv).appendingPathComponent(try name(of: cell) + recordingSuffix)
  }

  /// The listed cells' files; none if the file is not a report.
  private static func cellFiles(listedIn csv: URL) -> [URL] {
    let attributes = try? FileManager.default.attributesOfItem(atPath: csv.path)
    guard attributes?[.type] as? FileAttributeType == .typeRegular,
      let bytes = try? [UInt8](Data(contentsOf: csv)),
      let rows = try? CellCSV.decode(Array(bytes.prefix(CellCSV.endOfLastRow(in: bytes))))
    else { return [] }
    return rows.flatMap { row in
      [try? document(of: row, in: csv), try? recording(of: row, in: csv)].compactMap { $0 }
    }
  }

  package func write(_ environment: some Encodable) throws {
    guard let csv else { return }
    try Self.write(environment, to: Self.environment(of: csv), syncs: true)
  }

  static func write(_ value: some Encodable, to url: URL, syncs: Bool = false) throws {
    try FileSystem.write(
      JSONEncoder.sorted(.prettyPrinted).encode(value), to: url, force: true, syncs: syncs)
  }

  package func append(_ document: CellDocument) throws { try append(document, syncs: false) }

  /// Appends, and returns once a power cut can take neither the document nor the row. The document
  /// comes first, because resuming writes a missing row, but no missing document.
  package func keep(_ document: CellDocument) throws {
    try append(document, syncs: true)
    try sync()
  }

  /// Waits until the rows and the report's name are on the disk.
  func sync() throws {
    guard let csv, let file else { return }
    do { try FileSystem.sync(file) } catch { throw FileError("write", csv.path, error) }
    guard !isNamed else { return }
    // Any of the folders above may be new, also those that an earlier process made.
    var folder = csv.standardizedFileURL
    while folder.path != "/" {
      folder = folder.deletingLastPathComponent()
      try FileSystem.syncNames(in: folder)
    }
    isNamed = true
  }

  private func append(_ document: CellDocument, syncs: Bool) throws {
    if let csv {
      try requirePresence(appending: document.result)
      do {
        try Self.write(document, to: Self.document(of: document.result, in: csv), syncs: syncs)
        if syncs { try FileSystem.syncNames(in: Self.cells(of: csv)) }
      } catch {
        // The document cannot be written if the report has just been deleted with its folder.
        try requirePresence(appending: document.result)
        throw error
      }
    }
    try appendRow(document.result)
  }

  func appendRow(_ cell: CellResult) throws {
    try requirePresence(appending: cell)
    try write(CellCSV.row(cell))
  }

  private func write(_ text: String) throws {
    // Without a reader, measuring would be in vain.
    guard let csv, let file else {
      return try StandardOutput().write(text, "a row", isOptional: false)
    }
    do {
      _ = try file.writeAll(text.utf8)
    } catch {
      throw FileError("write", csv.path, error)
    }
  }

  /// Checks that the path still leads to the open file.
  ///
  /// - Throws: `HarnessError` if the file was deleted or replaced. A new file beside it then holds
  ///   the rows so far, with this row.
  private func requirePresence(appending cell: CellResult) throws {
    guard let csv, let file else { return }
    var (opened, named) = (stat(), stat())
    guard fstat(file.rawValue, &opened) == 0 else { return }
    if stat(csv.path, &named) == 0, opened.st_dev == named.st_dev, opened.st_ino == named.st_ino {
      return
    }
    // A deleted file can be read only in this way.
    let rows = try Data(contentsOf: URL(fileURLWithPath: "/proc/self/fd/\(file.rawValue)"))
    let base = csv.deletingPathExtension().path + "-rescued"
    let rescue = Self.unused(base) { FileManager.default.fileExists(atPath: $0) }
    try FileSystem.write(
      rows + Data(CellCSV.row(cell).utf8), to: URL(fileURLWithPath: rescue), force: false)
    throw HarnessError(
      "'\(csv.path)' was deleted or replaced during the run; the rows so far are in '\(rescue)'")
  }

  /// Removes the drafts that killed processes left. Only the process that writes the report may
  /// call this.
  package func removeDrafts() {
    guard let csv else { return }
    FileSystem.removeDraft(of: Self.environment(of: csv))
    FileSystem.removeDrafts(in: Self.cells(of: csv))
  }

  /// Cuts the file to `length` bytes. Writes a header row if that leaves it empty.
  func cut(to length: Int) throws {
    guard let csv, let file else { return }
    guard ftruncate(file.rawValue, off_t(length)) == 0 else {
      throw FileError("write", csv.path, Errno(rawValue: errno))
    }
    if length == 0 { try write(CellCSV.header) }
  }
}

extension FileName {
  package static func check(_ name: String) throws(UsageError) {
    if let problem = problem(name) { throw UsageError(problem) }
  }
}

extension CellResult {
  func checkNames() throws(UsageError) {
    for name in [self.scenario, self.topology, self.store] { try FileName.check(name) }
  }
}
