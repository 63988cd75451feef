package import Judging
import Measurement

extension Answer {
  /// Plain text for a terminal.
  package static func text(_ summary: Summary, style: TextStyle) -> String {
    var lines: [String] = []
    for section in summary.sections {
      lines += Self.lines(of: section, style: style) + [""]
    }
    for sweep in summary.sweeps { lines += Self.lines(of: sweep, style: style) + [""] }
    if summary.sections.isEmpty { lines += ["Nothing was measured.", ""] }
    lines += paragraph(Sentences.whatItIsNot(summary), style)
    return lines.joined(separator: "\n") + "\n"
  }

  private static func lines(of section: SummarySection, style: TextStyle) -> [String] {
    let title = paragraph(Sentences.title(section), style).map { style.emphasised($0, .bold) }
    let sentences = [
      Sentences.conclusion(section), Sentences.doubts(section), Sentences.defaults(section),
    ]
    return title + paragraph(Sentences.work(section), style) + [""]
      + table(section, style).lines(style: style)
      + [""] + paragraph(AnswerColumn.legend, style).map { style.emphasised($0, .dim) }
      + failures(section, style)
      + sentences.compactMap { $0 }.flatMap { [""] + paragraph($0, style) }
  }

  private static func lines(of sweep: Sweep, style: TextStyle) -> [String] {
    paragraph(Sentences.title(sweep), style).map { style.emphasised($0, .bold) } + [""]
      + SweepTable(sweep).textTable(style).lines(style: style) + [""]
      + paragraph(Sentences.legend(sweep), style).map { style.emphasised($0, .dim) } + [""]
      + paragraph(Sentences.crossovers(sweep), style)
  }

  private static func table(_ section: SummarySection, _ style: TextStyle) -> TextTable {
    let best = section.topologies.indices.filter { section.topologies[$0].rank == 1 }
    return TextTable(
      leading: [AnswerColumn.rank, .name].map { column($0, section, style) },
      columns: AnswerColumn.all.map { column($0, section, style) },
      emphasisedRows: best.count < section.topologies.count ? Set(best) : [])
  }

  private static func column(
    _ column: AnswerColumn, _ section: SummarySection, _ style: TextStyle
  ) -> TextTable.Column {
    let mark = style.printable("…")
    let cells = section.topologies.map { topology in
      style.printable(column.text(topology)).shortened(to: longestCell, mark: mark)
    }
    let numbers = cells.allSatisfy { Double($0.filter { $0 != "," }) != nil || $0.count == 1 }
    return TextTable.Column(
      heading: style.printable(column.heading), unit: column.unit,
      cells: column.isNumeric && numbers ? Figures.aligned(cells) : cells,
      isNumeric: column.isNumeric, staysWithPrevious: column.staysWithPrevious)
  }

  /// Longer lines are hard to read, however wide the terminal.
  private static let widestLine = 100

  /// Longer names are cut, so that a table stays a table.
  private static let longestCell = 30

  private static func failures(_ section: SummarySection, _ style: TextStyle) -> [String] {
    let lines = section.topologies.flatMap { topology in
      topology.failures.flatMap { failure in
        paragraph(Sentences.failure(failure, of: topology.name), style)
      }
    }
    return lines.isEmpty ? [] : [""] + lines.map { style.emphasised($0, .warning) }
  }

  private static func paragraph(_ text: String, _ style: TextStyle) -> [String] {
    style.printable(text).wrapped(to: min(style.width ?? widestLine, widestLine))
  }
}
