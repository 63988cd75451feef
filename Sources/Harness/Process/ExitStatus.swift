/// Of several statuses, the first in `precedence` applies.
package enum ExitStatus: Int32, Sendable, CaseIterable {
  case done = 0
  /// The command could not do its work.
  case failed = 1
  case regression = 2
  /// A cell was wrong, crashed or timed out.
  case badCell = 3
  /// The measurement was too noisy for a verdict.
  case inconclusive = 4
  case baseline = 5
  case nothingCompared = 6
  case usage = 64
  case interrupted = 130

  package static let precedence: [ExitStatus] = [
    .interrupted, .usage, .failed, .baseline, .nothingCompared, .badCell, .regression,
    .inconclusive, .done,
  ]

  package static func worst(_ all: [ExitStatus]) -> ExitStatus {
    precedence.first { all.contains($0) } ?? .done
  }
}

/// An error in the command line, a scenario, or a file that they name. Nothing has been measured.
package struct UsageError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

/// Any other error. The text describes it completely.
package struct HarnessError: Error, Equatable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
