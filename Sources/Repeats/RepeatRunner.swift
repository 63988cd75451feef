package import Foundation
package import Measurement
import ObjectGraph
package import Queues
import Support
import Topologies
import Workload

// One repeat of a cell's work, on a fresh copy of the store. A screen has three phases:
//
//   open: make, load, first frame │ realise │ change: apply … settle, last frame │ scroll │ verify
//                                           window

package struct RepeatOutcome: Sendable {
  package var sample: WindowSample
  /// The length of the phase that the scenario asks about, in ms.
  package var length: Double
  /// Main's time in the phase that the scenario asks about, in nanoseconds, as is `waiting`.
  package var executing: Int64
  package var waiting: Int64
  var blocked: Int64 { executing + waiting }
  package var clocks: ClockAgreement
  package var fingerprint: String
  /// The first difference from the expected rows; nil if there is none.
  package var wrong: String?
}

package struct RepeatRunner: Sendable {
  let cell: PreparedCell
  package var store: URL
  let number: Int
  /// The rows at the end if the user edits nothing, or those before the changes if the screen is
  /// only opened.
  let expectation: Expectation
  var timeline: Timeline?
  /// Whether a counted repeat follows.
  package var isWarmUp: Bool
  /// Charged while the list opens, in the window and in the scroll after it. Nil for none, and in a
  /// counted repeat.
  var prices: Prices?
  let progress: CellProgress?

  package init(
    cell: PreparedCell, store: URL, number: Int, expectation: Expectation,
    timeline: Timeline? = nil, isWarmUp: Bool = false, prices: Prices? = nil,
    progress: CellProgress? = nil
  ) {
    self.cell = cell
    self.store = store
    self.number = number
    self.expectation = expectation
    self.timeline = timeline
    self.isWarmUp = isWarmUp
    self.prices = prices
    self.progress = progress
  }

  /// - Parameter loaded: receives the time at which the initial rows were loaded.
  package func run(loaded: (Instant) -> Void) async throws -> RepeatOutcome {
    try await Prices.$current.withValue(prices) {
      try await Timeline.$current.withValue(timeline) {
        try await Timeline.$change.withValue(TimelineEvent.noChange) {
          try await runWatched(loaded: loaded)
        }
      }
    }
  }

  private func runWatched(loaded: (Instant) -> Void) async throws -> RepeatOutcome {
    let main = makeMain()
    main.start()
    defer { main.stop() }
    let screen = ListScreen(cell.screen, on: main)
    let (topology, open) = try await open(screen, main)
    try await realise(topology, main)
    try await topology.openReaders()
    loaded(main.clock.now())
    let user = UserActivity(cell, topology)
    async let answering: Void = user.questions.answer(on: main)
    var window = try await measureWindow(topology, screen, user, main)
    user.questions.end()
    await answering
    (window.answers, window.answersDropped) = try await main.run {
      (user.questions.answers, user.questions.dropped)
    }
    try await measureRest(of: &window, topology, main)
    let scroll = try await scroll(through: topology, main)
    prices?.close()
    try await main.run { try user.finish() }
    try await topology.settle()
    let answer = try await user.questions.last(on: main)
    return outcome(
      open, window, scroll,
      try await verify(topology, screen, edits: user.editCount, answer, main))
  }

  private func makeMain() -> SimulatedMainQueue {
    SimulatedMainQueue(
      frameRate: cell.scenario.list.frameRate,
      heartbeat: cell.counted == nil ? .milliseconds(1) : nil,
      counting: isWarmUp ? .nothing : cell.counted)
  }

  private func measureRest(
    of window: inout MeasuredWindow, _ topology: any Topology, _ main: SimulatedMainQueue
  ) async throws {
    // Closing the store removes the WAL. Until then, its file does not shrink.
    window.walMiB = URL(fileURLWithPath: store.path + "-wal").mebibytes
    window.staleObjects = try await main.run { try topology.staleObjectsOnMain() }
  }

  private func verify(
    _ topology: any Topology, _ screen: ListScreen, edits: Int, _ answer: ScreenQuestions.Answer?,
    _ main: SimulatedMainQueue
  ) async throws -> StoreVerification {
    let expectation = edits == 0 ? expectation : Expectation(cell, edits: edits)
    var verified = try await verify(topology, screen, expectation, main)
    verified.wrong = verified.wrong ?? answer.flatMap(expectation.difference(ofAnswer:))
    return verified
  }

  private func verify(
    _ topology: any Topology, _ screen: ListScreen, _ expectation: Expectation,
    _ main: SimulatedMainQueue
  ) async throws -> StoreVerification {
    let (lists, sections) = try await main.run { [cell] in
      screen.detach()
      let lists = Array(zip(cell.scenario.list.shown, topology.lists))
      return (
        lists.map { expectation.differingRows(of: $1, ofTable: $0, cell) },
        lists.lazy.compactMap { expectation.difference(ofSections: $1, ofTable: $0, cell) }.first
      )
    }
    try await topology.close()
    return try StoreVerification(
      cell, expectation, store: store, lists: lists, sections: sections)
  }

  /// Opens the screen on a fresh store, unmeasured, and compares store and lists with the
  /// expectation: reading all rows after a measured opening would realise them.
  ///
  /// - Returns: the first difference; nil if there is none.
  package func differenceWhenOpened() async throws -> String? {
    let main = makeMain()
    main.start()
    defer { main.stop() }
    let screen = ListScreen(cell.screen, on: main)
    let (topology, _) = try await open(screen, main)
    return try await verify(topology, screen, expectation, main).wrong.map { "when opened, \($0)" }
  }

  private func realise(_ topology: any Topology, _ main: SimulatedMainQueue) async throws {
    let keys = cell.realisedKeys
    guard !keys.isEmpty else { return }
    _ = try await main.run { try topology.fetchOnMain(keys) }
  }

  private func outcome(
    _ open: MeasuredPhase, _ window: MeasuredWindow, _ scroll: MeasuredPhase?,
    _ verification: StoreVerification
  ) -> RepeatOutcome {
    var sample = sample(window)
    (sample.open, sample.scroll) = (open.sample, scroll?.sample)
    let asked =
      switch cell.scenario.asksAbout {
      case .open: open.recording
      case .change: window.recording
      case .scroll: scroll?.recording ?? window.recording
      }
    let isChange = cell.scenario.asksAbout == .change
    return RepeatOutcome(
      sample: sample,
      length: isChange ? sample.total : (asked.closed - asked.opened).milliseconds,
      executing: asked.use.databaseExecuting, waiting: asked.use.databaseWaiting,
      clocks: ClockAgreement(asked), fingerprint: verification.fingerprint,
      wrong: verification.wrong)
  }

  private func sample(_ window: MeasuredWindow) -> WindowSample {
    let opened = window.recording.opened
    func since(_ instant: Instant?) -> Double? { instant.map { ($0 - opened).milliseconds } }
    let settled = [window.saved, window.durable, window.visible].compactMap { $0 }.max()
    var sample = WindowSample(
      window.recording, frameInterval: .nanoseconds(Int64(1e9 / cell.scenario.list.frameRate)),
      total: since(settled) ?? 0, changes: cell.workload.counts.total,
      unmeasured: cell.topology.kind.unmeasured)
    sample.saved = since(window.saved)
    sample.durable = since(window.durable)
    sample.visible = since(window.visible)
    sample.delivered = since(window.delivered)
    sample.mainEvents = window.events?.main.byName
    sample.otherEvents = window.events?.others.byName
    sample.visibleRows = since(window.visibleRows).map { max(0, $0) }
    sample.notes = window.notes.isEmpty ? nil : window.notes
    sample.walMiB = window.walMiB
    sample.counts[.mainStaleObjects] = window.staleObjects
    sample.counts[.orphans] = cell.workload.orphans
    if cell.scenario.user.asks {
      sample.answers = window.answers.map(\.milliseconds)
      sample.answersDropped = window.answersDropped
    }
    sample.saveLateness =
      window.saveLateness.isEmpty ? nil : window.saveLateness.map(\.milliseconds)
    return sample
  }
}

extension URL {
  /// The file's size in MiB; nil if it cannot be read.
  package var mebibytes: Double? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? Int).map { Double($0) / 1_048_576 }
  }
}

extension Dictionary<PricedEvent, Int> {
  fileprivate var byName: [String: Int] {
    [String: Int](uniqueKeysWithValues: map { ($0.key.name, $0.value) })
  }
}

extension SimulatedMainQueue {
  /// Runs `body` in its own block. Blocks no thread.
  package func run<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
      self.async { continuation.resume(with: Result(catching: body)) }
    }
  }

  package func run<R: Sendable>(
    at instant: Instant, _ body: @escaping @Sendable () throws -> R
  ) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
      schedule(at: instant) { continuation.resume(with: Result(catching: body)) }
    }
  }
}
