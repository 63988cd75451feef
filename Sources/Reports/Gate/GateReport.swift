package import Judging
import Measurement

package struct GateReport: Sendable {
  package typealias Format = OutputFormat<DataFormat>

  package enum DataFormat: String, Sendable, CaseIterable {
    case json, junit, github
  }

  package let result: GateResult
  /// The comparison of the same reports, with all figures, gated or not.
  package let comparison: Comparison

  package init(_ result: GateResult, _ comparison: Comparison) {
    self.result = result
    self.comparison = comparison
  }

  package func render(as format: Format, style: TextStyle) throws -> String {
    switch format {
    case .document(let format): format.render(document, style)
    case .data(.json): try json()
    case .data(.junit): junit()
    case .data(.github): annotations()
    }
  }

  var lines: [GateLine] {
    missingParts.map(GateLine.init) + result.figures.map { GateLine($0, result.times) }
      + result.limits.map { GateLine($0, result.times) }
      + result.expectations.map { GateLine($0, result.times) }
  }

  var shown: [(topology: String, row: Comparison.Figure)] {
    let gated = Set(result.figures.map(\.metric))
    return comparison.topologies.flatMap { topology in
      topology.figures.filter { !gated.contains($0.metric) }
        .filter { $0.verdict.isChange }
        .map { (topology.name, $0) }
    }
  }

  static let jsonSchema = "topobench-gate/2"

  func json() throws -> String {
    let reasons = lines.filter(\.isListed).map { "\($0.mark.rawValue): \($0.sentence)" }
    return try JSONDocument(
      schema: Self.jsonSchema, conclusion: conclusion, notes: reasons + notes, value: result
    ).text()
  }
}

// MARK: - Document

extension GateReport {
  var document: Document {
    Document(
      title: "topobench gate: \(result.outcome.rawValue)",
      blocks: [.lines(ComparisonSentences.reports([comparison])), .table(table)]
        + (passed.map { [.paragraph($0)] } ?? [])
        + [.list(notes), .paragraph(conclusion, .answer)])
  }

  /// Counts the decisions that are not listed because they passed.
  private var passed: String? {
    let count = lines.count { !$0.isListed }
    guard count > 0 else { return nil }
    return "Not listed: \(Figures.counted(count, "exact count")) that did not increase."
  }

  private var table: Table {
    let listed = lines.filter(\.isListed)
      .sorted { $0.mark.importance.grade < $1.mark.importance.grade }
    return Table(
      listed, columns(listed), isEmphasised: { $0.mark != .pass },
      importance: { $0.mark.importance })
  }

  private func columns(_ lines: [GateLine]) -> [ValueColumn<GateLine>] {
    let places = Set(lines.compactMap { $0.key.map(\.place) })
    let place = ValueColumn<GateLine>("scenario", "", .words) {
      $0.key.map(\.place) ?? ""
    }
    return [
      .leading("topology") { $0.topology.brief },
      .leading("figure") { $0.subject },
      ValueColumn("baseline", "", .figure) { $0.baseline },
      ValueColumn("candidate", "", .figure, stays: true) { $0.candidate },
      ValueColumn("change", "", .figure, stays: true) { $0.change },
      ValueColumn("verdict", "", .label, stays: true) { $0.mark.rawValue },
    ] + (places.count > 1 ? [place] : []) + [ValueColumn("why", "", .sentence) { $0.reason }]
  }

  var conclusion: String {
    let counts = Dictionary(grouping: lines, by: \.mark).mapValues(\.count)
    let all = lines.count - (counts[.advice] ?? 0) - missingParts.count
    return verdict(counts, of: all) + evidence + advisingTimes + unknown + narrowing
  }

  /// Says that times do not decide, and how many would fail.
  private var advisingTimes: String {
    guard result.times == .advise, ![.baseline, .nothingCompared].contains(result.outcome) else {
      return ""
    }
    let figures = result.advising.filter { $0.inexact != nil || !$0.metric.isCount }
    let verdicts =
      figures.map(\.verdict)
      + result.limits.filter { !result.times.decide($0.limit.metric) }.map(\.verdict)
      + result.expectations.filter { !result.times.decide($0.expectation.metric) }.map(\.verdict)
    let worse = verdicts.count { $0 == .fail }
    if worse == 0 {
      let isOtherSpeed = figures.contains { $0.otherSpeed != nil }
      let doubt = isOtherSpeed ? ", and are not judged: the machine's speed changed" : ""
      return verdicts.isEmpty ? "" : " Times advise only\(doubt)."
    }
    return " Times advise only: \(worse) of \(verdicts.count) \(worse == 1 ? "is" : "are") worse"
      + " (--times gate lets them decide)."
  }

  /// The kinds of figures that failed. Empty unless instructions were counted.
  private var evidence: String {
    guard result.figures.contains(where: \.key.isCounted) else { return "" }
    let failed = result.figures.filter { $0.isGated && $0.verdict == .fail }.map(\.metric)
    let kinds = [
      failed.contains(where: \.isInstructions) ? "instructions" : nil,
      failed.contains(where: \.isIndependentOfScheduling) ? "counts" : nil,
      failed.contains { !$0.isCount } ? "times" : nil,
    ].compactMap { $0 }
    return (kinds.isEmpty ? "" : " Evidence: \(kinds.listed).") + " \(Sentences.blindness)"
  }

  /// Default metrics that the baseline's version did not have yet.
  var unknown: String {
    let judged = Set(result.figures.map(\.metric))
    let lacking = comparison.unmeasured.filter { $0.side == .baseline }.flatMap(\.metrics)
    let names = Gate.defaultMetrics.filter { lacking.contains($0) && !judged.contains($0) }
      .map(\.name)
    guard !names.isEmpty, ![.baseline, .nothingCompared].contains(result.outcome) else { return "" }
    return
      " Not compared, because the baseline lacks it: \(names.cut(most: 8))."
  }

  /// The topologies to which the gate was narrowed.
  var narrowing: String {
    guard !result.only.isEmpty else { return "" }
    let names = result.only.map(\.brief).cut(most: 8)
    return " Only \(names) \(result.only.count == 1 ? "was" : "were") looked at."
  }

  private func verdict(_ counts: [GateLine.Mark: Int], of all: Int) -> String {
    switch result.outcome {
    case .baseline: return "No verdict: the baseline cannot be used."
    case .nothingCompared: return "No verdict: nothing was compared."
    case .badCell: return "Fail: cells of the candidate did not end well."
    case .regression: return "Fail: \(counted(counts[.fail], of: all, "fails", "fail"))."
    case .inconclusive:
      let needed = result.neededTrials.map {
        " About \(result.pairing.counted($0)) would settle it."
      }
      let missing = missingParts.count
      let undecided = (counts[.inconclusive] ?? 0) - missing
      let clauses = [
        missing == 0
          ? nil
          : "\(Figures.counted(missing, "part")) of the baseline "
            + "\(missing == 1 ? "is" : "are") missing from the candidate",
        undecided == 0 ? nil : counted(undecided, of: all, "is undecided", "are undecided"),
        undecided + missing == 0 ? "too many cells are suspect" : nil,
      ]
      return "Inconclusive: \(clauses.compactMap { $0 }.joined(separator: "; "))." + (needed ?? "")
    case .pass: return passed(waived: counts[.waived] ?? 0, of: all)
    }
  }

  private func passed(waived: Int, of all: Int) -> String {
    let figures = Figures.counted(all, "gated figure")
    return waived == 0
      ? "Pass: none of \(figures) is worse."
      : "Pass: \(Figures.whole(waived)) of \(figures) \(waived == 1 ? "is" : "are") worse, which a"
        + " waiver accepts; no other is worse."
  }

  /// Problems, failures and doubts, each with its remedy.
  var notes: [String] {
    (result.problems + [result.sharedCells].compactMap { $0 } + result.suspects).map(\.sentence)
      + waivers + inexactCounts + advice
      + ComparisonSentences.notes(comparison, saysDoubt: true, namesMissing: false)
  }

  private func counted(_ count: Int?, of all: Int, _ one: String, _ many: String) -> String {
    let count = count ?? 0
    return "\(Figures.whole(count)) of \(Figures.counted(all, "gated figure")) "
      + (count == 1 ? one : many)
  }

  private var waivers: [String] {
    result.expiredWaivers.map {
      "The waiver of \($0.metric.name) ended on \($0.until): remove it, or renew it with its reason."
    }
      + result.unusedWaivers.map {
        "The waiver of \($0.metric.name) until \($0.until) accepted nothing: remove it once it is not "
          + "needed."
      }
  }

  /// Names counts that were judged by statistics, so that nobody takes them for equal.
  private var inexactCounts: [String] {
    let names = result.figures.filter { $0.inexact != nil }
      .map { "\($0.key.topology.brief) \($0.metric.name)" }
    let held = names.cut(most: 8)
    let needless = result.needlessInexactCounts.map {
      let topology = $0.topology.map { " of \($0.brief)" } ?? ""
      return
        "The policy calls \($0.metric.name)\(topology) inexact, but all trials of each "
        + "side agree. Remove the entry if that stays so: the gate then compares the count exactly."
    }
    return names.isEmpty
      ? needless
      : ["Held by statistics and not exactly, as the policy says: \(held)."] + needless
  }

  private var advice: [String] {
    guard !shown.isEmpty else { return [] }
    let gravest = shown.sorted { left, right in
      let areWorse = [left, right].map { $0.row.verdict == .worse }
      return areWorse[0] == areWorse[1] ? left.row.factor > right.row.factor : areWorse[0]
    }
    let names = gravest.map { topology, row in
      "\(topology.brief) \(row.metric.name) \(ComparisonFigures(row).change) (\(row.verdict.rawValue))"
    }
    return ["Not gated, but changed: \(names.cut(most: 8))."]
  }
}

extension Comparison.Figure {
  /// The higher median over the lower one.
  fileprivate var factor: Double {
    let medians = [baseline.median, candidate.median].map(abs).sorted()
    return medians[0] == medians[1] ? 1 : medians[1] / max(medians[0], .leastNormalMagnitude)
  }
}
