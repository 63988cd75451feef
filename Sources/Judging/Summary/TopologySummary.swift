package import Measurement

package struct TopologySummary: Codable, Sendable, Equatable {
  /// Cells that ended with the same status, other than `ok`.
  package struct Failure: Codable, Sendable, Equatable {
    package let status: CellStatus
    package internal(set) var cells: Int
    package let error: String

    static func all(in cells: [CellResult]) -> [Failure] {
      CellStatus.allCases.filter { $0 != .ok }.compactMap { status in
        let failed = cells.filter { $0.status == status }
        return failed.first.map { Failure(status: status, cells: failed.count, error: $0.error) }
      }
    }
  }

  package let name: String
  /// Nil if it is the section's.
  package let store: String?
  /// `A`, `AB`: topologies that share a letter are not separated. Empty without an `ok` cell or
  /// a second topology, with too few trials, or if the figures cannot be trusted.
  package let letters: String
  /// Over the `ok` cells, by column.
  package let estimates: [String: Estimate]
  /// The median of `total_ms` over that of `raw_sqlite_ms`. For an opening, of `open_visible_ms`.
  /// Nil for a scroll.
  package let ratioToRaw: Double?
  /// In ms, without gaps that the instrument caused.
  package let longestGap: Estimate?
  package let longestGapCause: String?
  package let okCells: Int
  package let failures: [Failure]
  /// The relative spread of blocked time between trials.
  package let spread: Double?

  /// `grdb-queue (serial)` where the store mode is not the section's.
  package var label: String { name + (store.map { " (\($0))" } ?? "") }

  package var cells: Int { failures.reduce(okCells) { $0 + $1.cells } }

  package func median(_ metric: Metric) -> Double? { estimate(metric)?.median }

  package func estimate(_ metric: Metric) -> Estimate? { estimates[metric.name] }

  /// The median over trials. Nil if none is late and the longest gap exceeds a frame: then no frame
  /// was due in it, or it was late by less than a frame, and a zero would hide the freeze.
  package var lateFrames: Double? {
    guard let late = median(.framesLate) else { return nil }
    let isHidden =
      late == 0 && longestGap.map { FreezeLimit.frame.isPassed(by: $0.median) } ?? false
    return isHidden ? nil : late
  }

  /// - Parameter store: the section's.
  init(
    name: String, cells: [CellResult], asked question: Question, besides store: String,
    letters: String
  ) {
    let ok = cells.filter { $0.status == .ok }
    self.name = name
    self.store = cells.first.map(\.store).flatMap { $0 == store ? nil : $0 }
    self.letters = letters
    let estimates = Metrics.all.filter { $0.kind != .label }.reduce(into: [:]) {
      estimates, metric in
      estimates[metric.name] = Estimate(ok.values(metric), of: metric)
    }
    self.estimates = estimates
    let length = question.phase == .change ? Metric.total : question.visible
    ratioToRaw = Self.ratio(
      length.flatMap { estimates[$0.name] }, to: estimates[Metric.rawSQLite.name])
    longestGap = estimates[question.gap.name]
    let causes = ok.filter { question.phase == .change && !$0.hasInstrumentGap }
      .compactMap { $0.metrics[label: .longestGapCause] }
    // Of equally frequent causes, the first in alphabetical order.
    longestGapCause =
      Dictionary(grouping: causes) { $0 }
      .min { (-$0.value.count, $0.key) < (-$1.value.count, $1.key) }?.key
    okCells = ok.count
    failures = Failure.all(in: cells)
    spread = Statistics.relativeSpread(ok.values(question.blocked))
  }

  private static func ratio(_ estimate: Estimate?, to base: Estimate?) -> Double? {
    guard let estimate, let base, base.median > 0 else { return nil }
    return estimate.median / base.median
  }
}
