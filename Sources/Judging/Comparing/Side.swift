/// The words stand in a duet's CSV file.
package enum Side: String, Codable, Sendable, CaseIterable {
  case baseline, candidate

  package var other: Side { self == .baseline ? .candidate : .baseline }
}
