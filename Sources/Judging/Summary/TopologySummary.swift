package import Measurement

package struct TopologySummary: Codable, Sendable, Equatable {
  /// Cells that ended alike, but not `ok`.
  package struct Failure: Codable, Sendable, Equatable {
    package let status: CellStatus
    package let cells: Int
    package let error: String

    package init(status: CellStatus, cells: Int, error: String) {
      self.status = status
      self.cells = cells
      self.error = error
    }

    static func all(in cells: [CellResult]) -> [Failure] {
      CellStatus.allCases.filter { $0 != .ok }.compactMap { status in
        let failed = cells.filter { $0.status == status }
        return failed.first.map { Failure(status: status, cells: failed.count, error: $0.error) }
      }
    }
  }

  package let name: String
  /// From 1. Nil without an `ok` cell, or with too few trials.
  package let rank: Int?
  package let isRankShared: Bool
  /// Over the `ok` cells, by column.
  package let estimates: [String: Estimate]
  /// `total_ms` over `raw_sqlite_ms` of the same cell.
  package let ratioToRaw: Estimate?
  package let smoothness: Smoothness?
  /// In ms, without gaps that the instrument caused.
  package let longestGap: Estimate?
  package let longestGapCause: String?
  package let okCells: Int
  package let failures: [Failure]
  /// Relative, of `main_blocked_ms` between trials.
  package let spread: Double?

  package var cells: Int { failures.reduce(okCells) { $0 + $1.cells } }

  package func median(_ metric: Metric) -> Double? { estimate(metric)?.median }

  package func estimate(_ metric: Metric) -> Estimate? { estimates[metric.name] }

  /// Of the medians.
  package func ratio(_ metric: Metric, to other: Metric) -> Double? {
    guard let value = median(metric), let base = median(other), base > 0 else { return nil }
    return value / base
  }

  init(name: String, cells: [CellResult], place: Ranking.Place?, isRanked: Bool) {
    let ok = cells.filter { $0.status == .ok }
    self.name = name
    rank = isRanked ? place?.rank : nil
    isRankShared = isRanked && place?.isShared ?? false
    estimates = Self.estimates(ok)
    ratioToRaw = Estimate(ok.compactMap(\.ratioToRawSQLite))
    smoothness = Smoothness(ok)
    longestGap = Estimate(ok.compactMap(\.longestOwnGap))
    longestGapCause = Self.mostFrequent(
      ok.filter { !$0.hasInstrumentGap }.compactMap { $0.metrics[label: .longestGapCause] })
    okCells = ok.count
    failures = Failure.all(in: cells)
    spread = Statistics.relativeSpread(ok.compactMap { $0.metrics[.mainBlocked] })
  }

  private static func estimates(_ cells: [CellResult]) -> [String: Estimate] {
    var estimates: [String: Estimate] = [:]
    for metric in Metrics.all where metric.kind != .label {
      estimates[metric.name] = Estimate(cells.compactMap { $0.metrics[metric] })
    }
    return estimates
  }

  /// Of equals, the first in alphabetical order.
  private static func mostFrequent(_ texts: [String]) -> String? {
    var counts: [String: Int] = [:]
    for text in texts { counts[text, default: 0] += 1 }
    return counts.min { (-$0.value, $0.key) < (-$1.value, $1.key) }?.key
  }
}

extension CellResult {
  /// Nil if a heartbeat or the harness caused it, which an app would not have.
  var longestOwnGap: Double? { hasInstrumentGap ? nil : metrics[.mainLongestGap] }

  fileprivate var hasInstrumentGap: Bool {
    metrics[label: .longestGapCause].map { ["heartbeat", "harness"].contains($0) } ?? false
  }
}
