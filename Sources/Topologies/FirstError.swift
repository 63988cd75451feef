import Queues

/// Keeps the first error of work that nobody waits for, until somebody asks.
final class FirstError: Sendable {
  private let firstError = Lock<(any Error)?>(nil)

  func run(_ work: () throws -> Void) {
    do {
      try work()
    } catch {
      firstError.withLock { first in
        if first == nil { first = error }
      }
    }
  }

  /// - Throws: the first error so far.
  func check() throws {
    if let error = firstError.withLock({ $0 }) { throw error }
  }
}
