import Synchronization

// Each writer of a recorded window has its own tape:
//
//   main's thread      slices, waits, frames, list notifications  ─▶ tape ─┐
//   a queue's thread   blocks, slices, waits, transactions        ─▶ tape ─┼─▶ chunks of one arena
//   a queue's line     its length                                  ─▶ tape ─┘
//
// A tape has one writer at a time: its thread, or the holder of the line's lock. A block carries
// the number of the change that it works for, and passes it to each block that it submits.

/// Records the events on the queues in one window of the main queue. Create it before the queues.
/// Without a timeline, each recording point costs one check.
// @unchecked: `isOn` points to an atomic at a fixed address until `deinit`; all else is Sendable.
package final class Timeline: @unchecked Sendable {
  /// Newly created queues record into it.
  @TaskLocal package static var current: Timeline?
  @TaskLocal package static var change: UInt32 = TimelineEvent.unknownChange

  package static let defaultCapacity = 1 << 21

  package let clock: any MonotonicClock
  private let arena: TapeArena
  let isOn = UnsafeMutablePointer<Atomic<Bool>>.allocate(capacity: 1)
  private let state = Lock(Contents())

  private struct Contents {
    var queues: [String] = []
    var tapes: [(role: TapeRole, tape: Tape)] = []
    var opened = Instant(nanoseconds: 0)
    var closed = Instant(nanoseconds: 0)
  }

  /// - Parameter capacity: how many events it holds. Later events are counted and dropped.
  package init(
    clock: any MonotonicClock = SystemClock(), capacity: Int = Timeline.defaultCapacity
  ) {
    self.clock = clock
    arena = TapeArena(capacity: capacity)
    isOn.initialize(to: Atomic(false))
  }

  deinit {
    isOn.deinitialize(count: 1)
    isOn.deallocate()
  }

  /// Call it on any thread.
  var isOpen: Bool { isOn.pointee.load(ordering: .relaxed) }

  /// Starts recording, when main opens its window. Call it once.
  func open(at now: Instant) {
    state.withLock { $0.opened = now }
    isOn.pointee.store(true, ordering: .relaxed)
  }

  func close(at now: Instant) {
    isOn.pointee.store(false, ordering: .relaxed)
    state.withLock { $0.closed = now }
  }

  /// - Returns: the queue's number, which identifies it in events.
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

  /// Read it after `close`; events written meanwhile are left out.
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

package enum TapeRole: Sendable, Equatable {
  case main
  /// The thread of the queue with this number.
  case thread(queue: Int)
  /// The length of the main queue's line; `depth` is that of another queue.
  case mainDepth
  case depth(queue: Int)
  /// The changes that the harness applies.
  case changes
}

package struct RecordedWindow: Sendable {
  package struct Tape: Sendable {
    package let role: TapeRole
    package let events: [TimelineEvent]
    /// How many later events found no room.
    package let dropped: Int
  }

  package let opened: Instant
  package let closed: Instant
  package let queues: [String]
  package let tapes: [Tape]
}

// MARK: - The change that work belongs to

extension Timeline {
  /// The change of the calling thread's block, or else of its task.
  package static var callersChange: UInt32 { Activity.recorder?.timeline?.change ?? change }

  /// Makes `block` run as work for the caller's change, while a window is recorded.
  func carryingChange(_ block: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    guard isOpen else { return block }
    let change = Self.callersChange
    return { Self.withChange(change, block) }
  }

  /// Runs `body` as work for `change`, if the calling thread is recorded.
  static func withChange<R>(_ change: UInt32, _ body: () throws -> R) rethrows -> R {
    guard let thread = Activity.recorder?.timeline else { return try body() }
    let outer = thread.carry(change)
    defer { thread.restore(outer) }
    return try body()
  }

  package static func withNoChange<R>(_ body: () throws -> R) rethrows -> R {
    try withChange(TimelineEvent.noChange, body)
  }
}

/// Records the length of a queue's line. The holder of the line's lock notes each change.
struct QueueDepth: Sendable {
  private let timeline: Timeline
  private let tape: Tape

  init(_ timeline: Timeline, _ role: TapeRole) {
    self.timeline = timeline
    tape = timeline.tape(role)
  }

  func note(_ count: Int) {
    guard timeline.isOpen else { return }
    tape.append(TimelineEvent(.depth, at: timeline.clock.now(), value: count))
  }
}
