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
}

/// The queues whose blocks a thread runs, and in checked mode its locks. Rarely more than three, so
/// a list is fast.
final class HeldQueues {
  private var held: [Unmanaged<AnyObject>] = []

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

  func contains(_ queue: AnyObject) -> Bool {
    held.contains { $0.toOpaque() == Unmanaged.passUnretained(queue).toOpaque() }
  }

  func whileHolding<R>(_ queue: any Holdable, _ body: () throws -> R) rethrows -> R {
    held.append(.passUnretained(queue))
    defer { held.removeLast() }
    return try body()
  }
}
