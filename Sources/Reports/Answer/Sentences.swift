package import Judging
import Measurement
import Support

/// The answer in words. It never claims more than the trials separate.
package enum Sentences {
  package static func title(_ section: SummarySection) -> String {
    section.key.title
  }

  /// Kinds of changes that do not occur are not named.
  package static func work(_ section: SummarySection) -> String {
    let changes = [
      (section.inserts, "insert"), (section.updates, "update"), (section.deletes, "delete"),
    ].compactMap { count, noun in count.flatMap { $0 == 0 ? nil : Figures.counted($0, noun) } }
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

  /// Only readings that lower the grade, unless explained.
  static func trust(_ section: SummarySection, _ detail: Answer.Detail = .explained) -> String {
    let trust = section.trust
    let readings = trust.readings.filter { detail == .explained || $0.grade != .good }.map {
      $0.what + ($0.grade == .good ? "" : " (\($0.remedy))")
    }
    let text = readings.joined(separator: "; ")
    return "Trust: \(trust.grade.rawValue)." + (text.isEmpty ? "" : " \(text.capitalised).")
  }

  /// Reasons to doubt the result, and what to do. Nil without any.
  package static func doubts(_ section: SummarySection) -> String? {
    let doubts = section.conclusion.doubts.map(\.clause)
    return doubts.isEmpty ? nil : "Also consider: \(doubts.joined(separator: "; "))."
  }

  /// Every report says this much.
  package static let validity = """
    Not validated against Core Data on a device; read orders and mechanisms, not seconds.
    """

  package static func limits(_ sections: [SummarySection]) -> String {
    [validity, syncSentence(sections), prices(sections)].compactMap { $0 }.joined(separator: " ")
  }

  private static func syncSentence(_ sections: [SummarySection]) -> String {
    guard let sync = sync(sections) else {
      return "How long a sync takes on this machine was not measured; a phone takes milliseconds."
    }
    let text = "A sync took \(Figures.milliseconds(sync)) here, and takes milliseconds on a phone"
    return sync < 1
      ? "\(text): topologies that write on the main queue look better here than there."
      : "\(text) too."
  }

  /// `sync_ms` in ms, as the cells measured it.
  static func sync(_ sections: [SummarySection]) -> Double? {
    Statistics.median(sections.compactMap { $0.sync?.median })
  }

  /// `registered, pool store, over main.realised_percent`
  package static func title(_ sweep: Sweep) -> String {
    "\(sweep.scenario), \(sweep.store) store, over \(sweep.field)"
      + (sweep.fixed.isEmpty ? "" : "; \(SweptParameters.text(sweep.fixed))")
  }

  package static func legend(_ sweep: Sweep) -> String {
    switch sweep.measure {
    case .blocked: "Blocked time, ms: median over trials. \(letters)"
    case .blockedAndDrawing:
      "Blocked time and drawing together, ms: median over trials. \(letters)"
    }
  }

  private static let letters = "At each value, topologies that share a letter are not separated."
}

extension CellKey {
  /// `5000-cities, pool store, changes.per_save 50`
  var title: String {
    let setting = SweptParameters.text(parameters)
    return "\(scenario), \(store) store\(setting.isEmpty ? "" : ", \(setting)")"
  }
}

extension Table {
  /// `12.3 A`: the median, and the letters at this value; `12.3 –` alone or with too few trials.
  init(_ sweep: Sweep) {
    let columns = sweep.points.map { point in
      ValueColumn<String>(column: Column(heading: point.value.label, unit: "ms")) { name in
        point.ranking.places.first { $0.name == name }
          .map { Cell($0.median) + " \(AnswerColumns.letters($0.letters))" } ?? Cell(nil)
      }
    }
    self.init(sweep.topologies, [.leading("topology", .heading) { sweep.label($0) }] + columns)
  }
}

extension Sweep {
  var topologies: [String] { points.flatMap(\.ranking.places).map(\.name).unique }
}
