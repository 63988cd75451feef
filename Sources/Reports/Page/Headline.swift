import Judging
import Measurement

// A blocks main least, 3.63 ms (others up to 31.0 ms); no topology drops a frame
// A and B block main least, 9.49–10.8 ms (others up to 31.0 ms); frames are dropped with C

enum Headline {
  static func text(_ section: SummarySection) -> String {
    if section.counted ?? false { return Sentences.counted(section) }
    return [blocking(section), noticing(section)].compactMap { $0 }.joined(separator: "; ")
  }

  private static func blocking(_ section: SummarySection) -> String {
    let places = section.ranking.places
    guard let last = places.last else { return "Nothing can be concluded: no cell ended ok" }
    let best = section.topologies.filter { $0.rank == 1 }
    if places.count == 1 {
      return "\(brief(last.name)) blocks main for \(Figures.milliseconds(last.median))"
    }
    if section.isDiscarded { return "\(places.count) topologies, measured too badly to rank" }
    guard !best.isEmpty else { return "The trials are too few to rank \(places.count) topologies" }
    guard best.count < places.count else {
      return "These trials do not separate \(places.count) topologies, "
        + range(places.map(\.median))
    }
    let medians = places.filter { place in best.contains { $0.name == place.name } }.map(\.median)
    let verb = best.count == 1 ? "blocks" : "block"
    return "\(names(best.map(\.name), of: places.count)) \(verb) main least, \(range(medians))"
      + " (others up to \(Figures.milliseconds(last.median)))"
  }

  /// Whether a user notices; nil where frames were not measured.
  private static func noticing(_ section: SummarySection) -> String? {
    let all = section.topologies.filter { $0.smoothness != nil }
    guard !all.isEmpty else { return nil }
    func clause(_ verb: String, _ trials: (Smoothness) -> Int) -> String? {
      let some = all.filter { $0.smoothness.map(trials) ?? 0 > 0 }
      let most = some.filter { ($0.smoothness.map(trials) ?? 0) * 2 > $0.okCells }
      guard !some.isEmpty else { return nil }
      let names = names((most.isEmpty ? some : most).map(\.name), of: all.count)
      return "\(verb) with \(names)" + (most.isEmpty ? " in some trials" : "")
    }
    if let hangs = clause("main hangs", \.hangTrials) { return hangs }
    if let late = clause("frames are dropped", \.lateTrials) { return late }
    let idle = all.filter { $0.smoothness?.isScreenIdle ?? false }
    if let gap = idle.compactMap({ $0.longestGap?.median }).max() {
      return "no frame is dropped, but a tap waits up to \(Figures.milliseconds(gap))"
    }
    return "no topology drops a frame"
  }

  private static func noticing(_ sections: [SummarySection]) -> String? {
    let all = sections.map { $0.topologies.filter { $0.smoothness != nil } }.filter { !$0.isEmpty }
    guard !all.isEmpty else { return nil }
    func clause(_ what: String, _ trials: KeyPath<Smoothness, Int>) -> String? {
      let some = all.map { $0.filter { $0.smoothness?[keyPath: trials] ?? 0 > 0 } }
      let count = some.count { !$0.isEmpty }
      let names = some.joined().grouped { $0.name }.map(\.key)
      let total = Set(all.joined().map(\.name)).count
      return names.isEmpty
        ? nil
        : "\(what) with \(Self.names(names, of: total)) "
          + "in \(count) of \(Figures.counted(all.count, "setting"))"
    }
    return clause("main hangs", \.hangTrials) ?? clause("frames are dropped", \.lateTrials)
      ?? "no topology drops a frame"
  }

  private static func range(_ values: [Double]) -> String {
    let ends = [values.min(), values.max()].map { Figures.short($0 ?? 0) }
    return (ends[0] == ends[1] ? ends[0] : ends.joined(separator: "–")) + " ms"
  }

  /// `a`, `a and b`, `3 of 8 topologies`
  private static func names(_ names: [String], of all: Int) -> String {
    if names.count == all, all > 1 { return "all \(all) topologies" }
    return names.count < 3
      ? names.map(brief).listed : "\(names.count) of \(all) topologies"
  }

  private static func brief(_ name: String) -> String { PageText.brief(name, most: 40) }
}

// MARK: - Sweeps

extension Headline {
  static func text(_ sweep: Sweep) -> String { "\(brief(sweep.field)): \(winners(sweep))" }

  static func winners(_ sweep: Sweep) -> String {
    guard sweep.points.contains(where: { $0.ranking.places.count > 1 }) else {
      return "there is no second topology to compare"
    }
    guard sweep.trials >= sweep.trialsNeeded else { return "the trials are too few to rank" }
    let runs = stretches(sweep)
    if runs.count == 1 {
      let number = runs[0].clause == Self.nobody ? "any" : "every"
      return "\(runs[0].clause) at \(number) value"
    }
    guard runs.count < 4 else { return "the best changes \(runs.count - 1) times" }
    return runs.map { run in
      let place = run.first == run.last ? run.first : "\(run.first) to \(run.last)"
      return "\(run.clause) at \(PageText.brief(place, most: 30))"
    }.joined(separator: ", ")
  }

  /// Neighbouring values at which the same topologies are the best.
  private static func stretches(_ sweep: Sweep) -> [(clause: String, first: String, last: String)] {
    sweep.points.reduce(into: []) { runs, point in
      let (clause, value) = (best(point.ranking.places), point.value.label)
      if let run = runs.last, run.clause == clause {
        runs[runs.count - 1].last = value
      } else {
        runs.append((clause, value, value))
      }
    }
  }

  private static let nobody = "no topology wins"

  /// `A wins`, `A and B win`
  private static func best(_ places: [Ranking.Place]) -> String {
    if places.count == 1 { return "only \(brief(places[0].name)) ends ok" }
    let best = places.filter { $0.rank == 1 }.map(\.name).sorted()
    guard best.count < places.count else { return nobody }
    return "\(names(best, of: places.count)) \(best.count == 1 ? "wins" : "win")"
  }

  static func text(_ sweeps: [Sweep], of sections: [SummarySection]) -> String {
    [text(sweeps), noticing(sections)].compactMap { $0 }.joined(separator: "; ")
  }

  static func text(_ sweeps: [Sweep]) -> String {
    let answers = Set(sweeps.map(winners))
    if answers.count == 1, let answer = answers.first, sweeps.count > 1 {
      let place = answer.hasSuffix(" value") ? " of \(Set(sweeps.map(\.field)).count) fields" : ""
      return answer + place
    }
    return sweeps.map { text($0) }.prefix(2).joined(separator: "; ")
      + (sweeps.count > 2 ? "; and \(sweeps.count - 2) more" : "")
  }
}

// MARK: - Several answers

extension Headline {
  static func text(_ sections: [SummarySection]) -> String {
    [winner(sections), noticing(sections)].compactMap { $0 }.joined(separator: "; ")
  }

  /// The topology that is most often among the best; of several, the first by name.
  private static func winner(_ sections: [SummarySection]) -> String {
    let separated = sections.filter { section in
      section.topologies.contains { $0.rank == 1 }
        && section.topologies.contains { $0.rank ?? 1 > 1 }
    }
    let best = separated.flatMap { section in
      section.topologies.filter { $0.rank == 1 }.map(\.name)
    }
    let counts = Dictionary(best.map { ($0, 1) }, uniquingKeysWith: +)
    guard let most = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) else {
      return "\(sections.count) settings, in none of which the trials separate the topologies"
    }
    return "\(brief(most.key)) is among those that block main least in \(most.value) of "
      + Figures.counted(sections.count, "setting")
  }

  static func text(_ comparison: Comparison) -> String {
    let all = comparison.sections.flatMap(\.topologies).flatMap { topology in
      topology.figures.map { (name: topology.name, figure: $0) }
    }
    guard !all.isEmpty else { return "Nothing was compared" }
    let isTimed = all.contains { $0.figure.metric == .mainBlocked }
    let first = isTimed ? Metric.mainBlocked : .mainInstructions
    func changes(_ verdict: Direction, _ words: String) -> String? {
      let names = all.filter { $0.figure.metric == first && $0.figure.verdict == verdict }
        .map { "\(brief($0.name)) \(ComparisonFigures($0.figure).change)" }
      return names.isEmpty ? nil : "\(words): \(names.cut(most: 3))"
    }
    var clauses = [
      changes(.worse, isTimed ? "main is blocked longer" : "main executes more instructions"),
      changes(
        .better, isTimed ? "main is blocked for a shorter time" : "main executes fewer instructions"
      ),
    ].compactMap { $0 }
    if clauses.isEmpty {
      clauses = ["no change of \(isTimed ? "blocked time" : "main's instructions") is shown"]
    }
    let others = all.count {
      $0.figure.metric != first && [.worse, .differs].contains($0.figure.verdict)
    }
    if others > 0 {
      clauses.append("\(Figures.counted(others, "other figure")) worse or different")
    }
    let text = clauses.joined(separator: "; ")
    return text.prefix(1).uppercased() + text.dropFirst()
  }
}
