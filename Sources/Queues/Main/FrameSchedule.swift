// A frame is due at a tick of the display. A late frame does not move the ticks:
//
//   ticks      │     │     │     │     │     │
//   changed       ×
//   due              │                              one frame, even if it misses several ticks
//   presented              ├──┤
//
//   scrolling  │     │     │     │     │     │      a frame is due at every tick; a late frame
//   presented  ┤     ├───────────────┤ ┤     ┤      also presents those that it missed

/// Decides when a frame is due. Callers pass the time.
package struct FrameSchedule: Sendable {
  package struct Presentation: Sendable, Equatable {
    /// The earliest tick that waited for this frame.
    package var due: Instant
    /// The number of ticks, up to the commit, at which a frame was due.
    package var count: Int
    /// The ones of these that were not on screen at the next tick.
    package var late = 0
  }

  package let ticks: Grid
  package private(set) var due: Instant?

  package func isDue(at now: Instant) -> Bool { due.map { $0 <= now } ?? false }

  package mutating func need(since: Instant) {
    if due == nil { due = ticks.first(atOrAfter: since) }
  }

  /// Drops the due frame: nothing needs drawing.
  package mutating func forget() { due = nil }

  /// Records a committed frame.
  ///
  /// - Parameter opened: the start of the open window. A frame that was due earlier counts as due
  ///   then.
  /// - Returns: nil if no frame was due.
  package mutating func present(
    at now: Instant, isScrolling: Bool, windowOpened opened: Instant?
  ) -> Presentation? {
    let presentation = outstanding(at: now, isScrolling: isScrolling, windowOpened: opened)
    due = isScrolling ? ticks.next(after: now) : nil
    return presentation
  }

  package func outstanding(
    at now: Instant, isScrolling: Bool, windowOpened opened: Instant?
  ) -> Presentation? {
    guard let due, due <= now else { return nil }
    let start = max(due, opened ?? due)
    let count = isScrolling ? max(1, ticks.count(from: start, through: now)) : 1
    let lastLate = Instant(nanoseconds: now.nanoseconds - ticks.period - 1)
    return Presentation(
      due: start, count: count, late: min(count, ticks.count(from: start, through: lastLate)))
  }
}
