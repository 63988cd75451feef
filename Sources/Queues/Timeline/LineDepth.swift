/// How many stand in a queue's line, each time that changes. Noted by who holds the line's lock.
struct LineDepth: Sendable {
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
