import ObjectGraph
import Queues

//   worker    will-save: draft ── waits for pending objects ── commit ── did-save: units ────────┐
//                                      ▲                                                         ▼
//   main      … frame ── slice ── events ── slice ── events ┊ too near the tick ┊ frame ── slice …
//
// A slice is one block on main, which submits the next. So main serves due events between any two
// slices. A slice that would not end before the display's next tick waits for the frame.

/// Carries saves from the worker's queue to the main queue.
final class SliceFeed: Sendable {
  fileprivate struct Waiter {
    let canContinue: @Sendable (SliceLine) -> Bool
    let wake: @Sendable () -> Void
  }

  fileprivate struct State {
    var line = SliceLine()
    var pace: SlicePace
    var report = SliceReport()
    var window: VisibleWindow?
    var waiters: [Waiter] = []
    /// Whether a slice is submitted, or scheduled for a tick.
    var isSubmitted = false

    mutating func waitersToWake() -> [Waiter] {
      guard !waiters.isEmpty else { return [] }
      let woken = waiters.filter { $0.canContinue(line) }
      if !woken.isEmpty { waiters.removeAll { $0.canContinue(line) } }
      return woken
    }
  }

  private let state: Lock<State>
  private let main: ManagedObjectContext
  private let queue: any RunLoopQueue
  private let errors: FirstError
  /// The queue that releases arrived saves.
  private let worker: PrivateQueue
  private let planner = PrivateQueue(label: "planner")

  init(into stack: ContextStack, from worker: PrivateQueue, frameBudget: Duration) {
    main = stack.main
    queue = stack.environment.mainQueue
    errors = stack.errors
    self.worker = worker
    state = Lock(State(pace: SlicePace(frameBudget: frameBudget)))
  }

  var report: SliceReport { state.withLock { $0.report } }

  var isEmpty: Bool { state.withLock { $0.line.isEmpty } }
}

// MARK: - On the worker's queue

extension SliceFeed {
  /// Blocks until no pending unit touches the draft's objects.
  func waitForArrival(of draft: SaveDraft) {
    let saves = state.withLock { $0.line.saves }
    let touched = saves.flatMap { number, units in
      units.units(touchedBy: draft).map { SliceLine.Reference(save: number, unit: $0) }
    }
    guard !touched.isEmpty else { return }
    wait(urgent: touched) { touched.allSatisfy($0.hasArrived) }
  }

  func waitForAll() { wait(urgent: []) { $0.isEmpty } }

  private func wait(
    urgent: [SliceLine.Reference], until canContinue: @escaping @Sendable (SliceLine) -> Bool
  ) {
    let arrival = ChargedSemaphore(value: 0)
    let waiter = Waiter(canContinue: canContinue) { arrival.signal() }
    let mustWait = state.withLock { state in
      guard !waiter.canContinue(state.line) else { return false }
      state.line.promote(urgent, to: .urgent)
      state.waiters.append(waiter)
      return true
    }
    if mustWait { arrival.wait(as: .queue) }
  }

  func add(_ units: SavedUnits) {
    let window = state.withLock { $0.window }
    let shown = window.map(units.units(shownIn:)) ?? []
    let mustSubmit = state.withLock { state in
      guard let number = state.line.add(units) else { return false }
      state.line.promote(shown.map { SliceLine.Reference(save: number, unit: $0) }, to: .visible)
      defer { state.isSubmitted = true }
      return !state.isSubmitted
    }
    if mustSubmit { submit() }
  }

  /// Waits for all units. Blocks no thread.
  func arriveAll() async {
    await withCheckedContinuation { continuation in
      let isDone = state.withLock { state in
        if !state.line.isEmpty {
          let waiter = Waiter(canContinue: { $0.isEmpty }, wake: { continuation.resume() })
          state.waiters.append(waiter)
        }
        return state.line.isEmpty
      }
      if isDone { continuation.resume() }
    }
  }
}

// MARK: - On the main queue

extension SliceFeed {
  private func submit() {
    // A slice may merge several saves, so it is not work for one change of the timeline.
    Timeline.withNoChange { main.perform { [self] in mergeSlice() } }
  }

  private func mergeSlice() {
    let start = queue.clock.now()
    let tick = queue.nextTick(after: start)
    let allowance = tick.map { ($0 - start).wholeNanoseconds } ?? .max
    let slice = state.withLock { state in
      state.pace.limit(within: allowance).map { state.line.take(atMost: $0) }
    }
    if let slice {
      merge(slice, since: start)
      submitNext()
    } else if let tick {
      queue.schedule(at: tick) { [self] in main.perform { [self] in mergeSliceAfterTick() } }
    }
  }

  /// Merges a slice even if the next tick is near.
  private func mergeSliceAfterTick() {
    let start = queue.clock.now()
    merge(state.withLock { $0.line.take(atMost: $0.pace.limit) }, since: start)
    submitNext()
  }

  private func submitNext() {
    let mustSubmit = state.withLock { state in
      state.isSubmitted = state.line.waiting > 0
      return state.isSubmitted
    }
    if mustSubmit { submit() }
  }

  func bringIn(_ ids: some Sequence<ManagedObjectID>) {
    let start = queue.clock.now()
    merge(state.withLock { $0.line.take($0.line.references(to: ids)) }, since: start)
  }

  private func merge(_ slice: SliceLine.Slice, since start: Instant) {
    guard !slice.isEmpty else { return }
    errors.run {
      try main.mergeChanges(fromContextDidSave: DidSave(of: slice.changes, by: main))
    }
    let took = (queue.clock.now() - start).wholeNanoseconds
    let (finished, woken) = state.withLock { state in
      let isOver = state.pace.took(took, objects: slice.count)
      state.report.add(slice, took: took, isOver: isOver)
      return (state.line.arrived(slice), state.waitersToWake())
    }
    for waiter in woken { waiter.wake() }
    if let thread = Activity.recorder?.timeline {
      for save in finished { thread.arrived(save.change) }
    }
    release(finished)
  }

  /// Deallocating many objects takes time, so another queue does it.
  private func release(_ saves: consuming [SavedUnits]) {
    guard !saves.isEmpty else { return }
    worker.async { [saves = consume saves] in withExtendedLifetime(saves) {} }
  }

  func show(_ window: VisibleWindow) {
    let saves = state.withLock { state in
      state.window = window
      guard state.line.waiting > 0 else { return [:] as [Int: SavedUnits] }
      state.line.promote(state.line.references(to: window.ids), to: .visible)
      return state.line.saves
    }
    guard !saves.isEmpty else { return }
    planner.async { [self] in
      let shown = saves.flatMap { number, units in
        units.units(shownIn: window).map { SliceLine.Reference(save: number, unit: $0) }
      }
      state.withLock { $0.line.promote(shown, to: .visible) }
    }
  }
}

/// Statistics of slices.
public struct SliceReport: Sendable, Equatable {
  public private(set) var slices = 0
  public private(set) var objects = 0
  /// The longest slice, and its number of objects.
  public private(set) var longest: Duration = .zero
  public private(set) var longestObjects = 0
  /// Slices over the frame budget of one unit, which cannot be divided, and the objects of the
  /// largest.
  public private(set) var unitsOverBudget = 0
  public private(set) var largestUnitOverBudget = 0
  /// Slices of several units over the frame budget: their cost was misjudged, or the thread was
  /// interrupted.
  public private(set) var slicesOverBudget = 0

  mutating func add(_ slice: SliceLine.Slice, took nanoseconds: Int64, isOver: Bool) {
    slices += 1
    objects += slice.count
    if .nanoseconds(nanoseconds) > longest {
      longest = .nanoseconds(nanoseconds)
      longestObjects = slice.count
    }
    guard isOver else { return }
    if slice.isOneUnit {
      unitsOverBudget += 1
      largestUnitOverBudget = max(largestUnitOverBudget, slice.count)
    } else {
      slicesOverBudget += 1
    }
  }
}
