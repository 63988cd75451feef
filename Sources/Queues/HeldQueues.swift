#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A queue that a thread can hold, with a label for messages.
protocol Labelled: AnyObject {
  var label: String { get }
}

/// The queues whose blocks the calling thread is executing. For messages.
public enum CurrentQueues {
  /// Their labels, innermost last; empty on a thread of no queue.
  public static var labels: [String] { HeldQueues.current.labels }
}

/// The queues whose blocks the calling thread is executing: the thread's own queue, and queues held
/// by `sync`. There are rarely more than three, so a list is fast.
final class HeldQueues {
  private var held: [Unmanaged<AnyObject>] = []

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let status = pthread_key_create(&key) { pointer in
      #if canImport(Darwin)
        Unmanaged<HeldQueues>.fromOpaque(pointer).release()
      #else
        if let pointer { Unmanaged<HeldQueues>.fromOpaque(pointer).release() }
      #endif
    }
    precondition(status == 0, "no thread-local key left")
    return key
  }()

  static var current: HeldQueues {
    if let pointer = pthread_getspecific(key) {
      return Unmanaged<HeldQueues>.fromOpaque(pointer).takeUnretainedValue()
    }
    let new = HeldQueues()
    pthread_setspecific(key, UnsafeRawPointer(Unmanaged.passRetained(new).toOpaque()))
    return new
  }

  /// The labels of the held queues, innermost last.
  var labels: [String] {
    held.compactMap { ($0.takeUnretainedValue() as? any Labelled)?.label }
  }

  func contains(_ queue: AnyObject) -> Bool {
    held.contains { $0.toOpaque() == Unmanaged.passUnretained(queue).toOpaque() }
  }

  func whileHolding<R>(_ queue: any Labelled, _ body: () throws -> R) rethrows -> R {
    held.append(.passUnretained(queue))
    defer { held.removeLast() }
    return try body()
  }
}
