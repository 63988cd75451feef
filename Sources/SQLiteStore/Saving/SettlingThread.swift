import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

// A context settles conflicts on its own thread while the coordinator holds its locks:
//
//   lock ─ BEGIN IMMEDIATE ─ write ─ conflict ─ settle: reads, hooks ─ write ─ COMMIT ─ unlock
//
// Requests of `settle` must not wait for locks of their own thread. They read the last commit. A
// write by a hook throws, because it would wait for its own thread.

/// The thread that settles conflicts, if any.
final class SettlingThread: Sendable {
  private let thread = Atomic<UInt>(0)

  var isCurrent: Bool {
    let thread = thread.load(ordering: .relaxed)
    return thread != 0 && thread == Self.current
  }

  /// Call it with the writing connection only.
  func run<R>(_ body: () throws -> R) rethrows -> R {
    thread.store(Self.current, ordering: .relaxed)
    defer { thread.store(0, ordering: .relaxed) }
    return try body()
  }

  private static var current: UInt {
    #if canImport(Darwin)
      UInt(bitPattern: pthread_self())
    #else
      pthread_self()
    #endif
  }
}
