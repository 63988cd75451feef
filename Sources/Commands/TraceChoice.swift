import ArgumentParser
import Foundation
import Harness
import Judging
import Measurement
import Support

/// The cells of some reports that a trace shows.
struct TraceChoice {
  /// An empty list accepts anything.
  struct Wanted: ParsableArguments {
    @Option(
      help: .init("Only this scenario. Repeatable.", valueName: "name"),
      completion: .measuredScenarios)
    var scenario: [String] = []
    @Option(
      help: .init("Only this topology. Repeatable.", valueName: "name"),
      completion: .measuredTopologies)
    var topology: [String] = []
    @Option(help: "Only this store mode: pool or serial.")
    var store: String?
    @Option(help: .init("Trial to export instead of the median one. Repeatable.", valueName: "n"))
    var trial: [Int] = []
  }

  struct Cell {
    let row: CellResult
    let csv: URL
    let recording: URL

    init(_ row: CellResult, in csv: URL) throws {
      self.row = row
      self.csv = csv
      recording = try ResultsFile.recording(of: row, in: csv)
    }

    var isRecorded: Bool { FileManager.default.fileExists(atPath: recording.path) }

    fileprivate var group: [String] {
      [csv.path, row.label, row.scenario, row.parameters, row.topology, row.store]
    }

    private struct Version: Decodable {
      let schema: String
    }

    /// - Throws: `UsageError` if the file is no recording, or of another run.
    func timeline() throws -> RecordedTimeline {
      let path = recording.path
      let data: Data
      do {
        data = try Data(contentsOf: recording)
      } catch {
        throw UsageError("cannot read '\(path)': \(FileError.reason(error))")
      }
      let version = try? JSONDecoder().decode(Version.self, from: data)
      if let schema = version?.schema, schema != RecordedTimeline.schema {
        throw UsageError(
          "'\(path)' is of \(schema.quoted), this build reads '\(RecordedTimeline.schema)';"
            + " use the build that measured")
      }
      let timeline: RecordedTimeline
      do {
        timeline = try JSONDecoder().decode(RecordedTimeline.self, from: data)
      } catch {
        throw UsageError("'\(path)' is no recording of a cell: \(error.inJSON)")
      }
      guard timeline.cell.runID == row.runID, timeline.cell.order == row.order else {
        throw UsageError(
          "'\(path)' is not of the run in '\(csv.path)'; measure again with --record")
      }
      return timeline
    }
  }

  /// In the reports' order; within a report topologies are in the order of their first cells.
  let cells: [Cell]
  let notRecorded: [String]

  /// - Throws: `HarnessError` if a report cannot be read, `UsageError` if no cell of it was chosen
  ///   or recorded.
  init(reading files: [String], wanted: Wanted) throws {
    let cells = try wanted.fitting(files.flatMap(Self.cells))
    let groups = Dictionary(grouping: cells, by: \.group)
    var chosen: [Cell] = []
    var missing: [String] = []
    for group in cells.map(\.group).unique.compactMap({ groups[$0] }) {
      let recorded = group.filter { wanted.accepts($0.row.trial) && $0.isRecorded }
      if recorded.isEmpty { missing.append(group[0].row.traceName) }
      chosen += wanted.trial.isEmpty ? [Self.median(of: recorded)].compactMap { $0 } : recorded
    }
    guard !chosen.isEmpty else {
      let recorded = Set(cells.filter(\.isRecorded).map(\.row.trial)).sorted().map { "\($0)" }
      throw UsageError(
        "--trial: none of these trials was recorded. Recorded trials:"
          + " \(recorded.joined(separator: ", "))")
    }
    self.cells = chosen
    notRecorded = missing
  }

  private static func cells(of file: String) throws -> [Cell] {
    if file == "-" { throw UsageError("trace: name a file; its cells lie beside it") }
    let csv = URL(fileURLWithPath: file)
    var rows: [CellResult] = []
    try ReportReader.read(file) { row, _ in rows.append(row) }
    let cells = try rows.map { try Cell($0, in: csv) }
    guard cells.contains(where: \.isRecorded) else {
      throw UsageError("'\(file)': none of its cells was recorded; measure again with --record")
    }
    return cells.sorted { $0.row.order < $1.row.order }
  }

  /// The trial that a page shows, or the first cell if none is ok.
  static func median(of cells: [Cell]) -> Cell? {
    let shown = MedianTrial(asked: cells.map(\.row))?.shown
    return cells.first { $0.row == shown } ?? cells.first
  }
}

extension TraceChoice.Wanted {
  fileprivate func accepts(_ number: Int) -> Bool { trial.isEmpty || trial.contains(number) }

  /// - Throws: `UsageError` if a name is in no report.
  fileprivate func fitting(_ cells: [TraceChoice.Cell]) throws -> [TraceChoice.Cell] {
    try Self.require(scenario, "--scenario", among: cells.map(\.row.scenario))
    try Self.require(topology, "--topology", among: cells.map(\.row.topology))
    try Self.require(store.map { [$0] } ?? [], "--store", among: cells.map(\.row.store))
    let fitting = cells.filter { cell in
      (scenario.isEmpty || scenario.contains(cell.row.scenario))
        && (topology.isEmpty || topology.contains(cell.row.topology))
        && (store ?? cell.row.store) == cell.row.store
    }
    guard fitting.contains(where: \.isRecorded) else {
      throw UsageError("trace: no recorded cell fits all options; leave one out")
    }
    return fitting
  }

  private static func require(_ names: [String], _ flag: String, among all: [String]) throws {
    let known = all.unique
    guard let unknown = names.first(where: { !known.contains($0) }) else { return }
    throw UsageError(
      "\(flag): no cell of '\(unknown)' in the reports. There are: \(known.joined(separator: ", ").short)"
    )
  }
}

extension CellResult {
  /// `notification-merge · pool · 5000-cities`
  fileprivate var traceName: String {
    [self.topology, self.store, self.scenario, self.parameters, self.label]
      .filter { !$0.isEmpty }.joined(separator: " · ")
  }
}
