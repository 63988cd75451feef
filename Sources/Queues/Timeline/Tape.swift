import Synchronization

/// What an event says. Spans of a tape lie within each other: `end` ends the one that began last.
package enum TimelineMark: UInt8, Sendable, CaseIterable {
  /// A slice begins; `code` is its tag's place.
  case slice
  /// A wait begins; `code` is its cause's place.
  case wait
  /// The thread has a queue's turn from now on; `subject` is the queue.
  case hold
  /// Layout and commit of a frame.
  case frame
  /// The thread has SQLite's write lock.
  case write
  /// The thread has a connection to read with.
  case read
  case checkpoint
  /// The harness applies the change.
  case apply
  /// `value` is how many statements the thread has executed so far.
  case end

  /// The list told the screen of changes.
  case listChanged
  /// The last of the change has arrived in the list, whoever's work that was.
  case arrived
  /// A commit left so many pages in the WAL: `value`.
  case committed
  /// So many stand in the line: `value`.
  case depth
  /// The queue's turn that is under way is work of the change.
  case carries
}

/// One event, of a fixed size.
package struct TimelineEvent: Sendable, Equatable {
  package var time: Int64
  package var value: Int64
  package var change: UInt32
  package var subject: UInt16
  package var mark: TimelineMark
  package var code: UInt8

  package init(
    _ mark: TimelineMark, at time: Instant, code: UInt8 = 0, subject: Int = 0,
    change: UInt32 = Timeline.noChange, value: Int = 0
  ) {
    self.time = time.nanoseconds
    self.value = Int64(value)
    self.change = change
    self.subject = UInt16(truncatingIfNeeded: subject)
    self.mark = mark
    self.code = code
  }
}

/// Events in the order of their times, from one writer at a time.
// @unchecked: `next`, `left` and `count` are the writer's: a thread's own, or of who holds the lock that
// guards the tape; `dropped` is atomic.
package final class Tape: @unchecked Sendable {
  let number: Int
  private let arena: TapeArena
  // Into the chunk that is being filled. Plain pointers: an event is to cost some nanoseconds.
  @exclusivity(unchecked) private var next: UnsafeMutablePointer<TimelineEvent>
  @exclusivity(unchecked) private var left = 0
  @exclusivity(unchecked) private var count: UnsafeMutablePointer<Atomic<Int>>
  private let dropped = Atomic(0)

  init(number: Int, in arena: TapeArena) {
    self.number = number
    self.arena = arena
    (next, count) = arena.place(of: 0)
  }

  /// Writes an event, or counts it as dropped if there is no room; then all that follow, too.
  @inline(__always)
  package func append(_ event: TimelineEvent) {
    guard left > 0 || takeChunk() else { return drop() }
    next.initialize(to: event)
    next += 1
    left -= 1
    count.pointee.store(TapeArena.chunkLength - left, ordering: .releasing)
  }

  var droppedCount: Int { dropped.load(ordering: .relaxed) }

  @inline(never)
  private func takeChunk() -> Bool {
    guard droppedCount == 0, let chunk = arena.take(for: number) else { return false }
    (next, count) = arena.place(of: chunk)
    left = TapeArena.chunkLength
    return true
  }

  @inline(never)
  private func drop() { dropped.add(1, ordering: .relaxed) }
}

/// The memory of a timeline's tapes, which take chunks of it one after the other.
// @unchecked: a chunk is confined to the one tape that took it, and read only up to the atomic count that
// its writer published after writing; the pointers themselves are immutable.
final class TapeArena: @unchecked Sendable {
  static let chunkLength = 256
  /// So many bytes are made the process's own beforehand; beyond, the first write to a page has it done.
  private static let touched = 2 << 20

  private let slots: UnsafeMutablePointer<TimelineEvent>
  private let counts: UnsafeMutablePointer<Atomic<Int>>
  private let owners: UnsafeMutablePointer<Int>
  private let chunks: Int
  private let taken = Atomic(0)

  init(capacity: Int) {
    chunks = max(1, capacity / Self.chunkLength)
    slots = .allocate(capacity: chunks * Self.chunkLength)
    counts = .allocate(capacity: chunks)
    owners = .allocate(capacity: chunks)
    owners.initialize(repeating: 0, count: chunks)
    for chunk in 0..<chunks { (counts + chunk).initialize(to: Atomic(0)) }
    let size = chunks * Self.chunkLength * MemoryLayout<TimelineEvent>.stride
    UnsafeMutableRawPointer(slots).initializeMemory(
      as: UInt8.self, repeating: 0, count: min(size, Self.touched))
  }

  deinit {
    counts.deinitialize(count: chunks)
    slots.deallocate()
    counts.deallocate()
    owners.deallocate()
  }

  /// - Returns: a chunk for this tape; nil if none is left.
  func take(for tape: Int) -> Int? {
    let chunk = taken.add(1, ordering: .relaxed).oldValue
    guard chunk < chunks else { return nil }
    owners[chunk] = tape
    return chunk
  }

  /// Where a chunk's events begin, and where it says how many there are.
  func place(
    of chunk: Int
  ) -> (UnsafeMutablePointer<TimelineEvent>, UnsafeMutablePointer<Atomic<Int>>) {
    (slots + chunk * Self.chunkLength, counts + chunk)
  }

  /// By tape. A tape's chunks are numbered in the order in which it took them.
  var events: [Int: [TimelineEvent]] {
    var events: [Int: [TimelineEvent]] = [:]
    for chunk in 0..<min(chunks, taken.load(ordering: .relaxed)) {
      let count = counts[chunk].load(ordering: .acquiring)
      guard count > 0 else { continue }
      let written = UnsafeBufferPointer(start: slots + chunk * Self.chunkLength, count: count)
      events[owners[chunk], default: []].append(contentsOf: written)
    }
    return events
  }
}
