package import Judging
package import Measurement

/// The progress of a run, topology by topology. Times count from the start of the run.
package struct RunProgress: Sendable {
  struct Section: Sendable {
    /// Without a topology.
    let key: CellKey
    var lines: [Line] = []
    /// `raw_sqlite_ms` of every sound cell.
    var raw: [Double] = []
  }

  struct Line: Sendable {
    let key: CellKey
    var planned = 0
    var done = 0
    /// Cells that were wrong, crashed or timed out.
    var failed = 0
    var suspect = 0
    /// `main_blocked_ms` of every sound cell.
    var blocked: [Double] = []
    /// Cells with a known length, and the sum of their lengths.
    var timed = 0
    var time = Duration.zero

    var median: Double? { Statistics.median(blocked) }
    var left: Int { planned - done }
  }

  private(set) var sections: [Section] = []
  /// The cell that is being measured, and its start.
  package private(set) var current: (key: CellKey, since: Duration)?
  package var processor: ProcessorShare?
  private let ranks: [String: Int]
  private let length: Duration?

  /// - Parameters:
  ///   - topologies: names in the order of the list. Others follow.
  ///   - length: the length of a run that is limited by time.
  package init(topologies: [String], length: Duration? = nil) {
    ranks = Dictionary(
      topologies.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    self.length = length
  }

  // MARK: What happens

  package mutating func plan(_ cells: [CellKey], finished: [CellResult] = []) {
    for key in cells { change(key) { $0.planned += 1 } }
    let ranks = ranks
    func rank(_ line: Line) -> Int { ranks[line.key.topology] ?? ranks.count }
    for section in sections.indices {
      sections[section].lines.sort { rank($0) < rank($1) }
    }
    for cell in finished { note(CellKey(cell), cell) }
  }

  package mutating func begin(_ key: CellKey, at now: Duration) { current = (key, now) }

  package mutating func end(_ key: CellKey, as result: CellResult, at now: Duration) {
    note(key, result)
    if let current {
      change(key) { line in
        line.timed += 1
        line.time += now - current.since
      }
    }
    current = nil
  }

  private mutating func note(_ key: CellKey, _ result: CellResult) {
    let section = change(key) { line in
      line.done += 1
      switch result.status {
      case .ok: if let blocked = result.metrics[.mainBlocked] { line.blocked.append(blocked) }
      case .suspect: line.suspect += 1
      case .wrong, .crashed, .timeout: line.failed += 1
      }
    }
    guard result.status == .ok, let raw = result.metrics[.rawSQLite] else { return }
    sections[section].raw.append(raw)
  }

  /// - Returns: the index of the section, which is added if it is new.
  @discardableResult
  private mutating func change(_ key: CellKey, _ body: (inout Line) -> Void) -> Int {
    let section = sections.firstIndex { $0.key == key.section } ?? sections.count
    if section == sections.count { sections.append(Section(key: key.section)) }
    let lines = sections[section].lines
    let line = lines.firstIndex { $0.key.topology == key.topology } ?? lines.count
    if line == lines.count { sections[section].lines.append(Line(key: key)) }
    body(&sections[section].lines[line])
    return section
  }

  // MARK: Estimates

  private var lines: some Sequence<Line> { sections.lazy.flatMap(\.lines) }

  var planned: Int { lines.reduce(0) { $0 + $1.planned } }
  var done: Int { lines.reduce(0) { $0 + $1.done } }
  var failed: Int { lines.reduce(0) { $0 + $1.failed } }
  var suspect: Int { lines.reduce(0) { $0 + $1.suspect } }

  /// `5000-cities, pool store`, with the parameters if sections differ in them.
  func title(_ section: Section) -> String {
    let key = section.key
    let title = "\(key.scenario), \(key.store) store"
    guard sections.contains(where: { $0.key.parameters != key.parameters }) else { return title }
    // A JSON object without its punctuation.
    return "\(title), \(key.parameters.filter { !"{}\"".contains($0) })"
  }

  var noise: RunNoise { RunNoise(raw: sections.map(\.raw), processor: processor) }

  /// Assumes that a cell takes as long as earlier ones of its topology, or else of the others. Nil
  /// before the first cell has ended.
  func timeLeft(at now: Duration) -> Duration? {
    if let length { return max(.zero, length - now) }
    let timed = lines.reduce(0) { $0 + $1.timed }
    guard timed > 0 else { return nil }
    let usual = lines.reduce(.zero) { $0 + $1.time } / timed
    func each(_ line: Line) -> Duration { line.timed > 0 ? line.time / line.timed : usual }
    let left = lines.reduce(Duration.zero) { $0 + each($1) * $1.left }
    guard let current, let line = lines.first(where: { $0.key == current.key }) else { return left }
    // The elapsed part of the current cell, at most its expected time.
    return left - min(now - current.since, each(line))
  }
}
