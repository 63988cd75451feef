/// Of several statuses, the first in `precedence` applies.
package enum ExitStatus: Int32, Sendable, CaseIterable {
  case done = 0
  case failed = 1
  case regression = 2
  case badCell = 3
  case inconclusive = 4
  case baseline = 5
  case nothingCompared = 6
  case usage = 64
  case interrupted = 130

  package static let precedence: [ExitStatus] = [
    .interrupted, .usage, .failed, .baseline, .badCell, .nothingCompared, .regression,
    .inconclusive, .done,
  ]

  package static func worst(_ all: [ExitStatus]) -> ExitStatus {
    precedence.first { all.contains($0) } ?? .done
  }

  /// `--help` and Documentation/Reference/Command-line.md repeat it.
  package var meaning: String {
    switch self {
    case .done: "done; of gate or duet: nothing worse"
    case .failed: "topobench could not do its work, or a candidate cannot be read"
    case .regression: "a regression"
    case .badCell: "a cell was wrong, crashed or timed out"
    case .inconclusive: "too noisy to tell, discarded, or over 10 % of the cells suspect"
    case .baseline: "the baseline of a comparison cannot be read or used"
    case .nothingCompared: "nothing was compared"
    case .usage: "wrong command line, scenario, data or policy"
    case .interrupted: "interrupted"
    }
  }

  package static let rule =
    "Where several apply, the first of "
    + precedence.dropLast().map { "\($0.rawValue)" }.joined(separator: ", ") + "."
}
