import Foundation
package import Queues

/// Stays open.
package final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  package init() {}

  package func open() { semaphore.signal() }

  package func wait() {
    semaphore.wait()
    semaphore.signal()
  }
}

package final class Story<Event: Sendable>: Sendable {
  private let events = Lock<[Event]>([])

  package init() {}

  package func tell(_ event: Event) { events.withLock { $0.append(event) } }
  package var all: [Event] { events.withLock { $0 } }
}

package struct TestThread: Sendable {
  private let ended = Gate()

  package init(_ body: @escaping @Sendable () -> Void) {
    let thread = Thread { [ended] in
      body()
      ended.open()
    }
    thread.start()
  }

  package func join() { ended.wait() }

  /// Returns once the thread waits.
  ///
  /// - Parameter causes: receives the cause of the wait.
  package static func waiting(
    _ causes: Story<WaitCause> = Story(), _ body: @escaping @Sendable () -> Void
  ) -> TestThread {
    let isWaiting = Gate()
    let thread = TestThread { WaitWatcher(isWaiting, causes).watch(body) }
    isWaiting.wait()
    return thread
  }
}

private final class WaitWatcher: ActivityRecorder {
  private let isWaiting: Gate
  private let causes: Story<WaitCause>

  init(_ isWaiting: Gate, _ causes: Story<WaitCause>) {
    self.isWaiting = isWaiting
    self.causes = causes
    super.init()
  }

  override func willWait(for cause: WaitCause, at start: Instant) {
    causes.tell(cause)
    isWaiting.open()
  }
}

/// A value that observers of a context or a list change.
// `@unchecked Sendable`: used on the context's queue, or while nothing runs there.
package final class Heard<Value>: @unchecked Sendable {
  package var value: Value

  package init(_ value: Value) { self.value = value }
}
