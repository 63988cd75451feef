package import Judging
import Measurement

extension DuetAnswer {
  /// Plain text for a terminal.
  package static func text(_ report: DuetReport, style: TextStyle) -> String {
    var lines = DuetSentences.builds(report).flatMap { paragraph($0, style) } + [""]
    for section in sections(report) {
      lines += paragraph(DuetSentences.title(section), style)
        .map { style.emphasised($0, .bold) }
      lines += [""] + table(section, of: report, style) + [""]
    }
    lines += paragraph(DuetSentences.conclusion(report), style)
      .map { style.emphasised($0, .bold) }
    lines += DuetSentences.notes(report).flatMap { [""] + paragraph($0, style) }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func table(
    _ section: [DuetReport.Target], of report: DuetReport, _ style: TextStyle
  ) -> [String] {
    let rows = section.flatMap { Self.rows(report, of: $0) }
    guard !rows.isEmpty else { return ["Nothing was decided."] }
    func column(_ column: DuetColumn) -> TextTable.Column {
      TextTable.Column(
        heading: style.printable(column.heading), unit: column.unit,
        cells: rows.map {
          style.printable(column.text($0))
            .shortened(to: longestCell, mark: style.printable("…"))
        }, isNumeric: column.isNumeric, staysWithPrevious: column.staysWithPrevious)
    }
    let worse = rows.indices.filter { rows[$0].verdict == .fail }
    return TextTable(
      leading: [column(.topology)], columns: DuetColumn.all.map(column),
      emphasisedRows: Set(worse)
    ).lines(style: style)
  }

  private static let longestCell = 30

  /// Longer lines are hard to read, however wide the terminal.
  private static let widestLine = 100

  private static func paragraph(_ text: String, _ style: TextStyle) -> [String] {
    style.printable(text).wrapped(to: min(style.width ?? widestLine, widestLine))
  }
}

extension DuetAnswer {
  /// Markdown as GitHub reads it, for pull requests and step summaries.
  package static func markdown(_ report: DuetReport) -> String {
    var blocks = [DuetSentences.builds(report).map(Markdown.escaped).joined(separator: "  \n")]
    let sections = Self.sections(report)
    let rows = KeptRows(
      sections.map { $0.flatMap { Self.rows(report, of: $0) } }, gravity: \.verdict.gravity)
    // A section of which no row has room is counted with its rows.
    for (section, kept) in zip(sections, rows.tables) where rows.left.isEmpty || !kept.isEmpty {
      blocks.append("### \(Markdown.escaped(DuetSentences.title(section)))")
      blocks.append(markdownTable(kept))
    }
    blocks += [rows.notShown(\.verdict.rawValue, others: "--format table and json have all")]
      .compactMap { $0.map(Markdown.escaped) }
    blocks.append("**\(Markdown.escaped(DuetSentences.conclusion(report)))**")
    blocks += DuetSentences.notes(report).map(Markdown.escaped)
    return blocks.joined(separator: "\n\n") + "\n"
  }

  private static func markdownTable(_ rows: [DuetFigure]) -> String {
    guard !rows.isEmpty else { return "Nothing was decided." }
    let columns = [DuetColumn.topology] + DuetColumn.all
    let headings = columns.map { column in
      column.unit.isEmpty ? column.heading : "\(column.heading) \(column.unit)"
    }
    let rule = columns.map { $0.isNumeric ? "---:" : ":---" }
    let cells = rows.map { row in columns.map { Markdown.escaped($0.text(row)) } }
    return ([headings, rule] + cells).map { "| " + $0.joined(separator: " | ") + " |" }
      .joined(separator: "\n")
  }
}

extension Verdict {
  /// The smaller, the graver.
  fileprivate var gravity: Int {
    switch self {
    case .fail: 0
    case .inconclusive: 1
    case .pass: 2
    }
  }
}
