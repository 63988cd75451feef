import Support
package import Foundation
package import Measurement

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
  package let csv: URL
  package let rows: [CellResult]
  /// Their rows are missing or torn.
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
    try Self.requireHeader(bytes, length: length, of: csv)
    rows = try Self.rows(bytes.prefix(length), of: csv)
    environment = try Self.environment(of: csv)
    guard rows.isEmpty || environment != nil else {
      throw UsageError(
        "--resume: '\(ResultsFile.environment(of: csv).path)' is missing, so it is unknown"
          + " whether machine and binary are the same; choose another --output")
    }
    let runID = rows.first?.runID ?? environment?.runID
    rowless = Self.documents(of: csv, runID: runID, without: Set(rows.map(\.order)))
  }

  package var cells: [CellResult] {
    (rows + rowless.map(\.result)).sorted { $0.order < $1.order }
  }

  package var runID: String? { rows.first?.runID ?? environment?.runID }

  private static func bytes(of csv: URL) throws -> [UInt8] {
    guard FileManager.default.fileExists(atPath: csv.path) else { return [] }
    do {
      return [UInt8](try Data(contentsOf: csv))
    } catch {
      throw UsageError("--resume: cannot read '\(csv.path)': \(FileError.reason(error))")
    }
  }

  private static func requireHeader(_ bytes: [UInt8], length: Int, of csv: URL) throws {
    let header = Array(CellCSV.header.utf8)
    let isSound = length == 0 ? header.starts(with: bytes) : bytes.starts(with: header)
    guard isSound else {
      throw UsageError(
        "--resume: '\(csv.path)' does not begin with this version's header row;"
          + " resume with the version that began it, or choose another --output")
    }
  }

  private static func rows(_ bytes: ArraySlice<UInt8>, of csv: URL) throws -> [CellResult] {
    guard !bytes.isEmpty else { return [] }
    do {
      let rows = try CellCSV.decode(Array(bytes))
      try requireOneRun(rows, of: csv)
      return rows
    } catch let error as CSVError {
      throw UsageError(
        "--resume: '\(csv.path)', \(error); remove the row, or choose another --output")
    }
  }

  private static func requireOneRun(_ rows: [CellResult], of csv: URL) throws {
    let runs = Set(rows.map(\.runID))
    guard runs.count <= 1 else {
      throw UsageError(
        "--resume: '\(csv.path)' holds the rows of \(runs.count) runs; it must hold one")
    }
    var seen: Set<Int> = []
    if let twice = rows.first(where: { !seen.insert($0.order).inserted }) {
      throw UsageError(
        "--resume: '\(csv.path)' holds cell \(twice.order) twice; remove one row, or choose"
          + " another --output")
    }
  }

  private static func environment(of csv: URL) throws -> MachineEnvironment? {
    let file = ResultsFile.environment(of: csv)
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    do {
      return try JSONDecoder().decode(MachineEnvironment.self, from: try Data(contentsOf: file))
    } catch {
      throw UsageError(
        "--resume: '\(file.path)' is not an environment file of this version;"
          + " choose another --output")
    }
  }

  /// Skips incomplete documents: their cells are measured again.
  private static func documents(
    of csv: URL, runID: String?, without orders: Set<Int>
  ) -> [CellDocument] {
    let folder = ResultsFile.cells(of: csv)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let documents = names.filter { !$0.hasSuffix(ResultsFile.recordingSuffix) }
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
}
