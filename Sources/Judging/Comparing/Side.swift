/// A side of a comparison. The words stand in the CSV file of a duet.
package enum Side: String, Codable, Sendable, CaseIterable {
  case baseline, candidate

  package var other: Side { self == .baseline ? .candidate : .baseline }
}
