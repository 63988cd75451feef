import Queues

/// The changes that a window applies, numbered for its timeline.
struct ChangeStream: Sendable {
  private let timeline: Timeline?
  private let tape: Tape?

  init(_ timeline: Timeline?) {
    self.timeline = timeline
    tape = timeline?.tape(.changes)
  }

  /// Runs `body`, which applies the change of this number; what it submits to queues is that change's
  /// work.
  func apply(_ number: Int, _ body: () async throws -> Void) async throws {
    guard let timeline, let tape else { return try await body() }
    let change = UInt32(truncatingIfNeeded: number)
    let clock = timeline.clock
    tape.append(TimelineEvent(.apply, at: clock.now(), change: change))
    try await Timeline.$change.withValue(change) { try await body() }
    tape.append(TimelineEvent(.end, at: clock.now(), change: change))
  }
}
