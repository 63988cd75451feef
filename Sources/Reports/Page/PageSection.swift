import Foundation
import Judging
import Measurement

/// The results of one scenario with its parameters in one store mode.
struct PageSection {
  /// The anchor for links: a number, never a name from a report.
  let id: String
  let title: String
  /// One, or the baseline and the candidate. The last one has the answer.
  private let sources: [Source]
  let comparison: Comparison.Section?
  let lines: [PageLine]

  struct Source {
    /// Nil without a comparison.
    let side: Side?
    let section: SummarySection
    let reports: PageSide

    fileprivate var lines: [PageLine] {
      section.topologies.map { PageLine($0, of: section, in: reports, role: side) }
    }
  }

  init(_ id: String, _ title: String, _ sources: [Source], _ comparison: Comparison.Section?) {
    (self.id, self.title, self.sources, self.comparison) = (id, title, sources, comparison)
    let all = sources.flatMap(\.lines)
    let names = comparison?.topologies.map(\.name) ?? all.map(\.summary.name)
    lines = names.flatMap { name in all.filter { $0.summary.name == name } }
  }

  var summary: SummarySection { sources[sources.count - 1].section }
  var headline: String { Headline.text(summary) }
  var work: String { Sentences.work(summary) }
  var failures: [String] { sources.flatMap { Sentences.failures($0.section) } }
  /// One for each side.
  var trusts: [Trust] { sources.map(\.section.trust) }
  /// Lines with an ok cell.
  var shown: [PageLine] { lines.filter { !$0.cells.isEmpty } }

  var question: String? {
    sources.reversed().compactMap { $0.reports.questions[summary.scenario] }.first
  }

  /// In a comparison, also the candidate's own answer.
  var answers: [String] {
    let answer = Sentences.answer(summary)
    let answers =
      comparison.map {
        [ComparisonSentences.conclusion([$0]), "Of the candidate alone: \(answer)"]
      } ?? [answer]
    return answers.map(PageText.sentences)
  }

  var doubts: [String] {
    sources.map { source in
      let name = source.side.map { "\($0.rawValue.capitalized). " } ?? ""
      return PageText.sentences(name + Sentences.diagnoses(source.section))
    }
  }

  var files: [String] {
    sources.flatMap { source in
      source.reports.files.map { $0.name + (source.side.map { " (\($0.rawValue))" } ?? "") }
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
