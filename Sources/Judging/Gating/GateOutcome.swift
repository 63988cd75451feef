/// What a gate comes to. The raw value is the exit status.
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

/// Why a baseline is none for a candidate. Reports find the words; each has its remedy there.
package enum GateProblem: Sendable, Equatable {
  /// A scenario of the same name, but of another version.
  case otherDigest(Matching.OtherDigest)
  /// No scenario stands on both sides.
  case noCommonScenario(baseline: [String], candidate: [String])
  case otherMachine(baseline: [String], candidate: [String])
  /// A side does not say where it was measured.
  case unknownMachine
  /// Other seeds are other work.
  case otherSeeds(baseline: [UInt64], candidate: [UInt64])
  /// Cells of one seed that did not end with the same rows.
  case unequalWork(CellKey)
}
