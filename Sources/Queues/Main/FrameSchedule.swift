// When the screen has to show something new, on ticks of the display that a late frame does not move:
//
//   ticks      │     │     │     │     │     │
//   changed       ×
//   due              │                              one frame, however many ticks it misses
//   presented              ├──┤
//
//   scrolling  │     │     │     │     │     │      every tick is due; one frame presents
//   presented  ┤     ├───────────────┤ ┤     ┤      those that it missed

/// Decides when a frame is due. No clock and no thread: time is told.
package struct FrameSchedule: Sendable {
  package struct Presentation: Sendable, Equatable {
    /// The earliest tick that was waiting for this frame.
    package var due: Instant
    /// How many ticks were frames that were due, up to the commit.
    package var count: Int

    package init(due: Instant, count: Int) {
      self.due = due
      self.count = count
    }
  }

  package let ticks: Grid
  /// The tick at which the next frame is due; nil if nothing needs one.
  package private(set) var due: Instant?

  package init(ticks: Grid) {
    self.ticks = ticks
  }

  package func isDue(at now: Instant) -> Bool { due.map { $0 <= now } ?? false }

  /// What the screen shows is old since then. Does not move a frame that is due already.
  package mutating func need(since: Instant) {
    if due == nil { due = ticks.first(atOrAfter: since) }
  }

  /// Nothing is to be drawn any more.
  package mutating func forget() { due = nil }

  /// A frame was committed.
  ///
  /// - Parameter opened: when the window opened, if one is open; what was due before it counts from
  ///   there.
  /// - Returns: nil if none was due.
  package mutating func present(
    at now: Instant, isScrolling: Bool, windowOpened opened: Instant?
  ) -> Presentation? {
    let presentation = outstanding(at: now, isScrolling: isScrolling, windowOpened: opened)
    due = isScrolling ? ticks.next(after: now) : nil
    return presentation
  }

  /// What a frame committed now would present; nil if none is due.
  package func outstanding(
    at now: Instant, isScrolling: Bool, windowOpened opened: Instant?
  ) -> Presentation? {
    guard let due, due <= now else { return nil }
    let start = max(due, opened ?? due)
    let count = isScrolling ? ticks.count(from: start, through: now) : 1
    return Presentation(due: start, count: max(1, count))
  }
}
