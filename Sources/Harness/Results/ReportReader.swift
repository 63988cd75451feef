package import Judging
import Support
package import Measurement
import SystemPackage

/// Reads reports. Only the compared figures stay in memory, however large a file is.
package enum ReportReader {
  /// - Parameters:
  ///   - paths: `-` for standard input.
  ///   - only: the topologies to keep; empty for all.
  /// - Throws: `HarnessError` for the first file that cannot be opened, is no report, has no row,
  ///   or holds a cell twice with different values.
  package static func side(
    _ paths: [String], keeping metrics: [Metric] = Metrics.all, only: [String] = []
  ) throws(HarnessError) -> SideCells {
    try read(paths, into: SideCells(keeping: metrics, only: only)) { _ in }
  }

  /// Returns each row once. Throws as `side` does.
  package static func rows(of paths: [String]) throws(HarnessError) -> [CellResult] {
    var rows: [CellResult] = []
    // The rows hold the figures.
    _ = try read(paths, into: SideCells(keeping: [])) { rows.append($0) }
    return rows
  }

  /// - Parameter body: receives each cell once.
  private static func read(
    _ paths: [String], into empty: SideCells, _ body: (CellResult) -> Void
  ) throws(HarnessError) -> SideCells {
    var side = empty
    for (index, path) in paths.enumerated() {
      try read(path) { cell, line in
        let repeated = side.repeatedRows
        side.add(cell, at: SideCells.Place(file: index, line: line))
        if side.repeatedRows == repeated { body(cell) }
      }
      try requireConsistency(of: side, in: paths)
    }
    return side
  }

  /// - Throws: `HarnessError` as `side` does, and for rows that name no side.
  package static func sides(
    ofDuet path: String, keeping metrics: [Metric] = Metrics.all, only: [String] = []
  ) throws(HarnessError) -> (baseline: SideCells, candidate: SideCells) {
    var sides = (
      baseline: SideCells(keeping: metrics, only: only),
      candidate: SideCells(keeping: metrics, only: only)
    )
    var unmarked = 0
    try read(path) { cell, line in
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
      throw HarnessError(
        "\(path): \(unmarked) of its rows belong to no duet; name two reports, or one of a duet")
    }
    return sides
  }

  private static func requireConsistency(
    of side: SideCells, in paths: [String]
  ) throws(HarnessError) {
    guard let found = side.contradiction else { return }
    let (first, second) = (found.first, found.second)
    let file = first.file == second.file ? "" : " of '\(name(paths[first.file]))'"
    throw HarnessError(
      "\(name(paths[second.file])): line \(second.line), column 1: \(found.cell), repeats line"
        + " \(first.line)\(file) with different values\(columns(of: found)); a report holds each"
        + " cell of a run once, so remove the false row or measure again")
  }

  private static func columns(of contradiction: SideCells.Contradiction) -> String {
    let names = contradiction.metrics.map(\.name)
    guard !names.isEmpty else { return "" }
    let more = names.count > 3 ? " and \(names.count - 3) more columns" : ""
    return " of " + names.prefix(3).joined(separator: ", ") + more
  }

  private static func name(_ path: String) -> String { path == "-" ? "standard input" : path }

  package static func read(
    _ path: String, _ body: (CellResult, _ line: Int) -> Void
  ) throws(HarnessError) {
    let name = name(path)
    var decoder = CellCSVDecoder()
    do {
      let file = path == "-" ? .standardInput : try FileDescriptor.open(path, .readOnly)
      defer { if file != .standardInput { try? file.close() } }
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 1)
      defer { buffer.deallocate() }
      while case let count = try file.read(into: buffer), count > 0 {
        try decoder.feed(UnsafeRawBufferPointer(rebasing: buffer[..<count]), body)
      }
      try decoder.finish(body)
    } catch let error as CSVError {
      throw HarnessError("\(name): \(error)")
    } catch {
      throw HarnessError(
        "\(name): cannot be read: \(FileError.reason(error)); name a CSV file that topobench wrote")
    }
    if decoder.cells == 0 {
      throw HarnessError(
        "\(name): line \(decoder.line), column 1: no row after the header, so nothing was measured;"
          + " measure again with --output")
    }
  }
}
