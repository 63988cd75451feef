package import Measurement

// The order of topologies over the values of one field:
//
//   changes.per_save      1     50    500     all
//   A                  12.0   10.0    9.0     8.0        A is separated from B, and ahead
//   B                  30.0   11.0    7.0     2.0
//                      A<B    A?B     B<A     B<A        ◀ they change places between 1 and 500
//
// Two topologies change places if the rankings on both sides separate them. Each value is ranked by
// its own trials. The values in between may not separate the two. If only the medians change
// places, the change is unclear.

package enum SweptMeasure: String, Codable, Sendable {
  case blocked
  /// Blocked time and drawing, if the cost of drawing is swept.
  case blockedAndDrawing = "blocked and drawing"

  init(field: String, _ question: Question) {
    self =
      question.phase == .change && field.hasPrefix("drawing.") ? .blockedAndDrawing : .blocked
  }

  func value(of cell: CellResult, _ question: Question) -> Double? {
    guard let blocked = cell.metrics[question.blocked] else { return nil }
    switch self {
    case .blocked: return blocked
    case .blockedAndDrawing: return cell.metrics[.mainUI].map { blocked + $0 }
    }
  }
}

/// One field of a scenario over its values, with one value of each other field.
package struct Sweep: Codable, Sendable, Equatable {
  package let scenario: String
  package let store: String
  package let field: String
  /// Other fields that were set or swept.
  package let fixed: [String: SweptValue]
  package let measure: SweptMeasure
  /// In the order of their values. At least two.
  package let points: [SweepPoint]
  /// Changes that both rankings separate.
  package let crossovers: [Crossover]
  /// Changes of the medians alone.
  package let unclear: [Crossover]
  /// Of topologies that were measured in another store mode alone.
  package let otherStores: [String: String]
  /// For a ranking of these topologies. `trials` is the fewest of a point with two topologies or
  /// more.
  package let trialsNeeded: Int
  package let trials: Int

  package static func all(in cells: [CellResult]) -> [Sweep] {
    all(in: cells, StoreModes(cells.lazy.map(CellKey.init)))
  }

  static func all(in cells: [CellResult], _ stores: StoreModes) -> [Sweep] {
    let placed = cells.grouped(by: CellKey.init).flatMap { key, cells in
      let parameters = SweptParameters(key.parameters)
      // Values of `asks_about` are answered by different metrics.
      let fields = parameters.values.filter { $0.key != "asks_about" }
      return fields.sorted { $0.key < $1.key }.map { field, value in
        let place = Place(
          scenario: key.scenario, store: stores.section(of: key).store, field: field,
          others: parameters.without(field))
        return (place: place, value: value, cells: cells)
      }
    }
    return placed.grouped { $0.place }.compactMap { place, entries in
      let values = entries.grouped { $0.value }
      return values.count > 1
        ? Sweep(place, values.map { ($0.key, $0.elements.flatMap(\.cells)) }) : nil
    }
  }

  /// `grdb-queue (serial)` where the store mode is not the sweep's.
  package func label(_ topology: String) -> String {
    topology + (otherStores[topology].map { " (\($0))" } ?? "")
  }

  /// The swept value in these parameters. Nil if the sweep does not contain them.
  ///
  /// - Parameter parameters: a JSON object, or empty.
  package func value(of parameters: String) -> SweptValue? {
    let setting = SweptParameters(parameters)
    guard let value = setting.values[field], setting.without(field).values == fixed else {
      return nil
    }
    // Bisects, because a page asks for each section.
    var (low, high) = (0, points.count)
    while low < high {
      let middle = (low + high) / 2
      if points[middle].value < value { low = middle + 1 } else { high = middle }
    }
    return low < points.count && points[low].value == value ? value : nil
  }

  private struct Place: Hashable {
    let scenario: String
    let store: String
    let field: String
    let others: SweptParameters
  }

  private init?(_ place: Place, _ groups: [(SweptValue, [CellResult])]) {
    scenario = place.scenario
    store = place.store
    field = place.field
    fixed = place.others.values
    otherStores = Dictionary(
      groups.flatMap(\.1).filter { $0.store != place.store }.map { ($0.topology, $0.store) }
    ) { first, _ in first }
    let question = Question(of: groups.flatMap(\.1))
    let measure = SweptMeasure(field: place.field, question)
    self.measure = measure
    let points = groups.sorted { $0.0 < $1.0 }
      .map { SweepPoint($0, $1, measure, question) }
      .filter { !$0.ranking.places.isEmpty }
    guard points.count > 1 else { return nil }
    (crossovers, unclear) = SweepOrder(points).crossovers()
    trialsNeeded = Trials.needed(topologies: points.map(\.ranking.places.count).max() ?? 0)
    trials =
      points.filter { $0.ranking.places.count > 1 }.map(\.conclusion.order.trials).min() ?? 0
    self.points = points
  }
}

package struct SweepPoint: Codable, Sendable, Equatable {
  package let value: SweptValue
  package let ranking: Ranking
  /// By the sweep's measure, without causes and doubts: the section of this value has them.
  package let conclusion: Conclusion

  fileprivate init(
    _ value: SweptValue, _ cells: [CellResult], _ measure: SweptMeasure, _ question: Question
  ) {
    self.value = value
    ranking = Ranking(cells) { measure.value(of: $0, question) }
    conclusion = Conclusion(
      cells.filter { $0.status == .ok }, ranking, question,
      trialsNeeded: Trials.needed(topologies: ranking.places.count))
  }
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
