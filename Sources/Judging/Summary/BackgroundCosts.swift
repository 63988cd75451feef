import Measurement

/// Costs that main's figures do not show: statements of other threads, and the WAL's size. Each
/// figure is a topology's median over trials.
package struct BackgroundCosts {
  package typealias Count = (topology: String, value: Double)

  /// Topologies whose other threads run many more SQL statements than those of `fewest`; the most
  /// first.
  package let statements: [Count]
  package let fewest: Count?
  /// WALs in MiB, the largest first.
  package let largeWALs: [Count]

  /// Many statements are at least so many, and over so many times those of another topology.
  package static let manyStatements = (count: 1000.0, times: 10.0)
  /// In MiB: ten times the size at which SQLite starts a checkpoint.
  package static let largeWAL = 40.0

  package init(_ section: SummarySection) {
    func counts(_ metric: Metric) -> [Count] {
      section.topologies.compactMap { topology in
        topology.median(metric).map { (topology.name, $0) }
      }.sorted { ($1.value, $0.topology) < ($0.value, $1.topology) }
    }
    let all = counts(.workerStatements)
    // Without any, a topology does its work on main.
    let fewest = all.last { $0.value > 0 }
    self.fewest = fewest
    statements = all.filter { count in
      count.value >= Self.manyStatements.count
        && count.value > Self.manyStatements.times * (fewest?.value ?? 0)
    }
    largeWALs = counts(.walSize).filter { $0.value > Self.largeWAL }
  }
}
