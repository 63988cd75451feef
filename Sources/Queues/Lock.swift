#if canImport(Glibc)
  public import Glibc
#elseif canImport(Darwin)
  public import Darwin
#endif

/// A value that is read and written under a lock only, as `Synchronization.Mutex` is.
///
/// The lock is pthread's, because ThreadSanitizer sees its order. On Linux the standard library's
/// `Mutex` locks inside code that is not instrumented, and the sanitizer reports races in whatever
/// it guards.
///
/// Inlinable, because other modules' hot paths take it once an object. For state that is held briefly; a wait for it is not charged to anybody. See `ChargedLock`.
// `@unchecked Sendable`: `value` is touched under `lock` only, which lives at a fixed address until
// `deinit`.
public final class Lock<Value>: @unchecked Sendable {
  @usableFromInline let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  // Exclusive access is not checked at run time: the lock is what makes it exclusive.
  @exclusivity(unchecked) @usableFromInline var value: Value

  public init(_ value: sending Value) {
    self.value = value
    pthread_mutex_init(lock, nil)
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  /// Not reentrant: `body` must not come back to this lock.
  @inlinable public func withLock<R>(
    _ body: (inout sending Value) throws -> sending R
  ) rethrows -> sending R {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return try body(&value)
  }
}
