package import Judging
import Measurement
import Support

extension Sentences {
  /// `registered, pool store, over main.realised_percent`
  package static func title(_ sweep: Sweep) -> String {
    let fixed = sweep.fixed.sorted { $0.key < $1.key }.map { "\($0) \($1.text)" }
    return "\(sweep.scenario), \(sweep.store) store, over \(sweep.field)"
      + (fixed.isEmpty ? "" : "; \(fixed.joined(separator: ", "))")
  }

  package static func legend(_ sweep: Sweep) -> String {
    switch sweep.measure {
    case .blocked: "Blocked time, ms: median over trials, and rank at each value."
    case .blockedAndDrawing:
      "Blocked time and drawing together, ms: median over trials, and rank at each value."
    }
  }

  package static func crossovers(_ sweep: Sweep) -> String {
    guard sweep.points.contains(where: { $0.ranking.places.count > 1 }) else {
      return "There is no second topology to compare."
    }
    let claimed = sweep.crossovers.grouped { [$0.before, $0.from.text, $0.to.text] }
      .map { clause($0.elements) }
    let unclear = sweep.unclear.map { "\($0.before) and \($0.after)" }
    var sentences: [String] = []
    if !claimed.isEmpty {
      sentences.append("Where the order changes: \(claimed.joined(separator: "; ")).")
    } else if sweep.trials < sweep.trialsNeeded {
      sentences.append(
        "A change of the order cannot be excluded: its ranking needs \(sweep.trialsNeeded) trials, "
          + "and there \(sweep.trials == 1 ? "is" : "are") \(sweep.trials).")
    } else {
      sentences.append("These trials show no change of the order.")
    }
    if !unclear.isEmpty {
      sentences.append(
        "By medians alone, not separated at one value or both: \(few(unclear, of: "pair")).")
    }
    return sentences.joined(separator: " ")
  }

  /// - Parameter group: crossovers of one topology between the same values.
  private static func clause(_ group: [Crossover]) -> String {
    let first = group[0]
    let names = group.map { crossover in
      crossover.after + (crossover.estimate.map { " (about \(Figures.short($0)))" } ?? "")
    }
    return "between \(first.from.label) and \(first.to.label), \(first.before) falls behind "
      + names.listed
  }

  private static let mostPairs = 6

  private static func few(_ texts: [String], of noun: String) -> String {
    guard texts.count > mostPairs else { return texts.joined(separator: "; ") }
    let shown = texts.prefix(mostPairs).joined(separator: "; ")
    return "\(shown); and \(Figures.counted(texts.count - mostPairs, "more \(noun)"))"
  }
}

extension Table {
  init(_ sweep: Sweep) {
    let columns = sweep.points.map { point in
      ValueColumn<String>(column: Column(heading: point.value.label, unit: "ms")) { name in
        point.ranking.places.first { $0.name == name }
          .map { Self.cell($0, isRanked: sweep.trials >= sweep.trialsNeeded) } ?? Cell(nil)
      }
    }
    self.init(sweep.topologies, [.leading("topology", .heading) { $0 }] + columns)
  }

  /// `12.3 (2=)`: the median, and the rank at this value; `12.3 (–)` with too few trials.
  private static func cell(_ place: Ranking.Place, isRanked: Bool) -> Cell {
    let rank = isRanked ? "\(place.rank)\(place.isShared ? "=" : "")" : missing
    return Cell(place.median) + " (\(rank))"
  }
}

extension Sweep {
  var topologies: [String] {
    points.flatMap(\.ranking.places).map(\.name).unique
  }
}
