import Foundation
import Harness
import Measurement

/// The cells of some reports that a trace shows.
struct TraceChoice {
  /// The choices of the command line. An empty list accepts anything.
  struct Wanted {
    var scenarios: [String] = []
    var topologies: [String] = []
    var store: String?
    var trials: [Int] = []
  }

  /// A row, and the report that it is in.
  struct Cell {
    let row: CellResult
    let csv: URL

    var recording: URL { ResultsFile.recording(of: row, in: csv) }
    var isRecorded: Bool { FileManager.default.fileExists(atPath: recording.path) }
  }

  /// In the order of the reports, and in each as the topologies first come.
  let cells: [Cell]
  /// Chosen cells that were never recorded.
  let notRecorded: [String]

  /// - Throws: `ReportError` if a report cannot be read, `UsageError` if nothing in it fits or was
  ///   recorded.
  init(reading files: [String], wanted: Wanted) throws {
    var all: [Cell] = []
    for file in files {
      if file == "-" { throw UsageError("trace: name a file; its cells lie beside it") }
      let csv = URL(fileURLWithPath: file)
      var rows: [CellResult] = []
      try ReportReader.read(file) { rows.append($0) }
      let found = rows.map { Cell(row: $0, csv: csv) }
      guard found.contains(where: \.isRecorded) else {
        throw UsageError(
          "'\(file)': none of its cells was recorded; measure again with --record")
      }
      all += found.sorted { $0.row.order < $1.row.order }
    }
    try self.init(from: wanted.fitting(all), trials: wanted.trials)
  }

  private init(from cells: [Cell], trials: [Int]) throws {
    var chosen: [Cell] = []
    var missing: [String] = []
    for group in Self.groups(of: cells) {
      let wanted = trials.isEmpty ? group : group.filter { trials.contains($0.row.trial) }
      let recorded = wanted.filter(\.isRecorded)
      if recorded.isEmpty, let first = group.first { missing.append(first.row.traceName) }
      chosen += trials.isEmpty ? [Self.median(of: recorded)].compactMap { $0 } : recorded
    }
    guard !chosen.isEmpty else {
      let there = Set(cells.filter(\.isRecorded).map(\.row.trial)).sorted().map { "\($0)" }
      throw UsageError(
        "--trial: none of what is asked for was recorded. Recorded trials:"
          + " \(there.joined(separator: ", "))")
    }
    self.cells = chosen
    notRecorded = missing
  }

  /// Cells that differ in their trial alone, in the order of their first ones.
  private static func groups(of cells: [Cell]) -> [[Cell]] {
    var places: [[String]: Int] = [:]
    var groups: [[Cell]] = []
    for cell in cells {
      let row = cell.row
      let key = [cell.csv.path, row.label, row.scenario, row.parameters, row.topology, row.store]
      if let place = places[key] {
        groups[place].append(cell)
      } else {
        places[key] = groups.count
        groups.append([cell])
      }
    }
    return groups
  }

  /// By `main_blocked_ms`; the lower one of two. Of cells that are not ok only if no other is
  /// there.
  static func median(of cells: [Cell]) -> Cell? {
    let sound = cells.filter { $0.row.status == .ok }
    let sorted = (sound.isEmpty ? cells : sound).sorted {
      ($0.row.metrics[.mainBlocked] ?? 0) < ($1.row.metrics[.mainBlocked] ?? 0)
    }
    return sorted.isEmpty ? nil : sorted[(sorted.count - 1) / 2]
  }
}

extension TraceChoice.Wanted {
  /// - Throws: `UsageError` if a name is in no report.
  func fitting(_ cells: [TraceChoice.Cell]) throws -> [TraceChoice.Cell] {
    try Self.require(scenarios, "--scenario", among: cells.map(\.row.scenario))
    try Self.require(topologies, "--topology", among: cells.map(\.row.topology))
    try Self.require(store.map { [$0] } ?? [], "--store", among: cells.map(\.row.store))
    let fitting = cells.filter { cell in
      (scenarios.isEmpty || scenarios.contains(cell.row.scenario))
        && (topologies.isEmpty || topologies.contains(cell.row.topology))
        && (store ?? cell.row.store) == cell.row.store
    }
    guard fitting.contains(where: \.isRecorded) else {
      throw UsageError("trace: no recorded cell is of all that is asked for; ask for less")
    }
    return fitting
  }

  private static func require(_ names: [String], _ flag: String, among there: [String]) throws {
    var seen: Set<String> = []
    let known = there.filter { seen.insert($0).inserted }
    guard let unknown = names.first(where: { !seen.contains($0) }) else { return }
    throw UsageError(
      "\(flag): no cell of '\(unknown)' in the reports. There are: \(known.joined(separator: ", "))"
    )
  }
}

extension CellResult {
  /// `notification-merge · pool · 5000-cities`
  fileprivate var traceName: String {
    [topology, store, scenario, parameters, label].filter { !$0.isEmpty }.joined(separator: " · ")
  }
}

// MARK: - Reading

extension TraceChoice.Cell {
  /// Reads the recording of the cell.
  ///
  /// - Throws: `UsageError` if the file is something else, or of another run.
  func timeline() throws -> RecordedTimeline {
    let data: Data
    do {
      data = try Data(contentsOf: recording)
    } catch {
      throw UsageError("cannot read '\(recording.path)': \(error.localizedDescription)")
    }
    let timeline = try Self.decode(data, of: recording.path)
    guard timeline.cell.runID == row.runID, timeline.cell.order == row.order else {
      throw UsageError(
        "'\(recording.path)' is not of the run in '\(csv.path)'; measure again with --record")
    }
    return timeline
  }

  private struct Version: Decodable {
    let schema: String
  }

  private static func decode(_ data: Data, of path: String) throws -> RecordedTimeline {
    let version = try? JSONDecoder().decode(Version.self, from: data)
    if let schema = version?.schema, schema != RecordedTimeline.schema {
      throw UsageError(
        "'\(path)' is of '\(schema)', this build reads '\(RecordedTimeline.schema)';"
          + " use the build that measured")
    }
    do {
      return try JSONDecoder().decode(RecordedTimeline.self, from: data)
    } catch {
      throw UsageError("'\(path)' is no recording of a cell: \(error.inJSON)")
    }
  }
}
