package import Foundation
package import Judging
package import Measurement

/// The results of one scenario with its parameters in one store mode.
struct PageSection {
  /// The anchor for links: a number, never a name from a report.
  let id: String
  let title: String
  /// One source, or the baseline and the candidate. The answer comes from the last one.
  private let sources: [Source]
  /// Of this section alone.
  let comparison: Comparison?
  let lines: [PageLine]

  struct Source {
    /// Nil without a comparison.
    let side: Side?
    let section: SummarySection
    let reports: PageSide

    fileprivate func lines(most: Int) -> [PageLine] {
      section.topologies.map { PageLine($0, of: section, in: reports, role: side, most: most) }
    }
  }

  init(_ id: String, _ title: String, _ sources: [Source], _ comparison: Comparison?) {
    (self.id, self.title, self.sources, self.comparison) = (id, title, sources, comparison)
    let most = sources.map(\.reports.mostTrials).min() ?? 0
    let all = sources.flatMap { $0.lines(most: most) }
    let names = comparison?.sections[0].topologies.map(\.name) ?? all.map(\.summary.name)
    lines = names.flatMap { name in all.filter { $0.summary.name == name } }
  }

  /// Shown of a topology.
  var mostTrials: Int { lines.first?.mostTrials ?? 0 }
  var summary: SummarySection { sources[sources.count - 1].section }
  var headline: String {
    PageText.sentences(
      comparison.map { Phrases.short($0.conclusion) } ?? Phrases.short(summary))
  }
  var work: String { Sentences.work(summary) }
  var failures: [String] { sources.flatMap { Sentences.failures($0.section) } }
  /// Lines with an ok cell.
  var shown: [PageLine] { lines.filter { !$0.cells.isEmpty } }

  var question: String? {
    sources.reversed().compactMap { $0.reports.questions[summary.scenario] }.first
  }

  /// In a comparison, also the candidate's own answer.
  var answers: [String] {
    let answer = Phrases.long(summary)
    let answers =
      comparison.map {
        [Phrases.long($0.conclusion), "Of the candidate alone: \(answer)"]
      } ?? [answer]
    return answers.map(PageText.sentences)
  }

  var doubts: [String] {
    sources.compactMap { source in
      let name = source.side.map { "\($0.rawValue.capitalized). " } ?? ""
      return Sentences.doubts(source.section).map { PageText.sentences(name + $0) }
    }
  }

  var files: [String] {
    sources.flatMap { source in
      source.reports.files.map { $0.name + (source.side.map { " (\($0.rawValue))" } ?? "") }
    }
  }

  /// Which timelines are not shown, and why.
  var missingTimelines: String? {
    let unknown = shown.compactMap { line -> (name: String, reason: String)? in
      if case .unknown(let reason) = line.timeline { (line.nameInSentence, reason) } else { nil }
    }
    let clauses = unknown.grouped(by: \.reason).sorted { $0.key < $1.key }.map { reason, lines in
      let isAll = lines.count == shown.count && lines.count > 1
      return "\(isAll ? "every topology" : lines.map(\.name).listed) (\(reason))"
    }
    return clauses.isEmpty ? nil : "Timelines not shown: \(clauses.joined(separator: "; "))."
  }
}

package struct PageSide: Sendable {
  /// The name of a CSV file, and the content of its environment file.
  package typealias File = (name: String, environment: Data?)

  /// Main's work in one repeat of a cell, or the reason why it is unknown.
  package enum Timeline: Sendable {
    case known(WindowSample)
    case unknown(String)
  }

  package let files: [File]
  package let summary: Summary
  /// Grouped once, because a sweep has hundreds of sections.
  let trials: [CellKey: [CellResult]]
  package let questions: [String: String]
  let context: RunContext
  /// The median repeats of `shownCells`.
  package var timelines: [CellKey: Timeline] = [:]

  package init(
    files: [File], cells: [CellResult], context: RunContext = RunContext(),
    questions: [String: String] = [:], joinsStores: Bool = true
  ) {
    self.files = files
    self.questions = questions
    self.context = context
    summary = Summary(cells: cells, context: context, joinsStores: joinsStores)
    trials = Dictionary(grouping: summary.cells, by: CellKey.init)
  }

  /// A page shows so many trials of a topology at most: a browser cannot show a million.
  var mostTrials: Int { min(2000, max(10, 100_000 / max(1, trials.count))) }

  /// The median trial of each topology. A page draws the timelines of these alone.
  package var shownCells: [CellResult] {
    trials.values.compactMap { MedianTrial(asked: $0)?.shown }
  }
}

/// A row of each figure: the results of one topology, or of one side of it.
struct PageLine: Sendable {
  /// Nil without a comparison.
  let role: Side?
  let summary: TopologySummary
  let freeze: Freeze?
  let facts: WorkFacts
  /// The `ok` cells.
  let cells: [CellResult]
  let all: [CellResult]
  let medianTrial: MedianTrial?
  /// The median trial's median repeat.
  let timeline: PageSide.Timeline
  /// Shown of a topology.
  let mostTrials: Int

  init(
    _ summary: TopologySummary, of section: SummarySection, in side: PageSide, role: Side?,
    most: Int
  ) {
    (self.summary, self.role, mostTrials) = (summary, role, most)
    freeze = section.conclusion.freezes.first { $0.topology == summary.name }
    all = side.trials[section.key(of: summary), default: []]
    facts = WorkFacts(all, side.context)
    cells = all.filter { $0.status == .ok }
    medianTrial = MedianTrial(asked: all)
    let shown = medianTrial?.shown
    timeline =
      shown.flatMap { side.timelines[CellKey($0)] }
      ?? .unknown(shown == nil ? "no cell ended ok" : "its cell's document was not read")
  }

  /// Of a row of a chart.
  var label: String {
    switch role {
    case let role?: "\(PageText.brief(PageText.label(summary.name), most: 18)), \(role.rawValue)"
    case nil: PageText.label(summary.label)
    }
  }

  var name: String { PageText.brief(summary.label) + (role.map { ", \($0.rawValue)" } ?? "") }

  /// `a of the baseline`. In a list, a comma would part the side from its topology.
  var nameInSentence: String {
    PageText.brief(summary.label) + (role.map { " of the \($0.rawValue)" } ?? "")
  }

  var sample: WindowSample? {
    if case .known(let sample) = timeline { sample } else { nil }
  }

  func values(_ metric: Metric) -> [Double] { cells.values(metric) }

  func median(_ metric: Metric) -> Double? { summary.median(metric) }

  func interval(_ metric: Metric) -> MedianInterval? { summary.estimate(metric)?.interval }
}

extension [PageLine] {
  func measured(_ metric: Metric) -> [PageLine] { filter { $0.median(metric) != nil } }
}
