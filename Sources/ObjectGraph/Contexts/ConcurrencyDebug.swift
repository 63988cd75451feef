#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif
import Queues

/// The checked mode, like Core Data's `-com.apple.CoreData.ConcurrencyDebug 1`. The first call to a
/// context or its objects off the context's queue stops the program.
///
/// It is on in debug builds and with `TOPOBENCH_CONCURRENCY_DEBUG=1` in the environment. A
/// context's initialiser can override it. Relating objects of two contexts always stops the
/// program.
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
  /// Runs `body` on the parent's queue and occupies that queue meanwhile.
  ///
  /// Only children may wait for their parents. If a private parent's block waits for a child that
  /// calls its parent, Core Data's queues deadlock, or libdispatch stops the program. The checked
  /// mode stops here. A main-queue parent is exempt: work that main itself runs for a child does
  /// not wait for main.
  func onQueue<R>(of parent: ManagedObjectContext, _ body: () throws -> R) rethrows -> R {
    if link.isChecked, parent.queue.isCurrent, !(parent.queue is any RunLoopQueue) {
      stopWaiting(for: parent)
    }
    return try parent.queue.sync(waitingAs: .parent) {
      adoptPermanentIDs(of: parent)
      // The parent may have obtained more permanent IDs from its own parent.
      defer { adoptPermanentIDs(of: parent) }
      return try body()
    }
  }

  private func stopWaiting(for parent: ManagedObjectContext) -> Never {
    fatalError(
      "deadlock: context '\(name)' needs its parent '\(parent.name)', which waits for it; end the"
        + " block of '\(parent.name)' first, or use perform of '\(name)'")
  }
}

extension ManagedObject {
  /// In checked mode, stops the program unless the calling thread is on this object's queue.
  @inline(__always)
  func assertOnQueue(_ operation: StaticString) {
    if link.isChecked { link.context?.assertOnQueue(operation) }
  }
}
