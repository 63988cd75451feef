package import Measurement
import Support

/// The medians of one run in one scenario.
package struct RunMedians: Sendable {
  /// Identifies a figure within a scenario.
  package struct Key: Hashable, Comparable, Sendable {
    package let measure: Measure
    /// The topology, its store mode unless `pool`, and its parameters.
    package let series: String

    /// `parent-child.main_instructions`
    package var name: String { "\(series).\(measure.name)" }

    package static func < (left: Self, right: Self) -> Bool {
      (left.measure, left.series) < (right.measure, right.series)
    }
  }

  package let scenario: String
  package let run: String
  /// ISO 8601 UTC.
  package let startedAt: String
  /// `unknown` if the report does not say it.
  package let commit: String
  /// Of several machines, all. Empty if a cell does not name its machine.
  package let host: String
  /// Whether cells counted instructions, without times.
  package let isCounted: Bool
  /// Without figures that no cell measured.
  package let estimates: [Key: Estimate]

  /// Whether the machine is known to be that of the other run.
  package func isOfMachine(_ other: RunMedians) -> Bool { !host.isEmpty && host == other.host }

  package func median(_ measure: Measure, of series: String) -> Double? {
    estimates[Key(measure: measure, series: series)]?.median
  }

  /// One for each run and scenario, oldest first. Only `ok` cells count, and only the candidate's
  /// of a duet.
  ///
  /// - Parameter cells: each once.
  package static func all(of cells: [CellResult]) -> [RunMedians] {
    cells.filter { $0.status == .ok && $0.duet?.side != .baseline }
      .grouped { [$0.runID, $0.scenario] }
      .map { RunMedians($0.elements) }
      .sorted { ($0.startedAt, $0.run, $0.scenario) < ($1.startedAt, $1.run, $1.scenario) }
  }

  /// - Precondition: there is a cell.
  private init(_ cells: [CellResult]) {
    let first = cells.min { $0.startedAt < $1.startedAt } ?? cells[0]
    (scenario, run, startedAt) = (first.scenario, first.runID, first.startedAt)
    commit = first.gitSHA.isEmpty ? "unknown" : first.gitSHA
    let hosts = Set(cells.map(\.hostID))
    host = hosts.contains("") ? "" : hosts.sorted().joined(separator: " ")
    isCounted = first.isCounted
    var estimates: [Key: Estimate] = [:]
    for (series, cells) in cells.grouped(by: \.series) {
      for measure in Measure.all {
        estimates[Key(measure: measure, series: series)] = Estimate(
          cells.compactMap(measure.value), areCounts: measure.isCount)
      }
    }
    self.estimates = estimates
  }
}

extension [RunMedians] {
  /// Figures in every run.
  package var sharedKeys: [RunMedians.Key] {
    keys.filter { key in allSatisfy { $0.estimates[key] != nil } }
  }

  /// Figures that some runs lack.
  package var partialKeys: [RunMedians.Key] {
    keys.filter { key in contains { $0.estimates[key] == nil } }
  }

  private var keys: [RunMedians.Key] { Set(flatMap(\.estimates.keys)).sorted() }
}

extension CellResult {
  fileprivate var series: String {
    let place = CellKey(self)
    let parts = [self.topology, self.store == "pool" ? "" : self.store, place.parameters]
    return parts.filter { !$0.isEmpty }.joined(separator: " ")
  }
}

/// A figure to follow over commits: a count, or a time over its cell's raw SQLite time, so that a
/// faster machine does not look like a change.
package struct Measure: Sendable {
  /// `main_instructions`, `total_per_raw_sqlite`
  package let name: String
  package let unit: String
  private let metric: Metric
  private let isRelative: Bool
  private let position: Int

  /// Instructions, exact counts, times. Readers of exports rely on names and order.
  package static let all: [Measure] = {
    let instructions = (Metric.instructions + Metric.instructionParts).map { ($0, "instructions") }
    let counts = Metrics.exactCounts.map { ($0, "count") }
    let times = Comparison.answerMetrics.filter { $0.kind == .time }.map { ($0, "× raw SQLite") }
    return (instructions + counts + times).enumerated().map { Measure($1.0, $1.1, at: $0) }
  }()

  private init(_ metric: Metric, _ unit: String, at position: Int) {
    (self.metric, self.unit, self.position) = (metric, unit, position)
    isRelative = metric.kind == .time
    name = isRelative ? "\(metric.name.dropLast(metric.unit.count))per_raw_sqlite" : metric.name
  }

  var isCount: Bool { metric.isCount }
  /// Counts are exact, times are rounded.
  package func text(_ value: Double) -> String {
    metric.isCount ? Figures.count(value) : Figures.short(value)
  }

  func value(in cell: CellResult) -> Double? {
    guard isRelative else { return cell.value(metric) }
    guard let value = cell.value(metric), let base = cell.value(.rawSQLite), base > 0 else {
      return nil
    }
    return value / base
  }
}

extension Measure: Hashable, Comparable {
  package static func < (left: Self, right: Self) -> Bool { left.position < right.position }
}
