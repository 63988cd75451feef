package import Foundation
package import Measurement

// What is on disk when a run ends before its time, and what becomes of it:
//
//   NAME.cells/0001-….json ─┐ written first, whole or not at all
//   NAME.csv   header       │
//              row 1        │   kept
//              row 2        │   kept
//              row 3, to…   ▼   cut off: written again from 0003-….json, or measured again
//
// A row that says `wrong`, `crashed`, `timeout` or `suspect` is a result and is kept: to measure such
// cells until they succeed would hide how often they fail.

/// The files of a run that ended early, as they are on disk. Reading changes nothing.
package struct InterruptedRun: Sendable {
  package let csv: URL
  /// The whole rows, as the file has them.
  package let rows: [CellResult]
  /// Documents whose rows are not whole, or not there.
  package let rowless: [CellDocument]
  package let environment: MachineEnvironment?
  /// Where the last whole row ends.
  let length: Int
  /// Whether something follows the last whole row.
  package let isTorn: Bool

  /// - Throws: `UsageError` if a file cannot be read or holds something else than one run's rows.
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
        "--resume: '\(ResultsFile.environment(of: csv).path)' is missing, so that nobody can tell"
          + " whether this is the same machine and program; name another --output")
    }
    let runID = rows.first?.runID ?? environment?.runID
    rowless = Self.documents(of: csv, runID: runID, without: Set(rows.map(\.order)))
  }

  /// All that is there, in the plan's order.
  package var cells: [CellResult] {
    (rows + rowless.map(\.result)).sorted { $0.order < $1.order }
  }

  /// Nil if nothing was measured and nothing noted.
  package var runID: String? { rows.first?.runID ?? environment?.runID }
}

// MARK: - Reading

extension InterruptedRun {
  private static func bytes(of csv: URL) throws -> [UInt8] {
    guard FileManager.default.fileExists(atPath: csv.path) else { return [] }
    do {
      return [UInt8](try Data(contentsOf: csv))
    } catch {
      throw UsageError("--resume: cannot read '\(csv.path)': \(error.localizedDescription)")
    }
  }

  private static func requireHeader(_ bytes: [UInt8], length: Int, of csv: URL) throws {
    let header = Array(CellCSV.header.utf8)
    let isSound = length == 0 ? header.starts(with: bytes) : bytes.starts(with: header)
    guard isSound else {
      throw UsageError(
        "--resume: '\(csv.path)' does not begin with the header row that this version writes;"
          + " resume with the version that began it, or name another --output")
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
        "--resume: '\(csv.path)', \(error); take the row out, or name another --output")
    }
  }

  private static func requireOneRun(_ rows: [CellResult], of csv: URL) throws {
    let runs = Set(rows.map(\.runID))
    guard runs.count <= 1 else {
      throw UsageError(
        "--resume: '\(csv.path)' holds the rows of \(runs.count) runs; one file continues one run")
    }
    var seen: Set<Int> = []
    if let twice = rows.first(where: { !seen.insert($0.order).inserted }) {
      throw UsageError(
        "--resume: '\(csv.path)' holds cell \(twice.order) twice; take one row out, or name"
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
        "--resume: '\(file.path)' is no environment file that this version reads;"
          + " name another --output")
    }
  }

  /// What cannot be read was not whole when the machine went down, and is measured again.
  private static func documents(
    of csv: URL, runID: String?, without orders: Set<Int>
  ) -> [CellDocument] {
    let folder = ResultsFile.cells(of: csv)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let documents = names.filter { !$0.hasSuffix(ResultsFile.recordingSuffix) }
    return documents.sorted().compactMap { name in
      // A document's name begins with its cell's place in the run.
      guard let order = Int(name.prefix { $0 != "-" }), !orders.contains(order),
        let data = try? Data(contentsOf: folder.appendingPathComponent(name)),
        let document = try? JSONDecoder().decode(CellDocument.self, from: data),
        document.result.order == order, document.result.runID == runID
      else { return nil }
      return document
    }
  }
}
