/// What one metric column means, so that lists, readers and judges need not know its name.
package struct MetricDefinition: Sendable, Hashable {
  /// What sort of number it is, which decides how it is judged and written.
  package enum Kind: String, Sendable, CaseIterable {
    case time
    /// A percentile of a distribution of times.
    case percentile
    case rate
    case count
    case size
    /// A time squared, or any other figure that is only good for its own comparison.
    case area
    /// Text, not a number.
    case label
  }

  package enum Direction: String, Codable, Sendable {
    case lower, higher
    /// Neither is better: it describes.
    case neither
  }

  /// The column's name in the CSV file.
  package let name: String
  /// `ms`, `MiB`, `1/s`…; empty for plain counts and for labels.
  package let unit: String
  package let kind: Kind
  package let better: Direction
  /// Whether equal work gives an equal count, however the threads are scheduled. Such a count needs
  /// no statistics: any increase is a regression.
  package let isIndependentOfScheduling: Bool
  /// One line, in plain words.
  package let meaning: String

  init(
    _ name: String, _ unit: String, _ kind: Kind, better: Direction = .lower,
    exact: Bool = false, _ meaning: String
  ) {
    self.name = name
    self.unit = unit
    self.kind = kind
    self.better = better
    self.isIndependentOfScheduling = exact
    self.meaning = meaning
  }
}
