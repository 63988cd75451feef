package struct SweepPoint: Codable, Sendable, Equatable {
  package let value: SweptValue
  package let ranking: Ranking
}

package struct Crossover: Codable, Sendable, Equatable {
  /// Ahead at the lower value.
  package let before: String
  /// Ahead at the higher value.
  package let after: String
  package let from: SweptValue
  package let to: SweptValue
  /// Where the medians are equal, by linear interpolation. Nil if a value is no number.
  package let estimate: Double?
}
