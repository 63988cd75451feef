import Foundation
import ObjectGraph

/// One way of doing the same work on the same rows, in a store file of its own.
///
/// Each step leaves the store as the next one needs it, and returns a sum over what it saw or wrote,
/// by which it is known that everyone did the same. What a step prepares lies outside the clock.
protocol Contender {
  static var name: String { get }

  /// Opens a store that is there already and has no rows.
  init(file: URL, clock: StepClock) throws
  func insert(_ rows: [ContiguousArray<Value>]) throws -> Int
  func fetchFaults() throws -> Int
  /// Whole rows, of which two properties are read then: by the C API, into structs of all columns.
  func fetchAndRead() throws -> Int
  /// The two properties alone, where a contender can read less than a whole row.
  func readAlone() throws -> Int
  func fireFaults() throws -> Int
  func update() throws -> Int
  func delete() throws -> Int
  func close() throws
}

/// The steps, in the order in which they run.
enum Step: String, CaseIterable {
  case insert = "insert + save"
  case fetchFaults = "fetch as faults"
  case fetchAndRead = "fetch rows, read two"
  case readAlone = "read two columns"
  case fireFaults = "fire faults singly"
  case update = "update + save"
  case delete = "delete + save"
  // Of contexts only.
  case pushUp = "push-up"
  case merge = "merge"

  /// Those that every contender has.
  static let common: [Step] = [
    .insert, .fetchFaults, .fetchAndRead, .readAlone, .fireFaults, .update, .delete,
  ]
}

/// The time of the step under way: started and stopped by the contender, around the work alone.
final class StepClock {
  /// Of this process, on all its threads, instead of what passes: what others do beside it on a busy
  /// machine is left out, and so is what the disk takes.
  private let countsProcessorTime: Bool
  private var total = Duration.zero

  init(countsProcessorTime: Bool) {
    self.countsProcessorTime = countsProcessorTime
  }

  func measure<R>(_ work: () throws -> R) rethrows -> R {
    let start = now()
    defer { total += now() - start }
    return try work()
  }

  private func now() -> Duration {
    var time = timespec()
    clock_gettime(countsProcessorTime ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// What was measured since the last time.
  func take() -> Duration {
    defer { total = .zero }
    return total
  }
}
