import Queues

/// Keeps the first error of work that nobody awaits. Any thread may use it.
public final class FirstError: Sendable {
  private let firstError = Lock<(any Error)?>(nil)

  public init() {}

  /// Keeps the error of `work` if it is the first.
  public func run(_ work: () throws -> Void) {
    do {
      try work()
    } catch {
      firstError.withLock { first in
        if first == nil { first = error }
      }
    }
  }

  /// - Throws: the first error.
  public func check() throws {
    if let error = firstError.withLock({ $0 }) { throw error }
  }
}
