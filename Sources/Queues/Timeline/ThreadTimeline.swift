import Synchronization

/// Writes one thread's events. Use it on that thread only.
package final class ThreadTimeline {
  package let timeline: Timeline
  private let tape: Tape
  private let clock: any MonotonicClock
  /// Owned by `timeline`.
  private let isOn: UnsafeMutablePointer<Atomic<Bool>>
  /// The change that the running block works for.
  @exclusivity(unchecked) private(set) var change = TimelineEvent.noChange
  /// How many spans began in this window and have not ended.
  @exclusivity(unchecked) private var depth = 0
  @exclusivity(unchecked) var statements = 0

  package init(_ timeline: Timeline, _ role: TapeRole) {
    self.timeline = timeline
    clock = timeline.clock
    isOn = timeline.isOn
    tape = timeline.tape(role)
  }

  // MARK: Events at a given time

  @inline(__always)
  func begin(
    _ mark: TimelineMark, at now: Instant, code: UInt8 = 0, subject: Int = 0, statements: Int = 0
  ) {
    guard isOn.pointee.load(ordering: .relaxed) else { return }
    depth += 1
    tape.append(
      TimelineEvent(
        mark, at: now, code: code, subject: subject, change: change, value: statements))
  }

  @inline(__always)
  func end(at now: Instant, statements: Int = 0) {
    guard depth > 0, isOn.pointee.load(ordering: .relaxed) else { return }
    depth -= 1
    tape.append(TimelineEvent(.end, at: now, change: change, value: statements))
  }

  package func note(_ mark: TimelineMark, at now: Instant, value: Int = 0) {
    guard timeline.isOpen else { return }
    tape.append(TimelineEvent(mark, at: now, change: change, value: value))
  }

  // MARK: Events at the current time

  package func span<R>(
    _ mark: TimelineMark, subject: Int = 0, _ body: () throws -> R
  ) rethrows -> R {
    guard timeline.isOpen else { return try body() }
    begin(mark, at: clock.now(), subject: subject)
    defer { if timeline.isOpen { end(at: clock.now()) } }
    return try body()
  }

  package func note(_ mark: TimelineMark, value: Int = 0) {
    guard timeline.isOpen else { return }
    note(mark, at: clock.now(), value: value)
  }

  package func arrived(_ change: UInt32) {
    guard timeline.isOpen else { return }
    tape.append(TimelineEvent(.arrived, at: clock.now(), change: change))
  }

  /// - Returns: the thread's previous change.
  func carry(_ change: UInt32) -> UInt32 {
    let outer = self.change
    self.change = change
    if change != outer { note(.carries) }
    return outer
  }

  func restore(_ change: UInt32) { self.change = change }
}

/// Records a private queue's thread on a tape. Unlike `MainRecorder`, it keeps no sums.
final class ThreadRecorder: ActivityRecorder {
  private let thread: ThreadTimeline

  init(_ timeline: Timeline, queue: Int) {
    thread = ThreadTimeline(timeline, .thread(queue: queue))
    super.init(clock: timeline.clock)
    self.timeline = thread
  }

  override func begin(_ tag: SliceTag) {
    account?.depth += 1
    guard thread.timeline.isOpen else { return }
    thread.begin(.slice, at: clock.now(), code: UInt8(tag.rawValue), statements: thread.statements)
  }

  override func end() {
    leaveSlice()
    guard thread.timeline.isOpen else { return }
    thread.end(at: clock.now(), statements: thread.statements)
  }

  override func willWait(for cause: WaitCause, at start: Instant) {
    thread.begin(.wait, at: start, code: UInt8(cause.rawValue))
  }

  override func waited(_ cause: WaitCause, from start: Instant, to end: Instant) {
    thread.end(at: end)
  }

  override func count(_ counter: ActivityCounter, _ amount: Int) {
    if counter == .statements { thread.statements += amount }
    super.count(counter, amount)
  }

  override func checkpointed(from start: Instant, to end: Instant) {
    thread.begin(.checkpoint, at: start)
    thread.end(at: end)
  }
}
