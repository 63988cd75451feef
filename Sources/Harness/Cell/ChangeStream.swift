import Queues

/// The changes that one worker's task applies in a window, numbered for its timeline.
struct ChangeStream: Sendable {
  private let timeline: Timeline?
  private let tape: Tape?
  private let first: Int

  /// - Parameter earlier: how many changes are those of other streams.
  init(_ timeline: Timeline?, after earlier: Int) {
    self.timeline = timeline
    first = earlier + 1
    tape = timeline?.tape(.changes)
  }

  /// Runs `body`, which applies the change of this place in the stream; what it submits to queues is
  /// that change's work.
  func apply(_ number: Int, _ body: () async throws -> Void) async throws {
    guard let timeline, let tape else { return try await body() }
    let change = UInt32(truncatingIfNeeded: first + number)
    let clock = timeline.clock
    tape.append(TimelineEvent(.apply, at: clock.now(), change: change))
    try await Timeline.$change.withValue(change) { try await body() }
    tape.append(TimelineEvent(.end, at: clock.now(), change: change))
  }
}
