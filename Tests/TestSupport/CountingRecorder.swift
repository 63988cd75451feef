package import Queues

extension ActivityRecorder {
  package func watch<R>(_ body: () throws -> R) rethrows -> R {
    Activity.install(self)
    defer { Activity.install(nil) }
    return try body()
  }
}

/// Counts the activity of the calling thread.
package final class CountingRecorder: ActivityRecorder {
  private var counts: [ActivityCounter: Int] = [:]
  package private(set) var waits: [WaitCause] = []

  package subscript(counter: ActivityCounter) -> Int { counts[counter, default: 0] }

  package override func count(_ counter: ActivityCounter, _ amount: Int) {
    counts[counter, default: 0] += amount
  }

  package override func waited(_ cause: WaitCause, from start: Instant, to end: Instant) {
    waits.append(cause)
  }
}
