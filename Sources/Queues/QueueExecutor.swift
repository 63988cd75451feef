// The jobs of an actor as blocks of a queue:
//
//   await actor.a()   await actor.b()          each call is a job: a hop to the queue
//   queue   [block] [a] [block] [b]            other blocks run in between

/// Runs an actor's jobs on a serial queue, such as that of a context. Two actors with executors of
/// one queue never run at the same time.
///
/// Return it from the actor's `unownedExecutor`, and do the actor's work in `carryingChange`:
/// ```swift
/// nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
///
/// func save() throws {
///   try QueueExecutor.carryingChange { try context.performAndWait { try context.save() } }
/// }
/// ```
public final class QueueExecutor: SerialExecutor {
  private let queue: any SerialQueue

  public init(_ queue: any SerialQueue) {
    self.queue = queue
  }

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  /// Runs `body` as work for the change that the calling task makes, so that recordings and traces
  /// show it there. Otherwise they show it without a change.
  ///
  /// Call it in the actor. The executor cannot: a job's task is current only while the job runs.
  public static func carryingChange<R>(_ body: () throws -> R) rethrows -> R {
    try Timeline.withChange(Timeline.change, body)
  }

  /// Lets a block of the queue assume the isolation of an actor.
  public func checkIsolated() {
    guard queue.isCurrent else {
      fatalError("an actor on queue '\(queue.label)' is used outside this queue")
    }
  }
}
