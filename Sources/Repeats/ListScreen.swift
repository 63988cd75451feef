import ObjectGraph
import Queues
import Topologies
import Workload

struct ScreenSpecification: Sendable {
  var visibleRows: Int
  /// 0 for no scrolling.
  var rowsPerSecond: Double
  var readsRows: Bool
  var drawing: Scenario.Drawing
}

/// Some rows of the list, laid out and committed frame by frame. Records when the list's latest
/// state was delivered and first shown.
// @unchecked: confined to the main queue.
final class ListScreen: MainScreen, @unchecked Sendable {
  private let queue: SimulatedMainQueue
  private let specification: ScreenSpecification
  private var topology: (any Topology)?
  private var scrollStart: Instant?
  private var version = 0
  private var shownVersion = -1
  private var whenShown: (() -> Void)?

  /// When a change of any list last reached main.
  private(set) var delivered: Instant?
  /// When a frame first showed the list's latest state.
  private(set) var shown: Instant?
  /// When a frame last showed other rows than the frame before; nil if frames read no rows.
  private(set) var rowsChanged: Instant?
  private(set) var frameNeededSince: Instant?
  private var rowsShown: [ContiguousArray<Value>] = []

  init(_ specification: ScreenSpecification, on queue: SimulatedMainQueue) {
    self.specification = specification
    self.queue = queue
  }

  var isScrolling: Bool { scrollStart != nil }

  func attach(_ topology: any Topology) {
    self.topology = topology
    invalidate()
  }

  /// Call it before the topology is closed.
  func detach() {
    topology = nil
    scrollStart = nil
    frameNeededSince = nil
  }

  func startScrolling() {
    guard specification.rowsPerSecond > 0 else { return }
    scrollStart = queue.clock.now()
    invalidate()
  }

  func stopScrolling() { scrollStart = nil }

  func listDidChange(_ event: ListEvent) {
    version += 1
    otherListDidChange()
    invalidate()
    switch event {
    case .changes(let changes): draw(for: specification.drawing.delta * changes.count)
    case .reload: draw(for: specification.drawing.reload)
    }
    if specification.drawing.snapshotItem > .zero {
      draw(for: specification.drawing.snapshotItem * (topology?.list.count ?? 0))
    }
  }

  func otherListDidChange() {
    let now = queue.clock.now()
    delivered = now
    Activity.recorder?.timeline?.note(.listChanged, at: now)
  }

  /// When every list was delivered and this one's latest state shown; nil if no list changed.
  var visible: Instant? { delivered.map { max($0, shown ?? $0) } }

  /// Calls `body` once the latest state of the list was shown, which may be at once.
  func whenLatestIsShown(_ body: @escaping () -> Void) {
    if shownVersion == version { body() } else { whenShown = body }
  }

  func layoutAndCommit() {
    frameNeededSince = isScrolling ? queue.clock.now() : nil
    let rows = readVisibleRows()
    draw(for: specification.drawing.frame + specification.drawing.cell * rows.count)
    if rows != rowsShown {
      rowsShown = rows
      rowsChanged = queue.clock.now()
    }
    guard shownVersion != version else { return }
    shownVersion = version
    shown = queue.clock.now()
    whenShown.take()?()
  }

  private func invalidate() {
    if topology != nil, frameNeededSince == nil { frameNeededSince = queue.clock.now() }
  }

  private func readVisibleRows() -> [ContiguousArray<Value>] {
    guard let topology else { return [] }
    return queue.slice(.perform) {
      let list = topology.list
      let rows = visibleRange(of: list.count)
      topology.visibleRowsDidChange(rows)
      // After a change, a table asks for the rows of every section.
      if shownVersion != version { _ = list.sections }
      return specification.readsRows ? rows.map { list.cell(at: $0) } : []
    }
  }

  private func visibleRange(of count: Int) -> Range<Int> {
    let last = max(0, count - specification.visibleRows)
    var first = 0
    if let scrollStart, last > 0 {
      let seconds = Double((queue.clock.now() - scrollStart).wholeNanoseconds) / 1e9
      first = Int(seconds * specification.rowsPerSecond) % (last + 1)
    }
    return first..<min(count, first + specification.visibleRows)
  }

  /// Keeps main busy for as long as drawing would.
  private func draw(for duration: Duration) {
    guard duration > .zero else { return }
    queue.slice(.ui) {
      let end = queue.clock.now() + duration
      while queue.clock.now() < end {}
    }
  }
}
