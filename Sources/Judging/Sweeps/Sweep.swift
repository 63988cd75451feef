package import Measurement

// What becomes of the order of topologies when one field takes other values:
//
//   changes.per_save      1     50    500     all
//   A                  12.0   10.0    9.0     8.0        A is separated from B, and ahead
//   B                  30.0   11.0    7.0     2.0
//                      A<B    A?B     B<A     B<A        ◀ they change places between 1 and 500
//
// A change of places is claimed where the ranking separates the two on both sides of it, each side
// judged by its own trials; between them lie the values at which it does not. Where the medians alone
// change places, that is said to be unclear.

/// What is compared in a sweep.
package enum SweptMeasure: String, Codable, Sendable {
  /// Main's time in the database.
  case blocked
  /// That and drawing, where the cost of drawing is swept: the one would not notice.
  case blockedAndDrawing

  init(field: String) {
    self = field.hasPrefix("drawing.") ? .blockedAndDrawing : .blocked
  }

  /// Nil where it was not measured. In ms.
  func value(of cell: CellResult) -> Double? {
    guard let blocked = cell.metrics["main_blocked_ms"] else { return nil }
    switch self {
    case .blocked: return blocked
    case .blockedAndDrawing: return cell.metrics["main_ui_ms"].map { blocked + $0 }
    }
  }
}

/// One field of a scenario over its values, the others at one value each.
package struct Sweep: Sendable, Equatable {
  package struct Point: Sendable, Equatable {
    package let value: SweptValue
    package let ranking: Ranking
  }

  /// Two topologies that change places.
  package struct Crossover: Sendable, Equatable {
    /// The one ahead at the lower value.
    package let before: String
    /// The one ahead at the higher value.
    package let after: String
    package let from: SweptValue
    package let to: SweptValue
    /// Where the medians would be equal, if they changed evenly between the two values; nil where
    /// one of these is no number.
    package let estimate: Double?
  }

  package let scenario: String
  package let store: String
  package let field: String
  /// What else was set or swept, by field.
  package let fixed: [String: SweptValue]
  package let measure: SweptMeasure
  /// In the order of their values; at least two.
  package let points: [Point]
  /// Changes of places that the rankings of both sides separate.
  package let crossovers: [Crossover]
  /// Those of the medians alone.
  package let unclear: [Crossover]
  /// How many trials a ranking of these topologies needs, and the fewest that a point has.
  package let trialsNeeded: Int
  package let trials: Int

  /// The sweeps that cells of any scenarios and stores hold, in the order in which they appear.
  package static func all(in cells: [CellResult]) -> [Sweep] {
    var places: [Place] = []
    var groups: [Place: [SweptValue: [CellResult]]] = [:]
    for cell in cells {
      let parameters = SweptParameters(cell.parameters)
      for (field, value) in parameters.values.sorted(by: { $0.key < $1.key }) {
        let place = Place(
          scenario: cell.scenario, store: cell.store, field: field,
          others: parameters.without(field))
        if groups[place] == nil { places.append(place) }
        groups[place, default: [:]][value, default: []].append(cell)
      }
    }
    return places.compactMap { place in
      groups[place].flatMap { $0.count > 1 ? Sweep(place, $0) : nil }
    }
  }

  private struct Place: Hashable {
    let scenario: String
    let store: String
    let field: String
    let others: SweptParameters
  }

  private init?(_ place: Place, _ groups: [SweptValue: [CellResult]]) {
    scenario = place.scenario
    store = place.store
    field = place.field
    fixed = place.others.values
    let measure = SweptMeasure(field: place.field)
    self.measure = measure
    points = groups.sorted { $0.key < $1.key }
      .map { Point(value: $0, ranking: Self.ranking(of: $1, by: measure)) }
      .filter { !$0.ranking.places.isEmpty }
    guard points.count > 1 else { return nil }
    (crossovers, unclear) = SweepOrder(points).crossovers()
    trialsNeeded = Trials.needed(topologies: points.map(\.ranking.places.count).max() ?? 0)
    trials = points.flatMap { $0.ranking.pairs.map(\.rounds) }.min() ?? 0
  }

  private static func ranking(of cells: [CellResult], by measure: SweptMeasure) -> Ranking {
    var competitors: [String: [String: Double]] = [:]
    for cell in cells where cell.status == .ok {
      competitors[cell.topology, default: [:]][cell.round] = measure.value(of: cell)
    }
    return Ranking(competitors.map { Ranking.Competitor(name: $0, values: $1) })
  }
}
