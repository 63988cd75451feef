/// A queue whose label stands in messages.
protocol Labelled: Holdable {
  var label: String { get }
}

extension Labelled {
  var heldCall: String { "a block of queue '\(label)'" }
  var capacity: Int { 1 }
}

/// The queues whose blocks the calling thread is executing, for messages.
public enum CurrentQueues {
  /// Innermost last; empty on a thread that runs no queue's block.
  public static var labels: [String] { HeldQueues.current.labels }

  /// Runs `body`, which may wait for `queue`. The message about a deadlock names `call`.
  package static func naming<R>(
    _ call: String, waitingFor queue: any SerialQueue, _ body: () throws -> R
  ) rethrows -> R {
    if queue.isCurrent { return try body() }
    return try HeldQueues.current.naming(call, body)
  }
}

/// The queues whose blocks a thread runs, and in checked mode its locks. Rarely more than three, so
/// a list is fast.
final class HeldQueues {
  private var held: [Unmanaged<AnyObject>] = []
  /// The call that may wait, and how many queues its thread held before it.
  private var waitingCall: (name: String, depth: Int)?

  private static let ofThread = ThreadLocal<HeldQueues>()

  static var current: HeldQueues {
    if let held = ofThread.value { return held }
    let new = HeldQueues()
    ofThread.set(new)
    return new
  }

  var labels: [String] {
    held.compactMap { ($0.takeUnretainedValue() as? any Labelled)?.label }
  }

  var identifiers: [ObjectIdentifier] { held.map { ObjectIdentifier($0.takeUnretainedValue()) } }

  var innermostCall: String? {
    (held.last?.takeUnretainedValue() as? any Holdable)?.heldCall
  }

  /// The call that waits next. A wait inside of its block has another one.
  var nameOfWait: String? {
    guard let waitingCall, waitingCall.depth == held.count else { return nil }
    return waitingCall.name
  }

  func naming<R>(_ call: String, _ body: () throws -> R) rethrows -> R {
    let outer = waitingCall
    waitingCall = (call, held.count)
    defer { waitingCall = outer }
    return try body()
  }

  func contains(_ queue: AnyObject) -> Bool {
    held.contains { $0.toOpaque() == Unmanaged.passUnretained(queue).toOpaque() }
  }

  func whileHolding<R>(_ queue: any Holdable, _ body: () throws -> R) rethrows -> R {
    held.append(.passUnretained(queue))
    defer { held.removeLast() }
    return try body()
  }
}
