import Queues

extension SimulatedMainQueue {
  /// Runs `body` on main in a block of its own and returns its result. Blocks no thread.
  func run<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
      self.async { continuation.resume(with: Result(catching: body)) }
    }
  }

  /// Runs `body` on main as an event that is due at `instant`.
  func run<R: Sendable>(
    at instant: Instant, _ body: @escaping @Sendable () throws -> R
  ) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
      schedule(at: instant) { continuation.resume(with: Result(catching: body)) }
    }
  }
}
