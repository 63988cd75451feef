import Foundation

/// Blocks one thread until another releases it. ThreadSanitizer sees the order of pthread's lock
/// and condition.
// @unchecked: `signalled` is touched under `mutex` only. The lock and the condition stay at a fixed
// address until `deinit`.
final class Parker: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var signalled = false

  init() {
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    #if canImport(Glibc)
      // Setting the date must not move a deadline.
      pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    #endif
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Returns after the next `unpark`, or at once after an `unpark` that no thread waited for.
  func park() {
    pthread_mutex_lock(mutex)
    while !signalled { pthread_cond_wait(condition, mutex) }
    signalled = false
    pthread_mutex_unlock(mutex)
  }

  /// Returns at `deadline` of the system's monotonic clock at the latest.
  func park(until deadline: Instant) {
    pthread_mutex_lock(mutex)
    while !signalled {
      if !wait(until: deadline) { break }
    }
    signalled = false
    pthread_mutex_unlock(mutex)
  }

  /// - Returns: false once the deadline has passed.
  private func wait(until deadline: Instant) -> Bool {
    #if canImport(Darwin)
      // Darwin's conditions have no monotonic deadline.
      let left = max(0, deadline.nanoseconds - SystemClock().now().nanoseconds)
      var time = Self.time(nanoseconds: left)
      return pthread_cond_timedwait_relative_np(condition, mutex, &time) == 0
    #else
      var time = Self.time(nanoseconds: deadline.nanoseconds)
      return pthread_cond_timedwait(condition, mutex, &time) == 0
    #endif
  }

  private static func time(nanoseconds: Int64) -> timespec {
    var time = timespec()
    time.tv_sec = Int(nanoseconds / 1_000_000_000)
    time.tv_nsec = Int(nanoseconds % 1_000_000_000)
    return time
  }

  func unpark() {
    #if TOPOBENCH_PLANTED_BUGS
      if PlantedBug.lostWakeUp.isActive {
        signalled = true
        pthread_cond_signal(condition)
        return
      }
    #endif
    pthread_mutex_lock(mutex)
    signalled = true
    pthread_cond_signal(condition)
    pthread_mutex_unlock(mutex)
  }
}
