import CLinux
import Foundation

/// Starts threads. Foundation's `Thread` does not tell that the system has none left, and whoever
/// waits for its work would wait for ever.
package enum StartedThread {
  /// Runs `body` on a new thread, or stops the program with the system's reason.
  ///
  /// - Parameter stackSize: in bytes; nil for the system's usual size.
  package static func run(stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void) {
    let work = Unmanaged.passRetained(Work(body: body))
    let error = clinux_start_thread(
      UInt(stackSize ?? 0),
      { argument in
        if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
        return nil
      }, work.toOpaque())
    guard error == 0 else {
      fatalError(
        "the system cannot start another thread: \(String(cString: strerror(error))). End other"
          + " programs, or allow more threads (ulimit -u)")
    }
  }

  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(body: @escaping @Sendable () -> Void) { self.body = body }
  }
}
