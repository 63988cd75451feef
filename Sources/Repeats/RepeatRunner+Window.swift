import Foundation
import Measurement
import Queues
import Topologies
import Workload

// One repeat's window on main:
//
//   apply the streams of changes ── settle ── last frame ─▶ close
//   the user's lookups and edits, at fixed rates
//
// The window opens at a phase between two ticks of the display. The phase moves on by the golden
// ratio with each repeat, so the wait for a tick is spread evenly, and alike for every topology.

extension RepeatRunner {
  struct MeasuredWindow: Sendable {
    var recording: MainQueueRecording
    var saved: Instant
    var durable: Instant?
    var visible: Instant?
    var delivered: Instant?
    var visibleRows: Instant?
    var notes: [String: Double]
    /// How late each save began; empty if none was due at its own time.
    var saveLateness: [Duration]
    var events: Prices.Counts?
    var staleObjects: Int?
    var walMiB: Double?
    /// From each question to its answer, also of those that outlast the window.
    var answers: [Duration] = []
    var answersDropped = 0
  }

  func measureWindow(
    _ topology: any Topology, _ screen: ListScreen, _ user: UserActivity, _ main: SimulatedMainQueue
  ) async throws -> MeasuredWindow {
    let opening = opening(on: main, in: .milliseconds(1) + user.timeToSchedule)
    progress?.beginRepeat(saves: cell.batches.count + cell.secondBatches.count)
    if cell.counted == nil { user.schedule(from: opening, on: main) }
    let prices = prices
    try await main.run(at: opening) {
      prices?.open()
      begin(.change, on: main)
      screen.startScrolling()
      user.start()
    }
    let (lateness, saved) = try await apply(to: topology, screen, user, since: opening, on: main)
    try await topology.settle()
    if !cell.scenario.list.shown.isEmpty { await screen.latestIsShown(on: main) }
    return try await main.run {
      screen.stopScrolling()
      user.stop()
      return MeasuredWindow(
        recording: main.closeWindow(), saved: saved, durable: topology.lastCommit,
        visible: screen.visible, delivered: screen.delivered,
        visibleRows: cell.screen.rowsPerSecond > 0 ? nil : screen.rowsChanged,
        notes: topology.notes, saveLateness: lateness, events: prices?.counts)
    }
  }

  /// Applies the changes while the history is read or purged. In a counted cell the changes come
  /// after that, because main's work depends on the order.
  ///
  /// - Returns: how late each save of the first worker began, and when the last apply returned.
  private func apply(
    to topology: any Topology, _ screen: ListScreen, _ user: UserActivity, since opening: Instant,
    on main: SimulatedMainQueue
  ) async throws -> (lateness: [Duration], saved: Instant) {
    guard cell.counted == nil else {
      try await useHistory(of: topology)
      try await applyStepByStep(to: topology, screen, user, on: main)
      return ([], main.clock.now())
    }
    async let history: Void = useHistory(of: topology)
    let lateness = try await applyStreams(to: topology, since: opening, on: main)
    let saved = main.clock.now()
    try await history
    return (lateness, saved)
  }

  private func useHistory(of topology: any Topology) async throws {
    switch cell.scenario.store.historyUse {
    case .none: break
    case .read: try await topology.use(.read)
    case .purge: try await topology.use(.purge)
    }
  }

  /// Applies the streams of both workers at once, if there are two.
  ///
  /// - Returns: how late each save of the first worker began.
  private func applyStreams(
    to topology: any Topology, since opening: Instant, on main: SimulatedMainQueue
  ) async throws -> [Duration] {
    guard !cell.secondBatches.isEmpty else {
      return try await applyFirst(to: topology, since: opening, on: main)
    }
    async let second: Void = applySecond(to: topology)
    let lateness = try await applyFirst(to: topology, since: opening, on: main)
    try await second
    return lateness
  }

  private func applyFirst(
    to topology: any Topology, since opening: Instant, on main: SimulatedMainQueue
  ) async throws -> [Duration] {
    let stream = ChangeStream(timeline, after: 0)
    var timetable = SaveTimetable(due: cell.workload.due.map { opening + $0 }, clock: main.clock)
    for (number, batch) in cell.batches.enumerated() {
      try await timetable.begin(number)
      try await stream.apply(number) { try await topology.apply(batch, by: 0) }
      progress?.endSave()
    }
    return timetable.lateness
  }

  private func applySecond(to topology: any Topology) async throws {
    let stream = ChangeStream(timeline, after: cell.batches.count)
    for (number, batch) in cell.secondBatches.enumerated() {
      try await stream.apply(number) { try await topology.apply(batch, by: 1) }
      progress?.endSave()
    }
  }

  /// Applies each batch once the one before is on screen, then makes a user event, so that no
  /// thread's speed changes the work.
  private func applyStepByStep(
    to topology: any Topology, _ screen: ListScreen, _ user: UserActivity,
    on main: SimulatedMainQueue
  ) async throws {
    for number in 0..<max(cell.batches.count, cell.secondBatches.count) {
      for (worker, batches) in [cell.batches, cell.secondBatches].enumerated()
      where number < batches.count {
        try await topology.apply(batches[number], by: worker)
        progress?.endSave()
        try await topology.settle()
        if !cell.scenario.list.shown.isEmpty { await screen.latestIsShown(on: main) }
      }
      try await main.run { user.makeNextEvent() }
      try await user.questions.answerNext(on: main)
    }
  }

  func opening(on main: SimulatedMainQueue, in notice: Duration) -> Instant {
    let golden = 0.618_033_988_749_895
    let phase = (Double(number) * golden).truncatingRemainder(dividingBy: 1)
    let offset = Duration.nanoseconds(Int64(phase * Double(main.frames.period)))
    let earliest = main.clock.now() + notice
    return main.frames.next(after: earliest - offset) + offset
  }
}

extension ListScreen {
  func latestIsShown(on main: SimulatedMainQueue) async {
    await withCheckedContinuation { continuation in
      main.async { self.whenLatestIsShown { continuation.resume() } }
    }
  }
}

struct ChangeStream: Sendable {
  private let timeline: Timeline?
  private let tape: Tape?
  private let first: Int

  /// `earlier` is the number of changes in the streams before.
  init(_ timeline: Timeline?, after earlier: Int) {
    self.timeline = timeline
    first = earlier + 1
    tape = timeline?.tape(.changes)
  }

  /// Runs `body`, which applies a change. The timeline attributes all work that `body` submits to
  /// queues to that change.
  func apply(_ number: Int, _ body: () async throws -> Void) async throws {
    guard let timeline, let tape else { return try await body() }
    let change = UInt32(truncatingIfNeeded: first + number)
    let clock = timeline.clock
    tape.append(TimelineEvent(.apply, at: clock.now(), change: change))
    try await Timeline.$change.withValue(change) { try await body() }
    tape.append(TimelineEvent(.end, at: clock.now(), change: change))
  }
}

/// Begins each save of a stream when it is due, and notes how late it was.
///
/// Each save is due at a fixed time, so a long save makes the saves behind it late. The waits are
/// not on the main queue: changes arrive independently of main.
struct SaveTimetable {
  let due: [Instant]
  let clock: any MonotonicClock
  var sleep: @Sendable (Duration) async throws -> Void = {
    try await Task.sleep(for: $0, tolerance: .zero)
  }
  private(set) var lateness: [Duration] = []

  /// Returns when the save is due, or at once if it is late.
  mutating func begin(_ number: Int) async throws {
    guard !due.isEmpty else { return }
    let early = due[number] - clock.now()
    if early > .zero { try await sleep(early) }
    lateness.append(max(.zero, clock.now() - due[number]))
  }
}
