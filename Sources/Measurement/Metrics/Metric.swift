/// The typed key of a CSV column, with everything that readers know of it.
///
/// Files, lists, pages and comparisons iterate ``Metrics/all``.
package struct Metric: Sendable {
  /// Decides how it is judged and formatted.
  package enum Kind: String, Sendable, CaseIterable {
    case time
    case percentile
    case rate
    case count
    case size
    /// A time squared: comparable only with itself.
    case area
    case label
  }

  package enum Direction: String, Codable, Sendable {
    case lower, higher
    /// It only describes the cell.
    case neither
  }

  /// How a cell's repeats combine into its value.
  enum Combination: Sendable {
    /// The median. Not measured unless every repeat has a value.
    case median(@Sendable (RepeatSample) -> Double?)
    /// The mean over the repeats in the middle by blocked time, so that parts add up.
    case partOfBlocked(@Sendable (WindowSample) -> Double)
    case cell(@Sendable (CellSamples) -> Double?)
    case text(@Sendable (CellSamples) -> String?)
    /// The median of a count. Equal work gives an equal count, however threads are scheduled.
    case count(@Sendable (WindowSample) -> Int?)
    /// A duet writes it.
    case duet
  }

  private let declaration: Declaration

  package var name: String { declaration.name }
  /// `ms`, `MiB`, `1/s`… Empty for plain counts and labels.
  package var unit: String { declaration.unit }
  package var kind: Kind { declaration.kind }
  package var better: Direction { declaration.better }
  package var meaning: String { declaration.meaning }
  var combination: Combination { declaration.combination }

  init(
    _ name: String, _ unit: String, _ kind: Kind, better: Direction = .lower, _ meaning: String,
    _ combination: Combination
  ) {
    declaration = Declaration(name, unit, kind, better, meaning, combination)
  }

  /// The median over repeats, in ms.
  static func time(
    _ name: String, _ meaning: String, _ value: @escaping @Sendable (RepeatSample) -> Double?
  ) -> Metric { Metric(name, "ms", .time, meaning, .median(value)) }

  /// An unknown name stops the program.
  package init(named name: String) {
    guard let metric = Metric(rawValue: name) else {
      preconditionFailure("there is no metric `\(name)`")
    }
    self = metric
  }

  /// Whether equal work gives an equal count, however threads are scheduled.
  package var isIndependentOfScheduling: Bool {
    if case .count = combination { true } else { false }
  }
}

extension Metric: RawRepresentable, Hashable, Codable, CodingKeyRepresentable {
  package var rawValue: String { name }

  package init?(rawValue: String) {
    guard let metric = Metrics.named(rawValue) else { return nil }
    self = metric
  }
}

private final class Declaration: Sendable {
  let name: String
  let unit: String
  let kind: Metric.Kind
  let better: Metric.Direction
  let meaning: String
  let combination: Metric.Combination

  init(
    _ name: String, _ unit: String, _ kind: Metric.Kind, _ better: Metric.Direction,
    _ meaning: String, _ combination: Metric.Combination
  ) {
    self.name = name
    self.unit = unit
    self.kind = kind
    self.better = better
    self.meaning = meaning
    self.combination = combination
  }
}

/// Every metric, in the order of the CSV file.
///
/// Readers of files rely on the order of the first groups. New metrics go to the end of `added`.
package enum Metrics {
  package static let all: [Metric] =
    Metric.window + Metric.blocked + Metric.gaps + Metric.frames + Metric.heartbeats + Metric.taps
    + Metric.mainThread + Metric.counts + Metric.cell + Metric.added

  private static let positions: [String: Int] = Dictionary(
    uniqueKeysWithValues: all.enumerated().map { ($1.name, $0) })

  package static func named(_ name: String) -> Metric? {
    positions[name].map { all[$0] }
  }

  package static func position(of metric: Metric) -> Int {
    guard let position = positions[metric.name] else {
      preconditionFailure("`\(metric.name)` is missing in `Metrics.all`")
    }
    return position
  }

  package static let exactCounts: [Metric] = all.filter(\.isIndependentOfScheduling)

  /// As in `main_wait_<cause>_ms`. Together they are `main_waiting_ms`.
  package static let waitCauses = ["parent", "coordinator", "sqlite", "queue", "other"]
}
