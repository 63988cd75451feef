import Synchronization

/// Spans of a tape nest: `end` ends the span that began last.
package enum TimelineMark: UInt8, Sendable, CaseIterable {
  /// `code` is the index of the slice's tag.
  case slice
  /// `code` is the index of the wait's cause.
  case wait
  /// The thread gets the turn of the queue `subject`.
  case hold
  case frame
  /// The thread takes SQLite's write lock.
  case write
  /// The thread takes a connection for reading.
  case read
  case checkpoint
  /// The harness applies a change.
  case apply
  /// `value` is the number of statements that the thread has executed so far.
  case end

  /// The list notified the screen of changes.
  case listChanged
  /// The last row of a change arrived in the list, whichever thread delivered it.
  case arrived
  /// A commit left `value` pages in the WAL.
  case committed
  /// `value` blocks and callers wait in the queue's line.
  case depth
  /// The current turn of the queue is work for `change`.
  case carries
}

package struct TimelineEvent: Sendable, Equatable {
  /// Work of the user's actions or of the harness.
  package static let noChange: UInt32 = 0
  /// Work submitted by a thread that is not watched.
  package static let unknownChange = UInt32.max

  package var time: Int64
  package var value: Int64
  package var change: UInt32
  package var subject: UInt16
  package var mark: TimelineMark
  package var code: UInt8

  package init(
    _ mark: TimelineMark, at time: Instant, code: UInt8 = 0, subject: Int = 0,
    change: UInt32 = TimelineEvent.noChange, value: Int = 0
  ) {
    self.time = time.nanoseconds
    self.value = Int64(value)
    self.change = change
    self.subject = UInt16(truncatingIfNeeded: subject)
    self.mark = mark
    self.code = code
  }
}

/// Events in order of time, from one writer at a time.
// @unchecked: one writer touches `next`, `left` and `count`: a thread, or the holder of a lock.
// `dropped` is atomic.
package final class Tape: @unchecked Sendable {
  let number: Int
  private let arena: TapeArena
  // Plain pointers into the current chunk keep an event at a few nanoseconds.
  @exclusivity(unchecked) private var next: UnsafeMutablePointer<TimelineEvent>
  @exclusivity(unchecked) private var left = 0
  @exclusivity(unchecked) private var count: UnsafeMutablePointer<Atomic<Int>>
  private let dropped = Atomic(0)

  init(number: Int, in arena: TapeArena) {
    self.number = number
    self.arena = arena
    (next, count) = arena.address(of: 0)
  }

  /// Without room, this event and all later ones are counted as dropped.
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
    (next, count) = arena.address(of: chunk)
    left = TapeArena.chunkLength
    return true
  }

  @inline(never)
  private func drop() { dropped.add(1, ordering: .relaxed) }
}

/// The memory of a timeline's tapes, which take chunks of it in turn.
// @unchecked: a chunk belongs to the tape that took it. It is read only up to the atomic count,
// which its writer publishes after writing. The pointers are immutable.
final class TapeArena: @unchecked Sendable {
  static let chunkLength = 256
  /// In bytes, written in advance: the first write to a page causes a page fault.
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

  /// - Returns: nil if no chunk is left.
  func take(for tape: Int) -> Int? {
    let chunk = taken.add(1, ordering: .relaxed).oldValue
    guard chunk < chunks else { return nil }
    owners[chunk] = tape
    return chunk
  }

  func address(
    of chunk: Int
  ) -> (UnsafeMutablePointer<TimelineEvent>, UnsafeMutablePointer<Atomic<Int>>) {
    (slots + chunk * Self.chunkLength, counts + chunk)
  }

  /// By tape number. A tape takes chunks in ascending order, so its events are in order.
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
