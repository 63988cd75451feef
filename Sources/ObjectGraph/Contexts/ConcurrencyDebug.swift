#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif
import Queues

/// The checked mode, as Core Data's `-com.apple.CoreData.ConcurrencyDebug 1`: contexts and their
/// objects stop the program at the first call that touches them off their queue.
///
/// On in debug builds, and where the environment has `TOPOBENCH_CONCURRENCY_DEBUG=1`; a context
/// may be made with or without it. Relating objects of two contexts stops the program always.
public enum ConcurrencyDebug {
  public static let isOn: Bool = {
    if let setting = getenv("TOPOBENCH_CONCURRENCY_DEBUG") {
      return String(cString: setting) == "1"
    }
    var isDebugBuild = false
    assert(
      {
        isDebugBuild = true; return true
      }())
    return isDebugBuild
  }()
}

extension ManagedObjectContext {
  /// In checked mode, stops the program unless the calling thread is on this context's queue.
  @inline(__always)
  func assertOnQueue(_ operation: StaticString = #function) {
    if link.isChecked && !queue.isCurrent { stop(operation) }
  }

  private func stop(_ operation: StaticString) -> Never {
    let here = CurrentQueues.labels.last.map { "queue '\($0)'" } ?? "a thread of no queue"
    fatalError(
      "\(operation) of context '\(name)', which belongs to queue '\(queue.label)', was called on"
        + " \(here); use perform or performAndWait of the context")
  }
}

extension ManagedObjectContext {
  /// Runs `body` on the parent's queue, which is occupied meanwhile.
  ///
  /// Only children wait for their parents. Where a private parent's block waits for its child, and
  /// that turns to its parent, Core Data's queues wait for each other for ever (or libdispatch stops
  /// the program); the checked mode stops here. A main queue's context is its thread's: work that main
  /// itself runs for a child does not wait for main.
  func asking<R>(_ parent: ManagedObjectContext, _ body: () throws -> R) rethrows -> R {
    if link.isChecked, parent.queue.isCurrent, !(parent.queue is any RunLoopQueue) {
      stopWaiting(for: parent)
    }
    return try parent.queue.sync(waitingAs: .parent) {
      followPermanentIDs(of: parent)
      // What the parent asked of its own parent may have made more permanent.
      defer { followPermanentIDs(of: parent) }
      return try body()
    }
  }

  private func stopWaiting(for parent: ManagedObjectContext) -> Never {
    fatalError(
      "a deadlock: context '\(name)' needs its parent '\(parent.name)', which waits for it; let the"
        + " block of '\(parent.name)' end first, or use perform of '\(name)'")
  }
}

extension ManagedObject {
  /// In checked mode, stops the program unless the calling thread is on this object's queue.
  @inline(__always)
  func assertOnQueue(_ operation: StaticString) {
    if link.isChecked { link.context?.assertOnQueue(operation) }
  }
}
