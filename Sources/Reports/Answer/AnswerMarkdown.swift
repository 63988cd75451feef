package import Judging
import Measurement

extension Answer {
  /// Markdown as GitHub reads it, for pull requests and step summaries.
  package static func markdown(_ summary: Summary) -> String {
    var blocks = summary.sections.flatMap(blocks)
    blocks += summary.sweeps.flatMap(Self.blocks)
    if summary.sections.isEmpty { blocks.append("Nothing was measured.") }
    blocks.append("*\(Markdown.escaped(Sentences.whatItIsNot(summary)))*")
    return blocks.joined(separator: "\n\n") + "\n"
  }

  private static func blocks(_ section: SummarySection) -> [String] {
    let failures = section.topologies.flatMap { topology in
      topology.failures.map { "- " + Markdown.escaped(Sentences.failure($0, of: topology.name)) }
    }
    return [
      "### \(Markdown.escaped(Sentences.title(section)))",
      // The answer first: summaries are cut off at the end, and tables are wide.
      "**\(Markdown.escaped(Sentences.conclusion(section)))**",
      Markdown.escaped(Sentences.work(section)),
      table(section),
      failures.isEmpty ? nil : failures.joined(separator: "\n"),
      Markdown.escaped(Sentences.doubts(section)),
      Sentences.defaults(section).map(Markdown.escaped),
      "<sub>\(Markdown.escaped(AnswerColumn.legend))</sub>",
    ].compactMap { $0 }
  }

  /// The same for a sweep.
  static func blocks(_ sweep: Sweep) -> [String] {
    [
      "### \(Markdown.escaped(Sentences.title(sweep)))", SweepTable(sweep).markdown,
      "**\(Markdown.escaped(Sentences.crossovers(sweep)))**",
      "<sub>\(Markdown.escaped(Sentences.legend(sweep)))</sub>",
    ]
  }

  private static func table(_ section: SummarySection) -> String {
    let columns = [AnswerColumn.rank, .name] + AnswerColumn.all
    let headings = columns.map { column in
      [column.heading, column.unit].filter { !$0.isEmpty }
        .joined(separator: column.unit == "ms" ? ", " : " ")
    }
    let rows = section.topologies.map { topology in columns.map { $0.text(topology) } }
    let rule = columns.map { $0.isNumeric ? "---:" : ":---" }
    return ([headings, rule] + rows).enumerated().map { index, cells in
      let texts = index == 1 ? cells : cells.map(Markdown.escaped)
      return "| " + texts.joined(separator: " | ") + " |"
    }.joined(separator: "\n")
  }
}
