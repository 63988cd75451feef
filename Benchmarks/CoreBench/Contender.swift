import Foundation
import ObjectGraph

/// One implementation of the work, in its own store file.
///
/// Each step returns a sum over the values that it read or wrote, which proves that all contenders
/// did the same. Preparations are not timed.
protocol Contender {
  static var name: String { get }

  /// Opens an existing store without rows.
  init(file: URL, clock: StepClock) throws
  func insert(_ rows: [ContiguousArray<Value>]) throws -> Int
  func fetchFaults() throws -> Int
  /// Reads whole rows, then two of their properties.
  func fetchAndRead() throws -> Int
  /// Reads the two properties alone, if the contender can.
  func readAlone() throws -> Int
  func fireFaults() throws -> Int
  func update() throws -> Int
  func delete() throws -> Int
  func close() throws
}

enum Step: String, CaseIterable {
  case insert = "insert + save"
  case fetchFaults = "fetch as faults"
  case fetchAndRead = "fetch rows, read two"
  case readAlone = "read two columns"
  case fireFaults = "fire faults singly"
  case update = "update + save"
  case delete = "delete + save"
  // For contexts only.
  case pushUp = "push-up"
  case merge = "merge"

  static let common = allCases.filter { ![.pushUp, .merge].contains($0) }
}

extension Contender {
  func readAlone() throws -> Int { try fetchAndRead() }
}

/// Measures the current step.
final class StepClock {
  /// CPU time of all threads, instead of elapsed time.
  let countsProcessorTime: Bool
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

  /// The time measured since the last call.
  func take() -> Duration {
    defer { total = .zero }
    return total
  }
}
