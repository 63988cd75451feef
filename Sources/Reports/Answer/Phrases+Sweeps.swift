package import Judging
import Measurement
import Support

// The values of a sweep. A title says who is best where:
//
//   changes.per_save: A is best at 1 to 50, B is best at all
//
// The text below it says between which values two topologies change places, and who freezes where.

extension Phrases {
  /// `changes.per_save: A is best at each value`
  ///
  /// - Parameter sweeps: of one field that has several, the place names the other fields.
  package static func short(_ sweep: Sweep, among sweeps: [Sweep] = []) -> String {
    "\(place(of: sweep, among: sweeps)): \(best(sweep))"
  }

  package static func short(_ sweeps: [Sweep], _ sections: [SummarySection]) -> String {
    let answers = Set(sweeps.map(best))
    let fields: [String: [Sweep]] = Dictionary(grouping: sweeps, by: \.field)
    // Sweeps of one field are told apart only where they differ.
    let differing: [Sweep] = fields.values.filter { same in
      let answers = Set(same.map { best($0) })
      return answers.count > 1
    }.flatMap { $0 }
    let clauses = sweeps.map { short($0, among: differing) }.unique
    let winners =
      answers.count == 1 && fields.count > 1 && isSteady(sweeps[0])
      ? "\(best(sweeps[0])) of \(fields.count) fields"
      : clauses.prefix(2).joined(separator: "; ")
        + (clauses.count > 2 ? "; and \(clauses.count - 2) more" : "")
    return [freezes(sections.map(\.conclusion)), winners].compactMap { $0 }
      .joined(separator: "; ").capitalised
  }

  /// `changes.per_save with generate.inserts 9`
  private static func place(of sweep: Sweep, among sweeps: [Sweep]) -> String {
    let same = sweeps.filter { $0.field == sweep.field }
    var others = sweep.fixed.isEmpty ? [] : [SweptParameters.text(sweep.fixed)]
    if Set(same.map(\.store)).count > 1 { others.append("\(sweep.store) store") }
    return brief(sweep.field)
      + (same.count < 2 || others.isEmpty
        ? "" : " with \(PageText.title(others.joined(separator: ", ")))")
  }

  private static func canCompare(_ sweep: Sweep) -> Bool {
    sweep.points.contains { $0.ranking.places.count > 1 }
  }

  /// Whether one clause holds at each value.
  private static func isSteady(_ sweep: Sweep) -> Bool {
    canCompare(sweep) && stretches(sweep.points).count == 1
  }

  /// The best topologies at each value.
  private static func best(_ sweep: Sweep) -> String {
    guard canCompare(sweep) else { return "there is no second topology to compare" }
    let measured = sweep.measure == .blockedAndDrawing ? "with drawing, " : ""
    let runs = stretches(sweep.points)
    if runs.count == 1 {
      return measured + "\(runs[0].clause) at \(everyValue(runs[0].clause))"
    }
    let isShort = zip(runs, runs.dropFirst()).contains { $0.clause == $1.clause }
    return measured
      + (runs.count < 4 && !isShort
        ? runs.map(text).joined(separator: ", ") : changes(sweep))
  }

  private static func everyValue(_ clause: String, _ kind: String = "") -> String {
    "\([noneBest, noneSeparated].contains(clause) ? "any" : "each") \(kind)value"
  }

  /// How often the best topologies change, and at how many values nothing is ranked.
  private static func changes(_ sweep: Sweep) -> String {
    let ranked = sweep.points.filter(\.conclusion.order.isRanked)
    let runs = stretches(ranked)
    guard let first = runs.first else { return "no value is ranked" }
    let (all, left) = (sweep.points.count, sweep.points.count - ranked.count)
    let rest =
      left == 0 ? "" : ", and \(left) of \(all) values \(left == 1 ? "is" : "are") not ranked"
    if runs.count == 1 {
      return "\(first.clause) at \(everyValue(first.clause, "ranked "))" + rest
    }
    return "the best topologies change \(runs.count == 2 ? "once" : "\(runs.count - 1) times")"
      + rest
  }

  /// `A is best at 1 to 50`, `A is best at 50 to all`; several words make no range.
  private static func text(_ run: Stretch) -> String {
    let (first, last) = (run.values[0], run.values[run.values.count - 1])
    let words = run.values.filter { $0.number == nil }
    let isRange = run.values.count > 1 && first.number != nil && words.count < 2
    let values = isRange ? [first, last] : run.values
    let texts = values.map { PageText.brief($0.label) }
    return "\(run.clause) at \(isRange ? texts.joined(separator: " to ") : texts.listed)"
  }

  /// Neighbouring values with the same clause about the same topologies. The clause alone may hide
  /// a change: it says `4 of 10 topologies`, whichever four.
  private struct Stretch {
    let clause: String
    let topologies: Set<String>
    var values: [SweptValue]
  }

  /// Whether the best topologies change among the values that are ranked.
  private static func rankedChange(_ sweep: Sweep) -> Bool {
    stretches(sweep.points.filter(\.conclusion.order.isRanked)).count > 1
  }

  /// Neighbouring values at which the same topologies are the best.
  private static func stretches(_ points: [SweepPoint]) -> [Stretch] {
    stretches(points) { (best($0), namesBest($0) ? $0.order.best.map(\.topology) : []) }
  }

  private static func stretches(
    _ points: [SweepPoint], _ said: (Conclusion) -> (clause: String, topologies: [String])
  ) -> [Stretch] {
    points.reduce(into: []) { runs, point in
      let said = said(point.conclusion)
      let topologies = Set(said.topologies)
      if let run = runs.last, run.clause == said.clause, run.topologies == topologies {
        runs[runs.count - 1].values.append(point.value)
      } else {
        runs.append(Stretch(clause: said.clause, topologies: topologies, values: [point.value]))
      }
    }
  }

  /// Whether the clause of the best says which topologies, or how many, are best.
  private static func namesBest(_ conclusion: Conclusion) -> Bool {
    let order = conclusion.order
    return order.standing == .separated || order.standing == .tied && !order.excluded.isEmpty
  }

  static let noneSeparated = "the trials separate no topology from the best"

  /// `A is best`, `A and B are best`, `no topology is best`
  private static func best(_ conclusion: Conclusion) -> String {
    let order = conclusion.order
    return switch order.standing {
    case .nothing: "nothing ended ok"
    case .unmeasured: "no topology has blocked time"
    case .alone where conclusion.topologies.count == 1:
      "only \(brief(order.all[0].topology)) was measured"
    case .alone: "only \(brief(order.all[0].topology)) has blocked time"
    case .tooFewTrials: "the trials are too few to rank"
    case .discarded: "the run is to be discarded"
    case .frozen: noneBest
    case .tied where !namesBest(conclusion): noneSeparated
    case .tied, .separated:
      "\(names(order.best.map(\.topology).sorted(), of: order.all.count))"
        + " \(order.best.count == 1 ? "is" : "are") best"
    }
  }

  /// Where two topologies change places.
  package static func crossovers(_ sweep: Sweep) -> String {
    guard canCompare(sweep) else { return "There is no second topology to compare." }
    let claimed = sweep.crossovers.grouped { [$0.before, $0.from.text, $0.to.text] }
      .map { clause($0.elements) }
    let unclear = sweep.unclear.map { "\($0.before) and \($0.after)" }
    let medians =
      unclear.isEmpty
      ? nil : "By medians alone, these change places: \(few(unclear, of: "pair"))."
    return [changes(claimed, sweep), freezes(sweep), medians].compactMap { $0 }
      .joined(separator: " ")
  }

  /// Who freezes at which value. Nil unless that changes where the best topologies change.
  private static func freezes(_ sweep: Sweep) -> String? {
    let (conclusions, runs) = (sweep.points.map(\.conclusion), stretches(sweep.points, frozen))
    guard runs.count > 1, rankedChange(sweep),
      conclusions.contains(where: { !$0.order.excluded.isEmpty })
    else { return nil }
    let clauses = runs.filter { !$0.clause.isEmpty }.map(text).joined(separator: "; ")
    return "\(lead(conclusions))the screen freezes \(clauses).".capitalised
  }

  /// `with A and B`, or empty
  private static func frozen(
    _ conclusion: Conclusion
  ) -> (clause: String, topologies: [String]) {
    let topologies = conclusion.freezes.filter { $0.usual != nil }.map(\.topology).sorted()
    if topologies.isEmpty { return ("", []) }
    let all = conclusion.topologies.count
    let named = topologies.count == all ? names(topologies, of: all) : few(topologies.map(brief))
    return ("with \(named)", topologies)
  }

  private static func changes(_ claimed: [String], _ sweep: Sweep) -> String {
    if !claimed.isEmpty { return "Where the order changes: \(few(claimed, of: "change"))." }
    if sweep.trials < sweep.trialsNeeded {
      return "A change of the order cannot be excluded: a ranking needs \(sweep.trialsNeeded)"
        + " trials, and there \(sweep.trials == 1 ? "is" : "are") \(sweep.trials)."
    }
    return rankedChange(sweep)
      ? "The best topologies change, but no two topologies are separated in both orders."
      : "The trials show no change of the order."
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
