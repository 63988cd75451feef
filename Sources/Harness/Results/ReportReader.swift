package import Judging
import Support
package import Measurement
import SystemPackage

package struct ReportError: Error, Equatable, CustomStringConvertible {
  package let file: String
  package let problem: String

  init(_ file: String, _ problem: String) {
    self.file = file
    self.problem = problem
  }

  package var description: String { "\(file): \(problem)" }
}

/// Memory holds only the compared figures, however large a file is.
package enum ReportReader {
  /// - Parameters:
  ///   - paths: `-` for standard input.
  ///   - only: the topologies to keep; empty for all.
  /// - Throws: `ReportError` for the first file that cannot be opened, is no report, has no row, or
  ///   holds a cell twice with different values.
  package static func side(
    _ paths: [String], keeping metrics: [Metric] = Metrics.all, only: [String] = []
  ) throws(ReportError) -> SideCells {
    var side = SideCells(keeping: metrics, only: only)
    for (index, path) in paths.enumerated() {
      try readPlaced(path) { cell, line in
        side.add(cell, at: SideCells.Place(file: index, line: line))
      }
      try requireConsistency(of: side, in: paths)
    }
    return side
  }

  /// Each row once. Throws as `side` does.
  package static func rows(of paths: [String]) throws(ReportError) -> [CellResult] {
    var (side, rows) = (SideCells(), [CellResult]())
    for (index, path) in paths.enumerated() {
      try readPlaced(path) { cell, line in
        let repeated = side.repeatedRows
        side.add(cell, at: SideCells.Place(file: index, line: line))
        if side.repeatedRows == repeated { rows.append(cell) }
      }
      try requireConsistency(of: side, in: paths)
    }
    return rows
  }

  /// - Throws: `ReportError` also for rows that name no side.
  package static func sides(
    ofDuet path: String, keeping metrics: [Metric] = Metrics.all, only: [String] = []
  ) throws(ReportError) -> (baseline: SideCells, candidate: SideCells) {
    var sides = (
      baseline: SideCells(keeping: metrics, only: only),
      candidate: SideCells(keeping: metrics, only: only)
    )
    var unmarked = 0
    try readPlaced(path) { cell, line in
      let place = SideCells.Place(file: 0, line: line)
      switch cell.duet?.side {
      case .baseline: sides.baseline.add(cell, at: place)
      case .candidate: sides.candidate.add(cell, at: place)
      case nil: unmarked += 1
      }
    }
    try requireConsistency(of: sides.baseline, in: [path])
    try requireConsistency(of: sides.candidate, in: [path])
    guard unmarked == 0 else {
      throw ReportError(
        path, "\(unmarked) of its rows belong to no duet; name two reports, or one of a duet")
    }
    return sides
  }

  private static func requireConsistency(
    of side: SideCells, in paths: [String]
  ) throws(ReportError) {
    guard let found = side.contradiction else { return }
    let (first, second) = (found.first, found.second)
    let file = first.file == second.file ? "" : " of '\(name(paths[first.file]))'"
    throw ReportError(
      name(paths[second.file]),
      "line \(second.line), column 1: \(found.cell), repeats line \(first.line)\(file) with"
        + " different values\(columns(of: found)); a report holds each cell of a run once, so remove"
        + " the false row or measure again")
  }

  private static func columns(of contradiction: SideCells.Contradiction) -> String {
    let names = contradiction.metrics.map(\.name)
    guard !names.isEmpty else { return "" }
    let more = names.count > 3 ? " and \(names.count - 3) more columns" : ""
    return " of " + names.prefix(3).joined(separator: ", ") + more
  }

  private static func name(_ path: String) -> String { path == "-" ? "standard input" : path }

  package static func read(
    _ path: String, _ body: (CellResult) -> Void
  ) throws(ReportError) {
    try readPlaced(path) { cell, _ in body(cell) }
  }

  private static func readPlaced(
    _ path: String, _ body: (CellResult, _ line: Int) -> Void
  ) throws(ReportError) {
    let name = name(path)
    let pieces = try ReportPieces(path: path, name: name)
    defer { pieces.close() }
    var decoder = CellCSVDecoder()
    while let piece = try pieces.next() {
      try placed(in: name) { () throws(CSVError) in try decoder.feed(piece, body) }
    }
    try placed(in: name) { () throws(CSVError) in try decoder.finish(body) }
    if decoder.cells == 0 {
      throw ReportError(
        name,
        "line \(decoder.line), column 1: no row after the header, so nothing was measured; "
          + "measure again with --output")
    }
  }

  private static func placed(
    in name: String, _ body: () throws(CSVError) -> Void
  ) throws(ReportError) {
    do {
      try body()
    } catch {
      throw ReportError(name, "\(error)")
    }
  }
}

private struct ReportPieces: ~Copyable {
  private let file: FileDescriptor
  private let name: String
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 1)

  init(path: String, name: String) throws(ReportError) {
    self.name = name
    do {
      file = path == "-" ? .standardInput : try FileDescriptor.open(path, .readOnly)
    } catch {
      throw Self.failure(error, name)
    }
  }

  deinit { buffer.deallocate() }

  /// The next piece, valid until the next call; nil at the end.
  func next() throws(ReportError) -> UnsafeRawBufferPointer? {
    do {
      let count = try file.read(into: buffer)
      return count > 0 ? UnsafeRawBufferPointer(rebasing: buffer[..<count]) : nil
    } catch {
      throw Self.failure(error, name)
    }
  }

  func close() {
    if file != .standardInput { try? file.close() }
  }

  private static func failure(_ error: any Error, _ name: String) -> ReportError {
    ReportError(
      name, "cannot be read: \(FileError.reason(error)); name a CSV file that topobench wrote")
  }
}
