import Foundation
import Dispatch
import Queues

/// The first interrupt ends the run, the second exits at once.
package final class Interrupts: Sendable {
  private struct State {
    var isInterrupted = false
    var handlers: [Int: @Sendable () -> Void] = [:]
    var lastNumber = 0
  }

  private let state = Lock(State())

  package init() {}

  package var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

  /// Listens until the process ends. Call it before making anything that an interrupt must not
  /// leave behind.
  package func listen() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      let earlier = signal(number, SIG_IGN)
      // `nohup` lets the process ignore this signal.
      if number == SIGHUP,
        unsafeBitCast(earlier, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
      {
        continue
      }
      let source = DispatchSource.makeSignalSource(signal: number)
      source.setEventHandler { [self] in interrupt() }
      source.resume()
      // Retained for ever: a released source stops.
      _ = Unmanaged.passRetained(source as AnyObject)
    }
  }

  /// The first call notifies all handlers. The second exits this process and so ends its children.
  package func interrupt() {
    let handlers = state.withLock { state -> [@Sendable () -> Void]? in
      guard !state.isInterrupted else { return nil }
      state.isInterrupted = true
      return Array(state.handlers.values)
    }
    guard let handlers else { _exit(130) }
    for handler in handlers { handler() }
  }

  /// Calls `handler` at the first interrupt, or at once if there was one.
  func whenInterrupted(_ handler: @escaping @Sendable () -> Void) -> Int {
    let (number, isLate) = state.withLock { state in
      state.lastNumber += 1
      state.handlers[state.lastNumber] = handler
      return (state.lastNumber, state.isInterrupted)
    }
    if isLate { handler() }
    return number
  }

  func forget(_ number: Int) { state.withLock { $0.handlers[number] = nil } }
}
