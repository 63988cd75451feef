import Foundation

/// The checked mode, like Core Data's `-com.apple.CoreData.ConcurrencyDebug 1`: using a context or
/// its objects off its queue stops the program, and so do threads that wait for each other.
///
/// It is on in debug builds, or with `TOPOBENCH_CONCURRENCY_DEBUG=1` in the environment. The
/// initialiser of a context can turn on the check of its queue alone.
public enum ConcurrencyDebug {
  public static let isOn: Bool = {
    if let setting = getenv("TOPOBENCH_CONCURRENCY_DEBUG") {
      return String(cString: setting) == "1"
    }
    #if DEBUG
      return true
    #else
      return false
    #endif
  }()
}

/// A queue or lock that a thread holds while others wait for it.
protocol Holdable: AnyObject {
  /// The call that holds it, for messages.
  var heldCall: String { get }
  /// The number of threads that can hold it at the same time.
  var capacity: Int { get }
}

// Which threads wait for each other for ever:
//
//   thread 1   holds queue A, waits for queue B
//   thread 2   holds queue B, waits for queue A
//
// Only waiting threads are listed, and only in checked mode. A thread goes on if a thread that is
// not listed, or that goes on, holds what it waits for. The others are stuck.

enum WaitGraph {
  final class Wait: Sendable {
    fileprivate let held: [ObjectIdentifier]
    fileprivate let call: String
    fileprivate let waitingCall: String?
    fileprivate let awaited: ObjectIdentifier
    fileprivate let awaitedCall: String
    fileprivate let capacity: Int

    fileprivate init(for awaited: any Holdable) {
      let current = HeldQueues.current
      held = current.identifiers
      call = current.innermostCall ?? "a call on no queue"
      waitingCall = current.nameOfWait
      self.awaited = ObjectIdentifier(awaited)
      awaitedCall = awaited.heldCall
      capacity = awaited.capacity
    }
  }

  private static let waits = Lock<[Wait]>([])

  /// Runs `body`, which waits for `awaited`. In checked mode, stops the program if it would wait
  /// for ever.
  static func waiting<R>(for awaited: any Holdable, _ body: () throws -> R) rethrows -> R {
    let wait = begin(for: awaited)
    defer { end(wait) }
    return try body()
  }

  /// Notes that the calling thread waits. In checked mode, stops the program if it would wait for
  /// ever.
  ///
  /// - Returns: pass it to `end`, before the awaited thread can wait again. Nil outside of checked
  ///   mode.
  static func begin(for awaited: any Holdable) -> Wait? {
    guard ConcurrencyDebug.isOn else { return nil }
    let wait = Wait(for: awaited)
    let stuck = waits.withLock { waits in
      waits.append(wait)
      // Most waits end here: a thread that goes on holds what they wait for.
      return holders(of: wait, in: waits) < wait.capacity ? [] : Self.stuck(waits)
    }
    if stuck.contains(where: { $0 === wait }) { stop(stuck) }
    return wait
  }

  static func end(_ wait: Wait?) {
    guard let wait else { return }
    waits.withLock { $0.removeAll { $0 === wait } }
  }

  private static func holders(of wait: Wait, in waits: [Wait]) -> Int {
    var count = 0
    for other in waits { for held in other.held where held == wait.awaited { count += 1 } }
    return count
  }

  private static func stuck(_ waits: [Wait]) -> [Wait] {
    var holders: [ObjectIdentifier: Int] = [:]
    for held in waits.lazy.flatMap(\.held) { holders[held, default: 0] += 1 }
    let stuck = waits.filter { holders[$0.awaited, default: 0] >= $0.capacity }
    return stuck.count == waits.count ? stuck : Self.stuck(stuck)
  }

  private static func stop(_ stuck: [Wait]) -> Never {
    let waits = stuck.map { wait in
      "\(wait.call) waits for \(wait.awaitedCall)" + (wait.waitingCall.map { " in \($0)" } ?? "")
    }
    fatalError(
      "deadlock: \(waits.joined(separator: ", ")); end the outer call first, or make the inner one"
        + " with async or perform")
  }
}
