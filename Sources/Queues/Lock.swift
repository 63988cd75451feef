#if canImport(Glibc)
  public import Glibc
#elseif canImport(Darwin)
  public import Darwin
#endif

/// A value under a lock, like `Synchronization.Mutex`.
///
/// The lock is pthread's: on Linux, ThreadSanitizer does not see the order of the standard
/// library's `Mutex` and reports false races. Hold it briefly, because waits for it are not
/// recorded (unlike those for a `ChargedLock`). It is inlinable because hot paths of other modules
/// take it once per object.
///
/// Example: `Snippets/merge-two-contexts.swift`.
// @unchecked: `value` is touched under `lock` only, which stays at a fixed address until `deinit`.
public final class Lock<Value>: @unchecked Sendable {
  @usableFromInline let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  // The lock ensures exclusive access.
  @exclusivity(unchecked) @usableFromInline var value: Value

  public init(_ value: sending Value) {
    self.value = value
    pthread_mutex_init(lock, nil)
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  /// `body` must not take this lock again.
  @inlinable public func withLock<R>(
    _ body: (inout sending Value) throws -> sending R
  ) rethrows -> sending R {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return try body(&value)
  }
}
