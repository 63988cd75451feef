#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Which queues the calling thread is executing a block of: its own, and those that lent themselves
/// to it. Rarely more than three, so a list.
final class HeldQueues {
  private var held: [ObjectIdentifier] = []

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

  func contains(_ queue: AnyObject) -> Bool {
    let id = ObjectIdentifier(queue)
    return held.contains { $0 == id }
  }

  func whileHolding<R>(_ queue: AnyObject, _ body: () throws -> R) rethrows -> R {
    held.append(ObjectIdentifier(queue))
    defer { held.removeLast() }
    return try body()
  }
}
