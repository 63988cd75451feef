package import Judging
import Measurement
import Support

/// The answer in words. It never claims more than the trials separate.
package enum Sentences {
  package static func title(_ section: SummarySection) -> String {
    section.key("").title
  }

  package static func work(_ section: SummarySection) -> String {
    let changes = [
      (section.inserts, "insert"), (section.updates, "update"), (section.deletes, "delete"),
    ].compactMap { count, noun in count.map { Figures.counted($0, noun) } }
    var clauses: [String] = []
    if let objects = section.objects { clauses.append(Figures.counted(objects, "object")) }
    if !changes.isEmpty {
      let saves = section.saves.map { " in \(Figures.counted($0, "save"))" } ?? ""
      clauses.append(changes.listed + saves)
    }
    clauses.append(Figures.counted(section.rounds, "trial"))
    return clauses.joined(separator: "; ")
  }

  /// The scenario's choices that decide the answer.
  package static func defaults(_ section: SummarySection) -> String? {
    guard !section.defaults.isEmpty else { return nil }
    return "What decides this answer: \(section.defaults.joined(separator: "; "))."
  }

  package static func trust(_ section: SummarySection) -> String {
    let readings = section.trust.readings.map { reading in
      reading.what + (reading.grade == .good ? "" : " (\(reading.grade.rawValue))")
    }
    let text = readings.joined(separator: "; ")
    return "Trust: \(section.trust.grade.rawValue)."
      + (text.isEmpty ? "" : " \(text.prefix(1).uppercased())\(text.dropFirst()).")
  }

  package static func diagnoses(_ section: SummarySection) -> String {
    let clauses = section.diagnoses.map(\.clause)
    let spread = section.spread.map { spread in
      "Between trials, blocked time spreads by \(Figures.percent(spread)) (half the interquartile "
        + "range, median of the topologies)."
    }
    let diagnoses =
      clauses.isEmpty
      ? "Nothing that was measured makes this doubtful."
      : "What makes this doubtful: \(clauses.joined(separator: "; "))."
    return [diagnoses, spread].compactMap { $0 }.joined(separator: " ")
  }

  package static func limits(_ sections: [SummarySection]) -> String {
    let syncs = sections.compactMap { $0.sync?.median }
    let sync = Statistics.median(syncs)
    let here =
      sync.map { "A sync took \(Figures.milliseconds($0))" }
      ?? "How long a sync takes on this machine was not measured"
    let there =
      sync.map { $0 < 1 } ?? true
      ? """
      , not tenths, so that topologies which write on the main queue look better here than there
      """ : " too"
    return """
      The storage core is a re-creation of Core Data's, not validated against Core Data on a \
      device; read orders and mechanisms, not seconds. \(here); on a phone it takes \
      milliseconds\(there). \(prices(sections))
      """
  }

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
        "A change of the order cannot be excluded: a ranking needs \(sweep.trialsNeeded) trials, "
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

extension CellKey {
  /// `5000-cities, pool store`, with the parameters.
  var title: String {
    "\(scenario), \(store) store" + (parameters.isEmpty ? "" : ", \(parameters)")
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
  var topologies: [String] { points.flatMap(\.ranking.places).map(\.name).unique }
}
