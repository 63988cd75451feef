import Foundation
import Judging
import Measurement
import ObjectGraph
import Queues
import Synchronization
import Topologies
import Workload

// One repeat of a cell's work, on a fresh copy of the store:
//
//   load · first frame │ window: apply … settle, last frame │ scroll through list │ verify
//                      open                               close
//
// The window opens at a phase between two ticks of the display. The phase moves on by the golden
// ratio with each repeat. So the wait for a tick is spread evenly, and alike for every topology.

/// The measurements and checks of one repeat.
struct RepeatOutcome: Sendable {
  var sample: WindowSample
  /// Main's database time in nanoseconds; the sample has it in milliseconds.
  var executing: Int64
  var waiting: Int64
  var clocks: ClockAgreement
  var fingerprint: String
  /// The first difference from the expected rows, in the store or the list; nil if there is none.
  var wrong: String?
}

/// One repeat: a topology on a fresh store, from its loading to its closing.
struct RepeatRunner: Sendable {
  let cell: PreparedCell
  let store: URL
  let number: Int
  /// The expected rows if the user edits nothing.
  let expectation: Expectation
  /// Receives each event of the window; nil to record none.
  var timeline: Timeline?

  /// - Parameter loaded: called with the time at which the initial rows were loaded.
  func run(loaded: (Instant) -> Void) async throws -> RepeatOutcome {
    guard let timeline else { return try await runWatched(loaded: loaded) }
    return try await Timeline.$current.withValue(timeline) {
      try await Timeline.$change.withValue(TimelineEvent.noChange) {
        try await runWatched(loaded: loaded)
      }
    }
  }

  private func runWatched(loaded: (Instant) -> Void) async throws -> RepeatOutcome {
    let main = SimulatedMainQueue(frameRate: cell.scenario.list.frameRate)
    main.start()
    defer { main.stop() }
    let screen = ListScreen(cell.screen, on: main)
    // Weak, since the screen retains the list that notifies it.
    let topology = try cell.topology.make(
      cell.environment(store: store, main: main) { [weak screen] in screen?.listDidChange($0) })
    try await topology.load()
    try await realise(topology, main)
    loaded(main.clock.now())
    try await show(topology, screen, main)
    let user = UserActivity(cell, topology)
    let recorded = try await record(topology, screen, user, main)
    let after = try await scrollThrough(topology, main)
    try await main.run { try user.finish() }
    try await topology.settle()
    let list = try await main.run {
      screen.detach()
      return topology.list.allRows
    }
    try await topology.close()
    return try outcome(recorded, mainAfter: after, list: list, edits: user.editCount)
  }

  /// Reads the rows on main that the scenario keeps realised beside those on screen.
  private func realise(_ topology: any Topology, _ main: SimulatedMainQueue) async throws {
    let keys = cell.realisedKeys
    guard !keys.isEmpty else { return }
    _ = try await main.run { try topology.fetchOnMain(keys) }
  }

  private func show(
    _ topology: any Topology, _ screen: ListScreen, _ main: SimulatedMainQueue
  ) async throws {
    try await main.run {
      main.show(screen)
      screen.attach(topology)
      // Without waiting for a tick, since the time of the first frame is not measured.
      screen.layoutAndCommit()
    }
  }
}

// MARK: - The window

extension RepeatRunner {
  struct Recorded: Sendable {
    var recording: MainQueueRecording
    var saved: Instant
    var durable: Instant?
    var visible: Instant?
    var delivered: Instant?
    var visibleRows: Instant?
    var notes: [String: Double]
  }

  private func record(
    _ topology: any Topology, _ screen: ListScreen, _ user: UserActivity,
    _ main: SimulatedMainQueue
  ) async throws -> Recorded {
    let opening = opening(on: main, in: .milliseconds(1) + user.timeToSchedule)
    user.schedule(from: opening, on: main)
    try await main.run(at: opening) {
      main.openWindow(isRecorded: true)
      screen.startScrolling()
      user.start()
    }
    try await applyStreams(to: topology, since: opening, on: main)
    let saved = main.clock.now()
    try await topology.settle()
    await screen.latestIsShown(on: main)
    return try await main.run {
      screen.stopScrolling()
      user.stop()
      return Recorded(
        recording: main.closeWindow(), saved: saved, durable: topology.lastCommit,
        visible: screen.delivered == nil ? nil : screen.shown, delivered: screen.delivered,
        visibleRows: cell.screen.rowsPerSecond > 0 ? nil : screen.rowsChanged,
        notes: topology.notes)
    }
  }

  /// Applies the streams of both workers at the same time, if there are two.
  private func applyStreams(
    to topology: any Topology, since opening: Instant, on main: SimulatedMainQueue
  ) async throws {
    guard !cell.secondBatches.isEmpty else {
      return try await applyFirst(to: topology, since: opening, on: main)
    }
    async let second: Void = applySecond(to: topology)
    try await applyFirst(to: topology, since: opening, on: main)
    try await second
  }

  private func applyFirst(
    to topology: any Topology, since opening: Instant, on main: SimulatedMainQueue
  ) async throws {
    let stream = ChangeStream(timeline, after: 0)
    for (number, batch) in cell.batches.enumerated() {
      try await waitForBurst(ofSave: number, since: opening, on: main)
      try await stream.apply(number) { try await topology.apply(batch, by: 0) }
    }
  }

  private func applySecond(to topology: any Topology) async throws {
    let stream = ChangeStream(timeline, after: cell.batches.count)
    for (number, batch) in cell.secondBatches.enumerated() {
      try await stream.apply(number) { try await topology.apply(batch, by: 1) }
    }
  }

  /// Waits until the next burst is due if this save begins one; otherwise returns at once.
  ///
  /// A burst begins with an event on main, as a pull to refresh does.
  private func waitForBurst(
    ofSave number: Int, since opening: Instant, on main: SimulatedMainQueue
  ) async throws {
    guard let burst = cell.scenario.changes.burst, number > 0, number.isMultiple(of: burst)
    else { return }
    let due = opening + cell.scenario.changes.burstInterval * (number / burst)
    guard main.clock.now() < due else { return }
    try await main.run(at: due) {}
  }

  private func opening(on main: SimulatedMainQueue, in notice: Duration) -> Instant {
    let golden = 0.618_033_988_749_895
    let phase = (Double(number) * golden).truncatingRemainder(dividingBy: 1)
    let offset = Duration.nanoseconds(Int64(phase * Double(main.frames.period)))
    let earliest = main.clock.now() + notice
    return main.frames.next(after: earliest - offset) + offset
  }

  /// Reads the whole list page by page, which does the work that a topology deferred.
  private func scrollThrough(
    _ topology: any Topology, _ main: SimulatedMainQueue
  ) async throws -> Double {
    let page = max(1, cell.screen.visibleRows)
    return try await main.run {
      main.openWindow()
      main.slice(.perform) {
        let list = topology.list
        for start in stride(from: 0, to: list.count, by: page) {
          for index in start..<min(list.count, start + page) { _ = list.row(at: index) }
        }
      }
      let use = main.closeWindow().use
      return Double(use.databaseExecuting + use.databaseWaiting) / 1e6
    }
  }
}

// MARK: - Outcome

extension RepeatRunner {
  private func outcome(
    _ recorded: Recorded, mainAfter: Double, list: [ContiguousArray<Value>], edits: Int
  ) throws -> RepeatOutcome {
    let expectation = edits == 0 ? expectation : Expectation(cell, edits: edits)
    let verification = try StoreVerification(cell, expectation, store: store, list: list)
    return RepeatOutcome(
      sample: sample(recorded, mainAfter: mainAfter),
      executing: recorded.recording.use.databaseExecuting,
      waiting: recorded.recording.use.databaseWaiting,
      clocks: ClockAgreement(recorded.recording),
      fingerprint: verification.fingerprint, wrong: verification.wrong)
  }

  private func sample(_ recorded: Recorded, mainAfter: Double) -> WindowSample {
    let opened = recorded.recording.opened
    func since(_ instant: Instant?) -> Double? { instant.map { ($0 - opened).milliseconds } }
    let settled = [recorded.saved, recorded.durable, recorded.visible].compactMap { $0 }.max()
    var sample = WindowSample(
      recorded.recording,
      frameInterval: .nanoseconds(Int64(1e9 / cell.scenario.list.frameRate)),
      total: since(settled) ?? 0, changes: cell.workload.counts.total,
      unmeasured: cell.topology.kind.unmeasured)
    sample.saved = since(recorded.saved)
    sample.durable = since(recorded.durable)
    sample.visible = since(recorded.visible)
    sample.delivered = since(recorded.delivered)
    sample.visibleRows = since(recorded.visibleRows).map { max(0, $0) }
    sample.notes = recorded.notes.isEmpty ? nil : recorded.notes
    sample.mainAfter = mainAfter
    return sample
  }
}

extension ListScreen {
  /// Returns once the latest state of the list is on screen.
  func latestIsShown(on main: SimulatedMainQueue) async {
    await withCheckedContinuation { continuation in
      main.async { self.whenLatestIsShown { continuation.resume() } }
    }
  }
}

extension ListOnMain {
  /// Every row, in order. Call on main.
  var allRows: [ContiguousArray<Value>] { (0..<count).map { row(at: $0) } }
}
