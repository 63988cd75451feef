import Foundation
import Queues

/// One thread waits for another. An open gate stays open.
final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func open() { semaphore.signal() }
  func wait() {
    semaphore.wait()
    semaphore.signal()
  }
}

/// Stops its thread at the first statement that it executes.
final class HoldingRecorder: ActivityRecorder {
  private let isHeld: Gate
  private let mayContinue: Gate

  init(_ isHeld: Gate, _ mayContinue: Gate) {
    self.isHeld = isHeld
    self.mayContinue = mayContinue
    super.init()
  }

  override func count(_ counter: ActivityCounter, _ amount: Int) {
    guard counter == .statements else { return }
    isHeld.open()
    mayContinue.wait()
  }
}
