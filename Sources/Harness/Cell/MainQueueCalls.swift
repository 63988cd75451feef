import Queues

extension SimulatedMainQueue {
  /// Runs `body` on main as a block of its own and resumes the caller with what it returns. Blocks
  /// no thread.
  func run<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
      self.async { continuation.resume(with: Result(catching: body)) }
    }
  }

  /// Runs `body` on main as what happens at `instant`.
  func run<R: Sendable>(
    at instant: Instant, _ body: @escaping @Sendable () throws -> R
  ) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
      schedule(at: instant) { continuation.resume(with: Result(catching: body)) }
    }
  }
}
