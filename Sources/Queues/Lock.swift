#if canImport(Glibc)
  public import Glibc
#elseif canImport(Darwin)
  public import Darwin
#endif

/// A value that is read and written under a lock only, like `Synchronization.Mutex`.
///
/// The lock is pthread's, because ThreadSanitizer sees its order. On Linux it does not see that of
/// the standard library's `Mutex`, and reports false races.
///
/// Hold it briefly: a wait for it is charged to no cause (see `ChargedLock`). It is inlinable
/// because hot paths of other modules take it once per object.
// @unchecked: `value` is touched under `lock` only. The lock stays at a fixed address until
// `deinit`.
public final class Lock<Value>: @unchecked Sendable {
  @usableFromInline let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  // Exclusive access is not checked at run time, because the lock ensures it.
  @exclusivity(unchecked) @usableFromInline var value: Value

  public init(_ value: sending Value) {
    self.value = value
    pthread_mutex_init(lock, nil)
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  /// Runs `body` under the lock. `body` must not take this lock again.
  @inlinable public func withLock<R>(
    _ body: (inout sending Value) throws -> sending R
  ) rethrows -> sending R {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return try body(&value)
  }
}
