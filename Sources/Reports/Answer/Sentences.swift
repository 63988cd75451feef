package import Judging
import Measurement

/// The answer in words: never more than the trials separate.
package enum Sentences {
  package static func title(_ section: SummarySection) -> String {
    let parameters = section.parameters.isEmpty || section.parameters == "{}"
    return "\(section.scenario), \(section.store) store"
      + (parameters ? "" : ", \(section.parameters)")
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
      sync.map { "A sync took \(Figures.short($0)) ms" }
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
}
