import Foundation
import Queues

/// Lets a thread wait for another. Stays open.
final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func open() { semaphore.signal() }
  func wait() {
    semaphore.wait()
    semaphore.signal()
  }
}

/// Stands still at the first statement that its thread executes.
final class HoldingRecorder: ActivityRecorder {
  private let isHeld: Gate
  private let mayGoOn: Gate

  init(_ isHeld: Gate, _ mayGoOn: Gate) {
    self.isHeld = isHeld
    self.mayGoOn = mayGoOn
    super.init()
  }

  override func count(_ counter: ActivityCounter, _ amount: Int) {
    guard counter == .statements else { return }
    isHeld.open()
    mayGoOn.wait()
  }
}
