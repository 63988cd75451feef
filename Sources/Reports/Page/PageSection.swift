import Foundation
import Judging
import Measurement

/// The results of one scenario with its parameters in one store mode.
struct PageSection {
  /// The anchor for links: a number, never a name from a report.
  let id: String
  let title: String
  let headline: String
  let question: String?
  /// In a comparison, also the candidate's own answer.
  let answers: [String]
  let work: String
  let doubts: [String]
  let failures: [String]
  let summary: SummarySection
  /// One for each side.
  let trusts: [Trust]
  let comparison: Comparison.Section?
  let lines: [PageLine]
  let files: [String]

  struct Source {
    /// Nil without a comparison.
    let side: Side?
    let section: SummarySection
    let reports: PageSide
  }

  /// - Parameter sources: one, or the baseline and the candidate. The last one has the answer.
  init(_ id: String, _ title: String, _ sources: [Source], _ comparison: Comparison.Section?) {
    let last = sources[sources.count - 1]
    self.id = id
    self.comparison = comparison
    summary = last.section
    trusts = sources.map(\.section.trust)
    self.title = title
    headline = Headline.text(summary)
    let scenario = summary.scenario
    question = sources.reversed().compactMap { $0.reports.questions[scenario] }.first
    let answer = Sentences.answer(summary)
    answers =
      (comparison.map {
        [ComparisonSentences.conclusion([$0]), "Of the candidate alone: \(answer)"]
      } ?? [answer]).map(PageText.sentences)
    work = Sentences.work(summary)
    doubts = sources.map { source in
      let name = source.side.map { "\($0.rawValue.capitalized). " } ?? ""
      return PageText.sentences(name + Sentences.diagnoses(source.section))
    }
    failures = sources.flatMap { Sentences.failures($0.section) }
    let all = sources.flatMap(Self.lines)
    let names = comparison?.topologies.map(\.name) ?? summary.topologies.map(\.name)
    lines = names.flatMap { name in all.filter { $0.topology == name } }
    files = sources.flatMap { source in
      source.reports.files.map { $0.name + (source.side.map { " (\($0.rawValue))" } ?? "") }
    }
  }

  /// Lines with an ok cell.
  var shown: [PageLine] { lines.filter { !$0.cells.isEmpty } }

  private static func lines(_ source: Source) -> [PageLine] {
    source.section.topologies.map { topology in
      let key = source.section.key(topology.name)
      return PageLine(
        topology, cells: source.reports.trials[key, default: []], role: source.side,
        of: source.reports)
    }
  }
}

extension SummarySection {
  func key(_ topology: String) -> CellKey {
    CellKey(
      scenario: scenario, digest: scenarioDigest, parameters: parameters, topology: topology,
      store: store, isCounted: counted ?? false)
  }
}
