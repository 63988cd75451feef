import ObjectGraph
import Queues
import Topologies
import Workload

/// The user's lookups, edits and questions while the worker works.
///
/// They come at fixed rates, from the window's opening until its horizon, and touch no row of the
/// stream of changes. Edits that a short window leaves out come after it: every topology ends with
/// the same rows.
// @unchecked: `isActive`, `editsMade` and `firstError` are confined to the main queue.
final class UserActivity: @unchecked Sendable {
  private let topology: any Topology
  private let user: Scenario.User
  private let edits: [Change]
  private let lookups: [Value]
  let questions: ScreenQuestions
  private var isActive = false
  private var editsMade = 0
  private var lookupsMade = 0
  private var firstError: (any Error)?

  var editCount: Int { edits.count }

  init(_ cell: PreparedCell, _ topology: any Topology) {
    self.topology = topology
    user = cell.scenario.user
    let horizon = cell.scenario.horizon
    edits = cell.workload.userEdits(count: user.editsPerSecond.events(in: horizon))
      .map(cell.model.change)
    lookups = cell.workload.userFetches(count: user.fetchesPerSecond.events(in: horizon))
    questions = ScreenQuestions(cell, topology)
  }

  var timeToSchedule: Duration {
    .microseconds(20 * (lookups.count + edits.count + questions.count))
  }

  /// Call it before the window opens, so that it costs no window time.
  func schedule(from opening: Instant, on main: SimulatedMainQueue) {
    let fetches = lookups.indices.map { number in
      Event(due: opening + .seconds(Double(number + 1) / user.fetchesPerSecond)) { [self] in
        attempt { _ = try topology.fetchOnMain([lookups[number]]) }
      }
    }
    let edits = edits.indices.map { number in
      Event(due: opening + .seconds(Double(number + 1) / user.editsPerSecond)) { [self] in
        attempt(makeNextEdit)
      }
    }
    let questions = questions.events(from: opening, on: main).map(Event.init)
    // The latest first: each event then goes to the end of main's list, at no cost.
    for event in (fetches + edits + questions).sorted(by: { $0.due > $1.due }) {
      main.schedule(at: event.due) { [self] in
        if isActive { event.work() }
      }
    }
  }

  private struct Event {
    let due: Instant
    let work: @Sendable () -> Void
  }

  private func makeNextEdit() throws {
    let edit = edits[editsMade]
    editsMade += 1
    try topology.editOnMain([edit])
  }

  /// Makes the next lookup and the next edit at once. Call on main.
  func makeNextEvent() {
    if lookupsMade < lookups.count {
      attempt { _ = try topology.fetchOnMain([lookups[lookupsMade]]) }
      lookupsMade += 1
    }
    if editsMade < edits.count { attempt(makeNextEdit) }
  }

  /// Call it and the functions below on main.
  func start() { isActive = true }

  func stop() { isActive = false }

  /// Makes the remaining edits. Call after the window.
  ///
  /// - Throws: the first error of the user's lookups, edits and questions.
  func finish() throws {
    if editsMade < edits.count {
      let rest = Array(edits[editsMade...])
      editsMade = edits.count
      attempt { try topology.editOnMain(rest) }
    }
    if let firstError { throw firstError }
    try questions.check()
  }

  /// Runs `work` as database work, and keeps the first error.
  private func attempt(_ work: () throws -> Void) {
    do {
      try Activity.slice(.perform, work)
    } catch {
      firstError = firstError ?? error
    }
  }
}

extension Double {
  /// The events of a rate per second, the first after one period. 0.29 in 100 s are 29, although
  /// their product is below 29.
  func events(in span: Duration) -> Int {
    Int((self * (span / .seconds(1)) * (1 + 1e-12)).rounded(.down))
  }
}
