package import Measurement

package struct SideCells: Sendable {
  /// Where a row begins.
  package struct Place: Sendable, Equatable {
    // Small, since each of a million rows has one.
    private let fileIndex: Int32
    private let lineNumber: Int32

    /// - Parameters:
    ///   - file: an index among the side's files.
    ///   - line: counted from 1.
    package init(file: Int, line: Int) {
      fileIndex = Int32(clamping: file)
      lineNumber = Int32(clamping: line)
    }

    package var file: Int { Int(fileIndex) }
    package var line: Int { Int(lineNumber) }
  }

  package struct Contradiction: Sendable, Equatable {
    package let cell: String
    package let first: Place
    package let second: Place
    /// The differing metrics. None if only other columns differ.
    package let metrics: [Metric]
  }

  /// Without labels.
  package let metrics: [Metric]
  /// In the order of first appearance.
  package private(set) var groups: [CellGroup] = []
  /// Cells of every status.
  package private(set) var cells = 0
  /// Rows left out as repetitions. Counting them would make intervals too narrow.
  package private(set) var repeatedRows = 0
  /// The first cell that occurs again with different values.
  package private(set) var contradiction: Contradiction?
  // The origins of the rows, without empty texts.
  package private(set) var hosts: Set<String> = []
  package private(set) var runs: Set<String> = []
  package private(set) var labels: Set<String> = []
  package private(set) var revisions: Set<String> = []
  package private(set) var seeds: Set<UInt64> = []

  private var places: [CellKey: Int] = [:]
  // Hashes. Two of a million rows collide with a probability of 10⁻⁸.
  private var wholeRows: Set<Int> = []
  private var observations: Set<Int> = []
  private var identities: [Int: Place] = [:]
  private let positions: [Int]
  private let only: Set<String>

  /// - Parameter only: the topologies to keep. Empty keeps all.
  package init(keeping metrics: [Metric] = Metrics.all, only: [String] = []) {
    self.only = Set(only)
    let numeric = metrics.filter { $0.kind != .label }
    self.metrics = numeric
    positions = numeric.map(Metrics.position)
  }

  package init(_ cells: [CellResult], keeping metrics: [Metric] = Metrics.all) {
    self.init(keeping: metrics)
    for cell in cells { add(cell) }
  }

  package func group(_ key: CellKey) -> CellGroup? {
    places[key].map { groups[$0] }
  }

  package func keeps(_ metric: Metric) -> Bool { metrics.contains(metric) }

  package var okCells: Int { groups.reduce(0) { $0 + $1.okCells } }

  package mutating func add(_ cell: CellResult, at place: Place = Place(file: 0, line: 0)) {
    guard only.isEmpty || only.contains(cell.topology) else { return }
    let key = CellKey(cell)
    guard wholeRows.insert(cell.hashValue).inserted else {
      repeatedRows += 1
      return
    }
    if !positions.isEmpty { observations.insert(observation(cell, key)) }
    let group = index(of: key)
    let first = identities.updateValue(place, forKey: identity(cell, key))
    if let first, contradiction == nil {
      contradiction = Contradiction(
        cell: "\(key.topology.brief), trial \(cell.trial) of \(key.place)", first: first,
        second: place, metrics: groups[group].metrics(differingFrom: cell))
    }
    cells += 1
    groups[group].add(cell)
    Self.note(cell.hostID, in: &hosts)
    Self.note(cell.runID, in: &runs)
    Self.note(cell.label, in: &labels)
    Self.note(cell.gitSHA, in: &revisions)
    seeds.insert(cell.seed)
  }

  /// Counts cells that both sides have, not different cells of one run. Both sides must keep the
  /// same metrics, and at least one.
  package func cellsShared(with other: SideCells) -> Int {
    observations.intersection(other.observations).count
  }

  private mutating func index(of key: CellKey) -> Int {
    if let place = places[key] { return place }
    groups.append(CellGroup(key: key, metrics: positions))
    places[key] = groups.count - 1
    return groups.count - 1
  }

  private static func note(_ text: String, in texts: inout Set<String>) {
    if !text.isEmpty { texts.insert(text) }
  }

  /// Identifies a cell in its run.
  private func identity(_ cell: CellResult, _ key: CellKey) -> Int {
    var hasher = Hasher()
    hasher.combine(key)
    hasher.combine(cell.runID)
    hasher.combine(cell.trial)
    hasher.combine(cell.duet)
    return hasher.finalize()
  }
  /// Identifies a measurement, by its compared values too.
  private func observation(_ cell: CellResult, _ key: CellKey) -> Int {
    var hasher = Hasher()
    hasher.combine(key)
    hasher.combine(cell.runID)
    hasher.combine(cell.trial)
    hasher.combine(cell.order)
    hasher.combine(cell.startedAt)
    hasher.combine(cell.hostID)
    for position in positions { hasher.combine(cell.metrics[position: position]) }
    return hasher.finalize()
  }
}
