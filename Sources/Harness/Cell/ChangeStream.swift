import Queues

/// The changes that one worker's task applies in a window, numbered for the timeline.
struct ChangeStream: Sendable {
  private let timeline: Timeline?
  private let tape: Tape?
  private let first: Int

  /// - Parameter earlier: the number of changes in the streams before this one.
  init(_ timeline: Timeline?, after earlier: Int) {
    self.timeline = timeline
    first = earlier + 1
    tape = timeline?.tape(.changes)
  }

  /// Runs `body`, which applies the change with this number. The timeline attributes all work that
  /// `body` submits to queues to that change.
  func apply(_ number: Int, _ body: () async throws -> Void) async throws {
    guard let timeline, let tape else { return try await body() }
    let change = UInt32(truncatingIfNeeded: first + number)
    let clock = timeline.clock
    tape.append(TimelineEvent(.apply, at: clock.now(), change: change))
    try await Timeline.$change.withValue(change) { try await body() }
    tape.append(TimelineEvent(.end, at: clock.now(), change: change))
  }
}
