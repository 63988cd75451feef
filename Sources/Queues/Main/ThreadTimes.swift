import CLinux
import Foundation

/// Use it on the thread that created it.
package final class ThreadTimes {
  private let owner = pthread_self()
  /// The open file /proc/thread-self/schedstat of this thread; -1 if it does not exist.
  private let schedstat: Int32

  package init() {
    #if os(Linux)
      schedstat = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)
    #else
      schedstat = -1
    #endif
  }

  deinit {
    if schedstat >= 0 { close(schedstat) }
  }

  /// Nanoseconds that the thread was runnable but not running (the second number of schedstat); nil
  /// if not reported.
  package func runqueue() -> Int64? {
    assert(pthread_equal(owner, pthread_self()) != 0, "another thread's times were asked for")
    guard schedstat >= 0 else { return nil }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 80) { buffer in
      let count = pread(schedstat, buffer.baseAddress, buffer.count, 0)
      guard count > 0, let space = buffer[..<count].firstIndex(of: UInt8(ascii: " ")) else {
        return nil
      }
      var value: Int64 = 0
      for byte in buffer[(space + 1)..<count] {
        guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { break }
        value = value * 10 + Int64(byte - UInt8(ascii: "0"))
      }
      return value
    }
  }

  /// In nanoseconds.
  func cpu() -> Int64 {
    assert(pthread_equal(owner, pthread_self()) != 0, "another thread's times were asked for")
    return SystemClock.read(CLOCK_THREAD_CPUTIME_ID).nanoseconds
  }

  /// Removes the 50 µs of slack that Linux gives the calling thread's timers, if the kernel allows.
  static func askForExactTimers() {
    _ = clinux_set_timer_slack(1)
  }

  /// Gives the calling thread its name in the kernel, which `Thread.name` leaves out on Linux.
  static func nameThread(_ name: String) { clinux_name_thread(name) }
}
