/// The ranking at one value of the swept field.
package struct SweepPoint: Codable, Sendable, Equatable {
  package let value: SweptValue
  package let ranking: Ranking
}

/// Two topologies that change places.
package struct Crossover: Codable, Sendable, Equatable {
  /// The topology that is ahead at the lower value.
  package let before: String
  /// The topology that is ahead at the higher value.
  package let after: String
  package let from: SweptValue
  package let to: SweptValue
  /// The value at which the medians are equal, by linear interpolation; nil if a value is no
  /// number.
  package let estimate: Double?
}
