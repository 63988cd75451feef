package import Judging
import Measurement
import Support

// The only sentences about what a comparison shows. A page's title is the short form:
//
//   A hang begins with A (158 → 292 ms); main is blocked longer with B (+27 %)
//
// Over several settings it counts them: "main is blocked longer with B in 2 settings".
// If times do not count, the first clause says why, and by how much the machine's speed changed.

extension Phrases {
  /// One line without a full stop.
  package static func short(_ conclusion: Comparison.Conclusion) -> String {
    let clauses = ComparisonClauses(conclusion, isLong: false).texts
    return clauses.joined(separator: "; ").capitalised
  }

  /// A sentence for each clause.
  package static func long(_ conclusion: Comparison.Conclusion) -> String {
    let clauses = ComparisonClauses(conclusion, isLong: true).texts
    return clauses.map { "\($0.capitalised)." }.joined(separator: " ")
  }
}

private struct ComparisonClauses {
  let conclusion: Comparison.Conclusion
  /// Whether both medians are shown beside each change.
  let isLong: Bool
  let all: [Case]
  /// Whether names need their setting.
  let isSeveral: Bool

  typealias Case = Comparison.Case

  init(_ conclusion: Comparison.Conclusion, isLong: Bool) {
    (self.conclusion, self.isLong, all) = (conclusion, isLong, conclusion.all)
    isSeveral = Set(all.map(\.key.section)).count > 1
  }

  var texts: [String] {
    if all.isEmpty { return ["nothing was compared"] }
    if conclusion.same.count == all.count {
      let same = all.count == 1 ? "the one figure is the same" : "all \(count(all)) are the same"
      return [same] + crossings
    }
    let clauses = [doubt].compactMap { $0 } + freezes + changes + blocked + counts
    return isLong || clauses.isEmpty ? clauses + [rest] : clauses
  }

  private var doubt: String? {
    conclusion.timesDoubt.map { doubt in
      let evidence = doubt.evidence.isEmpty ? "" : ": \(doubt.evidence)"
      return "times are not judged, because "
        + (isLong ? doubt.clause : "\(doubt.what)\(evidence)")
    }
  }

  private var freezes: [String] {
    guard all.contains(where: { $0.limit != nil }) else {
      return all.contains { $0.figure.metric.isGap }
        ? ["no median gap crosses a limit" + (isLong ? " (\(Self.limits))" : "")]
        : []
    }
    return conclusion.freezes.grouped { "\($0.limit?.rawValue ?? "") \($0.begins)" }
      .map { freeze($0.elements) } + crossings
  }

  private static let limits = FreezeLimit.allCases.map(\.words).listed

  /// `a hang begins with A (158 → 292 ms)`
  private func freeze(_ group: [Case]) -> String {
    let names = listed(group) { "\(name($0)) (\(medians($0)))" }
    return "\(group[0].limit?.freeze ?? "") \(group[0].begins ? "begins" : "ends") with \(names)"
  }

  /// Empty in the short form if times are not judged.
  private var crossings: [String] {
    let cases = conclusion.crossings
    guard !cases.isEmpty, isLong || conclusion.timesDoubt == nil else { return [] }
    let names = listed(cases) { "\(name($0)) (\(medians($0)), \($0.figure.verdict.rawValue))" }
    return ["the median gap crosses a limit, but is not judged to differ, with \(names)"]
  }

  // MARK: Changes

  private var changes: [String] {
    let changed = conclusion.worse + conclusion.better + conclusion.differs
    let metrics = changed.map(\.figure.metric).filter { !$0.isIndependentOfScheduling }.unique
    let first = (Question.all.map(\.gap) + Question.all.map(\.blocked)).filter(metrics.contains)
    let ordered = first + metrics.filter { !first.contains($0) }
    let named = Set(ordered.prefix(isLong ? 5 : 3))
    let others = changed.filter {
      !$0.figure.metric.isIndependentOfScheduling && !named.contains($0.figure.metric)
    }
    return ordered.filter(named.contains).flatMap { metric in
      [Direction.worse, .better, .differs].compactMap { change(metric, $0) }
    } + (others.isEmpty ? [] : ["\(Figures.counted(others.count, "other figure")) changed"])
  }

  private func change(_ metric: Metric, _ verdict: Direction) -> String? {
    let cases = all.filter {
      !$0.isFreeze && $0.figure.metric == metric && $0.figure.verdict == verdict
    }
    let names = listed(cases) { changed in
      let change = ComparisonFigures(changed.figure).change
      return "\(name(changed)) (\(isLong ? "\(medians(changed)), " : "")\(change))"
    }
    return names.isEmpty ? nil : "\(metric.change(verdict)) with \(names)"
  }

  /// Blocked time that is inconclusive, or the same everywhere.
  private var blocked: [String] {
    func cases(_ group: [Case]) -> [Case] {
      group.filter(\.figure.metric.isBlocked)
    }
    let undecided = cases(conclusion.undecided)
    if !undecided.isEmpty, conclusion.timesDoubt == nil {
      return ["blocked time is inconclusive with \(listed(undecided, name))"]
    }
    let isSame = cases(all).count == cases(conclusion.same).count
    return isSame && !cases(conclusion.same).isEmpty ? ["blocked time is the same"] : []
  }

  private var counts: [String] {
    func cases(_ group: [Case]) -> [Case] {
      group.filter(\.figure.metric.isIndependentOfScheduling)
    }
    if !cases(conclusion.same).isEmpty, cases(conclusion.same).count == cases(all).count {
      return ["exact counts are the same"]
    }
    let groups = [("worse", conclusion.worse), ("better", conclusion.better)]
    return groups.filter { !cases($0.1).isEmpty }.map { word, group in
      let changed = cases(group)
      let names = listed(changed) { changed in
        let change = ComparisonFigures(changed.figure).change
        return "\(changed.figure.metric.name) \(change) with \(name(changed))"
      }
      return "\(Figures.counted(changed.count, "exact count"))"
        + " \(changed.count == 1 ? "is" : "are") \(word)" + (isLong ? ": \(names)" : "")
    }
  }

  private var rest: String {
    let undecided = conclusion.undecided.count
    let same = conclusion.same.count
    return "\(Figures.whole(same)) of \(count(all)) \(same == 1 ? "is" : "are") the same"
      + (undecided == 0
        ? "" : ", \(Figures.whole(undecided)) \(undecided == 1 ? "is" : "are") inconclusive")
  }

  // MARK: Parts

  private func count(_ cases: [Case]) -> String { Figures.counted(cases.count, "figure") }

  private func name(_ named: Case) -> String { Phrases.brief(named.key.topology) }

  /// `12.1 → 15.3 ms`
  private func medians(_ changed: Case) -> String {
    let (figures, metric) = (ComparisonFigures(changed.figure), changed.figure.metric)
    return "\(figures.baseline) → \(figures.candidate)"
      + (metric.unit.isEmpty ? "" : " \(metric.unit)")
  }

  private func listed(_ cases: [Case], _ text: (Case) -> String) -> String {
    if isSeveral, isLong { return Figures.listed(cases.map { (text($0), $0.key.place) }) }
    let texts =
      isSeveral
      ? cases.grouped { $0.key.topology }.map { _, group in
        let settings = Set(group.map(\.key.section)).count
        return "\(name(group[0])) in \(Figures.counted(settings, "setting"))"
      } : cases.map(text)
    let most = isLong ? 5 : 2
    return texts.count <= most ? texts.listed : texts.cut(most: most)
  }
}

extension FreezeLimit {
  fileprivate var freeze: String {
    switch self {
    case .frame: "a freeze for more than a frame"
    case .noticed: "a noticeable freeze"
    case .hang: "a hang"
    }
  }
}

extension Metric {
  var isBlocked: Bool { Question.all.map(\.blocked).contains(self) }
  var isGap: Bool { Question.all.map(\.gap).contains(self) }

  fileprivate func change(_ verdict: Judging.Direction) -> String {
    let phase = Question.all.first { $0.blocked == self || $0.gap == self }?.phase.lead
    let place = phase.map { " \($0)" } ?? ""
    return switch (self, verdict) {
    case (_, .worse) where isBlocked: "main is blocked longer\(place)"
    case (_, .better) where isBlocked: "main is blocked for a shorter time\(place)"
    case (_, .worse) where isGap: "the longest gap is longer\(place)"
    case (_, .better) where isGap: "the longest gap is shorter\(place)"
    case (.openVisible, .worse): "the opened list is visible later"
    case (.openVisible, .better): "the opened list is visible earlier"
    case (.visible, .worse): "changes are visible later"
    case (.visible, .better): "changes are visible earlier"
    case (.mainInstructions, .worse): "main executes more instructions"
    case (.mainInstructions, .better): "main executes fewer instructions"
    case (_, .differs): "the metric \(name) differs"
    default: "the metric \(name) is \(verdict.rawValue)"
    }
  }
}
