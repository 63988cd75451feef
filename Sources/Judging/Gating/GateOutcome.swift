package enum GateOutcome: String, Codable, Sendable, CaseIterable {
  case pass
  /// A gated figure is worse, a limit is broken, or an expectation does not hold.
  case regression
  /// A cell of the candidate was wrong, crashed or timed out.
  case badCell = "bad cell"
  /// Too noisy or too short.
  case inconclusive
  /// The baseline cannot be used for this candidate.
  case baseline = "no baseline"
  case nothingCompared = "nothing compared"

  /// The first that applies counts.
  package static let precedence: [GateOutcome] = [
    .baseline, .nothingCompared, .badCell, .regression, .inconclusive, .pass,
  ]

  package var exitStatus: Int32 {
    switch self {
    case .pass: 0
    case .regression: 2
    case .badCell: 3
    case .inconclusive: 4
    case .baseline: 5
    case .nothingCompared: 6
    }
  }
}
