import CLinux
import Foundation

package enum MainThread {
  /// Waits for ever on the process's first thread, which serves `DispatchQueue.main` and the main
  /// actor in other programs. Here nothing runs there, since nothing would measure it. Work that
  /// arrives there stops the program.
  package static func refuseWork() -> Never {
    #if os(Linux)
      var arrival = pollfd(
        fd: _dispatch_get_main_queue_handle_4CF(), events: Int16(POLLIN), revents: 0)
      // A signal ends the wait too.
      while poll(&arrival, 1, -1) < 1 {}
      fatalError(
        "a topology submitted work to DispatchQueue.main or the main actor, where nothing is"
          + " measured. Submit it to the environment's mainQueue. Give a GRDB observation a scheduler"
          + " on that queue.")
    #else
      while true { pause() }
    #endif
  }
}
