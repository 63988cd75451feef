import Queues

/// Begins each save of a stream when it is due, and notes how late it was.
///
/// A save is due at its own time, so a long save makes those behind it late. Nothing waits on the
/// main queue: what arrives does not depend on it.
struct SaveTimetable {
  let due: [Instant]
  let clock: any MonotonicClock
  var sleep: @Sendable (Duration) async throws -> Void = {
    try await Task.sleep(for: $0, tolerance: .zero)
  }
  private(set) var lateness: [Duration] = []

  /// Returns when the save is due, or at once if it is late.
  mutating func begin(_ number: Int) async throws {
    guard !due.isEmpty else { return }
    let early = due[number] - clock.now()
    if early > .zero { try await sleep(early) }
    lateness.append(max(.zero, clock.now() - due[number]))
  }
}
