package import Judging
package import Measurement

/// The progress of a run as one line:
///
///     8 of 18 cells, 20 s left, 1 failed; last: sliced-merge 6.91 ms blocked
///
/// Times count from the start of the run.
package struct RunProgress: Sendable {
  /// Cells of one kind do the same work.
  private struct Kind: Hashable {
    let names: [String]

    init(_ key: CellKey) { names = [key.scenario, key.parameters, key.topology, key.store] }
  }

  private struct Cells {
    var left = 0
    /// The ended cells of this run, and the sum of their lengths.
    var timed = 0
    var time = Duration.zero

    var expected: Duration? { timed > 0 ? time / timed : nil }
  }

  private var kinds: [Kind: Cells] = [:]
  private var (planned, done, failed, suspect) = (0, 0, 0, 0)
  private var current: (kind: Kind, since: Duration)?
  private var last: CellResult?
  private let length: Duration?

  /// - Parameter length: the length of a run that is limited by time.
  package init(length: Duration? = nil) { self.length = length }

  /// The start of the cell that is being measured.
  package var currentStart: Duration? { current?.since }

  // MARK: What happens

  package mutating func plan(_ cells: [CellKey], finished: [CellResult] = []) {
    planned += cells.count
    for key in cells { kinds[Kind(key), default: Cells()].left += 1 }
    for cell in finished { note(cell, of: Kind(CellKey(cell))) }
  }

  package mutating func begin(_ key: CellKey, at now: Duration) { current = (Kind(key), now) }

  package mutating func end(_ key: CellKey, as result: CellResult, at now: Duration) {
    let kind = Kind(key)
    note(result, of: kind)
    last = result
    guard let current else { return }
    kinds[kind, default: Cells()].timed += 1
    kinds[kind, default: Cells()].time += now - current.since
    self.current = nil
  }

  private mutating func note(_ result: CellResult, of kind: Kind) {
    kinds[kind, default: Cells()].left -= 1
    done += 1
    switch result.status {
    case .ok: break
    case .suspect: suspect += 1
    case .wrong, .crashed, .timeout: failed += 1
    }
  }

  // MARK: The line

  /// - Parameter columns: the terminal's width. The line leaves its last column empty, because
  ///   terminals disagree about the cursor after a full line. Nil for no limit.
  package func line(at now: Duration, style: TextStyle, columns: Int? = nil) -> String {
    let counts = ["\(done) of \(Figures.counted(planned, "cell"))"]
    let left = timeLeft(at: now).map { ["\(Figures.length($0)) left"] } ?? []
    let bad = [(failed, "failed"), (suspect, "suspect")].filter { $0.0 > 0 }
      .map { "\($0.0) \($0.1)" }
    let end = last.map { "; last: \($0.topology) \(Self.text($0))" } ?? ""
    let line = style.printable((counts + left + bad).joined(separator: ", ") + end).asLogLine
    return columns.map { line.shortened(to: max(1, $0 - 1), mark: style.printable("…")) } ?? line
  }

  /// Assumes that a cell takes as long as the ended ones of its kind. Nil while a planned kind has
  /// no ended cell.
  private func timeLeft(at now: Duration) -> Duration? {
    if let length { return max(.zero, length - now) }
    var left = Duration.zero
    for cells in kinds.values where cells.left > 0 {
      guard let expected = cells.expected else { return nil }
      left += expected * cells.left
    }
    guard let current, let expected = kinds[current.kind]?.expected else { return left }
    // The elapsed part of the current cell, at most its expected time.
    return left - min(now - current.since, expected)
  }

  private static func text(_ cell: CellResult) -> String {
    guard cell.status == .ok else { return cell.status.rawValue }
    if let blocked = cell.metrics[cell.question.blocked] {
      return "\(Figures.milliseconds(blocked)) blocked"
    }
    return cell.metrics[cell.question.instructions].map { "\(Figures.count($0)) instructions" }
      ?? "ok"
  }
}
