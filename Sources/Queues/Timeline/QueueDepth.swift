/// Called by the holder of the line's lock at each change of the line's length.
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
