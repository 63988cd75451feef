import Measurement
import Queues
import Support
import Topologies
import Workload

// The phases of a screen before and after the window of changes, on main:
//
//   open     make the topology ── load the list ── wait for a tick ── first frame
//   scroll   page ── page ── page …        each a block, as many rows as the screen shows
//
// Making and loading are blocks of their own, between which main serves a tap. Pages follow each
// other without waiting for the display: a tick between them would add idle time alone.

extension RepeatRunner {
  struct MeasuredPhase: Sendable {
    var recording: MainQueueRecording
    var visible: Instant?

    var sample: PhaseSample {
      PhaseSample(
        blocked: Double(recording.use.databaseExecuting + recording.use.databaseWaiting) / 1e6,
        longestGap: recording.longestGap.milliseconds,
        statements: recording.counts[.statements, default: 0],
        rowsRead: recording.counts[.rowsRead, default: 0],
        visible: visible.map { ($0 - recording.opened).milliseconds })
    }
  }

  /// Opens the store, fetches the lists and shows the first one.
  func open(
    _ screen: ListScreen, _ main: SimulatedMainQueue
  ) async throws -> (any Topology, MeasuredPhase) {
    try await main.run(at: opening(on: main, in: .milliseconds(1))) { [prices] in
      prices?.open()
      begin(.open, on: main)
      if !cell.scenario.list.shown.isEmpty { main.show(screen) }
    }
    let topology = try await make(screen, main)
    try await topology.load()
    try await main.run {
      try checkLists(of: topology)
      if !cell.scenario.list.shown.isEmpty { screen.attach(topology) }
    }
    if !cell.scenario.list.shown.isEmpty { await screen.latestIsShown(on: main) }
    return try await main.run { [prices] in
      prices?.close()
      return (topology, MeasuredPhase(recording: main.closeWindow(), visible: screen.shown))
    }
  }

  private func make(
    _ screen: ListScreen, _ main: SimulatedMainQueue
  ) async throws -> any Topology {
    let environment = cell.environment(store: store, main: main, screen: screen)
    let make = cell.topology.make
    switch cell.scenario.store.opensOn {
    case .main:
      return try await main.run {
        // Main's thread has no task, whose prices and timeline the topology's queues would take.
        try observed { try Activity.slice(.open) { try make(environment) } }
      }
    case .background: return try make(environment)
    }
  }

  private func observed<R>(_ body: () throws -> R) rethrows -> R {
    try Prices.$current.withValue(prices) {
      try Timeline.$current.withValue(timeline) {
        try Timeline.$change.withValue(TimelineEvent.noChange, operation: body)
      }
    }
  }

  private func checkLists(of topology: any Topology) throws {
    let (count, asked) = (topology.lists.count, cell.scenario.list.shown.count)
    guard count != asked else { return }
    throw ListCountError(
      "topology \(cell.topology.name.quoted) has \(count) list(s), the scenario asks for"
        + " \(asked); set list.count to \(count), or return the environment's lists from `lists`")
  }

  /// Reads the whole list, which does the deferred work. Nil without a list.
  func scroll(
    through topology: any Topology, _ main: SimulatedMainQueue
  ) async throws -> MeasuredPhase? {
    guard !cell.scenario.list.shown.isEmpty else { return nil }
    let page = max(1, cell.screen.visibleRows)
    let count = try await main.run {
      begin(.scroll, on: main)
      return topology.list.count
    }
    for first in stride(from: 0, to: count, by: page) {
      try await main.run {
        main.slice(.perform) {
          let list = topology.list
          for index in first..<min(list.count, first + page) { _ = list.cell(at: index) }
        }
      }
    }
    return try await main.run { MeasuredPhase(recording: main.closeWindow()) }
  }

  func begin(_ phase: ScreenPhase, on main: SimulatedMainQueue) {
    main.openWindow(
      isRecorded: cell.scenario.asksAbout == phase, isCounted: cell.countedPhase == phase)
  }
}

private struct ListCountError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
