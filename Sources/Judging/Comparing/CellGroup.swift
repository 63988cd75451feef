package import Measurement

/// The cells of a key on one side. Only compared figures are kept.
package struct CellGroup: Sendable {
  /// Identifies a pair of a duet, or a trial of a run.
  package struct Round: Hashable, Sendable {
    package let run: String
    package let trial: Int

    init(run: String, trial: Int) { (self.run, self.trial) = (run, trial) }

    init(_ cell: CellResult) {
      self.init(run: cell.runID, trial: cell.duet?.pair ?? cell.trial)
    }
  }

  package let key: CellKey
  /// One for each `ok` cell, in the order of the rows.
  package private(set) var rounds: [Round] = []
  /// The last cell's.
  package private(set) var question = Question.change
  package private(set) var failures: [TopologySummary.Failure] = []
  /// By seed, because other seeds do other work.
  package private(set) var fingerprints: [UInt64: Set<String>] = [:]
  package private(set) var unsteadyCounts: Set<String> = []
  package private(set) var seeds: Set<UInt64> = []
  /// An empty text for cells that do not name their machine.
  package private(set) var hosts: Set<String> = []

  /// Whether every cell belongs to a pair of a duet.
  package private(set) var isPaired = true

  /// One for each round.
  private var rows: MetricRows

  /// - Parameter metrics: indexes in `Metrics.all`.
  init(key: CellKey, metrics: [Int]) {
    self.key = key
    rows = MetricRows(of: metrics)
  }

  package var okCells: Int { rounds.count }
  package var cells: Int { failures.reduce(okCells) { $0 + $1.cells } }

  /// The values of the `ok` cells that measured the metric, in the order of the rows or of their
  /// size.
  ///
  /// - Precondition: the side keeps the metric.
  package func values(_ metric: Metric, areSorted: Bool = false) -> [Double] {
    rows.values(metric, areSorted: areSorted)
  }

  /// If a round has several cells, the last cell gives its value.
  package func valuesByRound(_ metric: Metric) -> [Round: Double] {
    let measured = zip(rounds, rows.column(metric)).filter { !$1.isNaN }
    return Dictionary(measured) { $1 }
  }

  /// Those in which the cell differs from the first cell of its round.
  func metrics(differingFrom cell: CellResult) -> [Metric] {
    guard let row = rounds.firstIndex(of: Round(cell)) else { return [] }
    return rows.metrics(differingFrom: cell, at: row)
  }

  mutating func add(_ cell: CellResult) {
    if cell.duet == nil { isPaired = false }
    seeds.insert(cell.seed)
    hosts.insert(cell.hostID)
    guard cell.status == .ok else { return addFailure(cell) }
    rounds.append(Round(cell))
    question = cell.question
    rows.append(cell)
    if !cell.fingerprint.isEmpty {
      fingerprints[cell.seed, default: []].insert(cell.fingerprint)
    }
    if let names = cell.metrics[label: .unsteadyCounts] {
      unsteadyCounts.formUnion(names.split(separator: " ").map(String.init))
    }
  }

  private mutating func addFailure(_ cell: CellResult) {
    if let index = failures.firstIndex(where: { $0.status == cell.status }) {
      failures[index].cells += 1
    } else {
      failures.append(TopologySummary.Failure(status: cell.status, cells: 1, error: cell.error))
    }
  }

  /// Whether an `ok` cell measured the metric, which the side keeps.
  package func measures(_ metric: Metric) -> Bool { rows.measures(metric) }
}
