import ObjectGraph
import Queues
import Topologies
import Workload

/// What the screen shows of the list.
struct ScreenSpecification: Sendable {
  var visibleRows: Int
  /// How fast the user scrolls; 0 for not at all.
  var rowsPerSecond: Double
  /// Whether a frame reads the rows that it shows.
  var readsRows: Bool
  /// What drawing costs main, beside reading the rows.
  var drawing: Scenario.Drawing
}

/// The screen of every scenario: some rows of the list, laid out and committed frame by frame.
///
/// Takes what the list tells, and remembers when its latest state was delivered and first shown.
// @unchecked: confined to the main queue.
final class ListScreen: MainScreen, @unchecked Sendable {
  private let queue: SimulatedMainQueue
  private let specification: ScreenSpecification
  private var list: (any ListOnMain)?
  private var scrollStart: Instant?
  private var version = 0
  private var shownVersion = -1
  private var whenShown: (() -> Void)?

  /// When the latest change of the list was delivered.
  private(set) var delivered: Instant?
  /// When the first frame with the latest state of the list was committed.
  private(set) var shown: Instant?
  private(set) var frameNeededSince: Instant?

  init(_ specification: ScreenSpecification, on queue: SimulatedMainQueue) {
    self.specification = specification
    self.queue = queue
  }

  var isScrolling: Bool { scrollStart != nil }

  /// Shows a list for the first time.
  func attach(_ list: any ListOnMain) {
    self.list = list
    invalidate()
  }

  /// The user starts scrolling, if the scenario has them scroll.
  func startScrolling() {
    guard specification.rowsPerSecond > 0 else { return }
    scrollStart = queue.clock.now()
    invalidate()
  }

  func stopScrolling() {
    scrollStart = nil
  }

  func listDidChange(_ event: ListEvent) {
    version += 1
    delivered = queue.clock.now()
    invalidate()
    switch event {
    case .changes(let changes): draw(for: specification.drawing.delta * changes.count)
    case .reload: draw(for: specification.drawing.reload)
    }
    if specification.drawing.snapshotItem > .zero {
      draw(for: specification.drawing.snapshotItem * (list?.count ?? 0))
    }
  }

  /// Calls `body` once the latest state of the list has been shown; at once if it has.
  func whenLatestIsShown(_ body: @escaping () -> Void) {
    if shownVersion == version { body() } else { whenShown = body }
  }

  func layoutAndCommit() {
    frameNeededSince = isScrolling ? queue.clock.now() : nil
    let cells = specification.readsRows ? readVisibleRows() : 0
    draw(for: specification.drawing.frame + specification.drawing.cell * cells)
    guard shownVersion != version else { return }
    shownVersion = version
    shown = queue.clock.now()
    whenShown.take()?()
  }

  private func invalidate() {
    if frameNeededSince == nil { frameNeededSince = queue.clock.now() }
  }

  /// - Returns: how many rows were read.
  private func readVisibleRows() -> Int {
    guard let list else { return 0 }
    return queue.slice(.perform) {
      let rows = visibleRange(of: list.count)
      for index in rows { _ = list.row(at: index) }
      return rows.count
    }
  }

  /// The rows that the scroll has come to; at the end it begins again at the top.
  private func visibleRange(of count: Int) -> Range<Int> {
    let last = max(0, count - specification.visibleRows)
    var first = 0
    if let scrollStart, last > 0 {
      let seconds = Double((queue.clock.now() - scrollStart).wholeNanoseconds) / 1e9
      first = Int(seconds * specification.rowsPerSecond) % (last + 1)
    }
    return first..<min(count, first + specification.visibleRows)
  }

  /// Keeps main busy as drawing would.
  private func draw(for duration: Duration) {
    guard duration > .zero else { return }
    queue.slice(.ui) {
      let end = queue.clock.now() + duration
      while queue.clock.now() < end {}
    }
  }
}
