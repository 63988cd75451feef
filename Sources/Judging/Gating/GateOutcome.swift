/// The outcome of a gate. The raw value is the exit status.
package enum GateOutcome: Int32, Sendable, CaseIterable {
  case pass = 0
  /// A gated time or count is worse, a promise is broken, or an expectation does not hold.
  case regression = 2
  /// A cell of the candidate was wrong, crashed or ran out of time.
  case badCell = 3
  /// Too noisy or too short to say.
  case inconclusive = 4
  /// The baseline is none for this candidate.
  case baseline = 5
  case nothingCompared = 6

  /// Where several apply, the first of them counts.
  package static let precedence: [GateOutcome] = [
    .baseline, .nothingCompared, .badCell, .regression, .inconclusive, .pass,
  ]

  package var name: String {
    switch self {
    case .pass: "pass"
    case .regression: "regression"
    case .badCell: "bad cell"
    case .inconclusive: "inconclusive"
    case .baseline: "no baseline"
    case .nothingCompared: "nothing compared"
    }
  }
}
