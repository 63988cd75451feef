import Judging
import Measurement
import Support

extension FindingsPage {
  func sections(_ report: Findings.Report) -> [Document.Block] {
    let summary = report.summary
    return summary.sections.map(\.scenario).unique.map { name in
      let question = report.questions[name].map { [Document.Block.paragraph($0)] } ?? []
      return .section(
        name, question + [.paragraph("From \(report.file).")] + blocks(of: name, in: summary))
    }
  }

  /// A table for each swept field; without any, one for each setting.
  private func blocks(of scenario: String, in summary: Summary) -> [Document.Block] {
    let sweeps = summary.sweeps.filter { $0.scenario == scenario }
    let sections = summary.sections.filter { $0.scenario == scenario }
    let results =
      sweeps.isEmpty
      ? sections.flatMap(blocks)
      : sections.prefix(1).map { .paragraph("\(Sentences.work($0)), to begin with.") }
        + sweeps.map(section)
    return results + [.list(sections.flatMap(Sentences.failures))]
  }

  private func blocks(_ section: SummarySection) -> [Document.Block] {
    [
      .paragraph("\(Sentences.work(section)); \(section.store) store."),
      .table(Table(section.topologies, Self.columns)), .paragraph(Sentences.answer(section)),
    ]
  }

  private func section(_ sweep: Sweep) -> Document.Block {
    .section(
      Sentences.title(sweep),
      [
        .table(Table(sweep)),
        .paragraph("\(Sentences.legend(sweep)) \(Sentences.crossovers(sweep))"),
      ])
  }

  private static let columns: [ValueColumn<TopologySummary>] = [
    .leading("rank") { AnswerColumns.rank.cell($0).text }, AnswerColumns.name,
    AnswerColumns.metric("blocked", "ms", .mainBlocked),
    ValueColumn("95 % interval", "", .figure) { AnswerColumns.interval($0, .mainBlocked) },
    AnswerColumns.longestGap,
    AnswerColumns.metric("visible", "ms", .visible), AnswerColumns.late,
  ]
}
