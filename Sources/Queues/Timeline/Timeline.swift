import Synchronization

// Who writes what where, while a window is recorded:
//
//   main's thread      slices, waits, frames, what the list tells   ─▶ its tape ─┐
//   a queue's thread   blocks, slices, waits, transactions          ─▶ its tape ─┼─▶ chunks of one arena
//   a queue's line     how many stand in it                         ─▶ its tape ─┘
//
// A tape has one writer at a time (its thread, or who holds the line's lock), so that nothing is locked
// for it. Which of the harness's changes a block belongs to travels with it: who submits a block hands on
// the number that the own block carries.

/// What happens on the queues of one window, event by event. Made before the queues that it watches; on
/// for one window of main's.
///
/// Where there is none, each place that could tell of something looks whether there is one, and that is
/// all it costs.
// @unchecked: `isOn` is an atomic at a fixed address until `deinit`; all else is Sendable.
package final class Timeline: @unchecked Sendable {
  /// That of the queues that are made meanwhile.
  @TaskLocal package static var current: Timeline?
  /// The change whose work the current task submits, from 1.
  @TaskLocal package static var change: UInt32 = Timeline.unknownChange

  /// Work of no change: what the user does, and the harness.
  package static let noChange: UInt32 = 0
  /// Work that came by threads which nobody watches.
  package static let unknownChange = UInt32.max

  /// How many events a timeline holds, unless it is told otherwise.
  package static let usualCapacity = 1 << 21

  package let clock: any MonotonicClock
  private let arena: TapeArena
  let isOn = UnsafeMutablePointer<Atomic<Bool>>.allocate(capacity: 1)
  private let state = Lock(State())

  private struct State {
    var queues: [String] = []
    var tapes: [(role: TapeRole, tape: Tape)] = []
    var opened = Instant(nanoseconds: 0)
    var closed = Instant(nanoseconds: 0)
  }

  /// - Parameter capacity: how many events it holds; what comes after is counted and dropped.
  package init(
    clock: any MonotonicClock = SystemClock(), capacity: Int = Timeline.usualCapacity
  ) {
    self.clock = clock
    arena = TapeArena(capacity: capacity)
    isOn.initialize(to: Atomic(false))
  }

  deinit {
    isOn.deinitialize(count: 1)
    isOn.deallocate()
  }

  /// Whether a window is being recorded. Any thread.
  var isOpen: Bool { isOn.pointee.load(ordering: .relaxed) }

  /// Main opens its window. Once.
  func open(at now: Instant) {
    state.withLock { $0.opened = now }
    isOn.pointee.store(true, ordering: .relaxed)
  }

  func close(at now: Instant) {
    isOn.pointee.store(false, ordering: .relaxed)
    state.withLock { $0.closed = now }
  }

  /// A queue's number, by which events name it.
  func register(queue label: String) -> Int {
    state.withLock { state in
      state.queues.append(label)
      return state.queues.count - 1
    }
  }

  package func tape(_ role: TapeRole) -> Tape {
    state.withLock { state in
      let tape = Tape(number: state.tapes.count, in: arena)
      state.tapes.append((role, tape))
      return tape
    }
  }

  /// What was recorded. After the window; what a thread is still writing then is left out.
  package var recorded: RecordedWindow {
    let (state, events) = (self.state.withLock { $0 }, arena.events)
    return RecordedWindow(
      opened: state.opened, closed: state.closed, queues: state.queues,
      tapes: state.tapes.map { role, tape in
        RecordedWindow.Tape(
          role: role, events: events[tape.number] ?? [], dropped: tape.droppedCount)
      })
  }
}

/// What a tape tells of.
package enum TapeRole: Sendable, Equatable {
  case main
  /// The own thread of the queue of this number.
  case thread(queue: Int)
  /// How many stand in main's line, or in that of the queue of this number.
  case mainDepth
  case depth(queue: Int)
  /// The changes that the harness applies.
  case changes
}

/// A window as its timeline has it.
package struct RecordedWindow: Sendable {
  package struct Tape: Sendable {
    package let role: TapeRole
    /// In the order of their times.
    package let events: [TimelineEvent]
    /// How many there was no room for, all of them after `events`.
    package let dropped: Int
  }

  package let opened: Instant
  package let closed: Instant
  /// Their labels, by number.
  package let queues: [String]
  package let tapes: [Tape]
}

// MARK: - Which change work belongs to

extension Timeline {
  /// That of the calling thread's block, or of its task.
  package static var changeHere: UInt32 { Activity.recorder?.timeline?.change ?? change }

  /// `block`, carrying the caller's change to the thread that runs it; itself where nothing is recorded.
  func handingOn(_ block: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    guard isOpen else { return block }
    let change = Self.changeHere
    return { Self.carrying(change, block) }
  }

  /// Runs `body` as work of a change, if the calling thread is recorded.
  package static func carrying<R>(_ change: UInt32, _ body: () throws -> R) rethrows -> R {
    guard let thread = Activity.recorder?.timeline else { return try body() }
    let outer = thread.carry(change)
    defer { thread.restore(outer) }
    return try body()
  }

  /// The same for work of no change.
  package static func carryingNothing<R>(_ body: () throws -> R) rethrows -> R {
    try carrying(noChange, body)
  }
}
