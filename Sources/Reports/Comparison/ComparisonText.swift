package import Judging
import Measurement

extension ComparisonReport {
  /// Plain text for a terminal.
  package static func text(
    _ comparison: Comparison, style: TextStyle, listing: Listing = .changes
  ) -> String {
    let reports = ComparisonSentences.reports(comparison).flatMap { paragraph($0, style) }
    let (told, quiet) = listing.parted(comparison.sections)
    let sections = told.flatMap { [""] + lines(of: $0, style, listing) }
    let others = ComparisonSentences.quiet(quiet).map { [""] + paragraph($0, style) } ?? []
    let conclusion = paragraph(ComparisonSentences.conclusion(comparison), style)
    let notes = ComparisonSentences.notes(comparison).flatMap { note in
      paragraph("- \(note)", style, indent: "  ").map { style.emphasised($0, .warning) }
    }
    let all =
      reports + sections + others + [""] + conclusion.map { style.emphasised($0, .bold) }
      + (notes.isEmpty ? [] : [""] + notes)
    return all.joined(separator: "\n") + "\n"
  }

  private static func lines(
    of section: Comparison.Section, _ style: TextStyle, _ listing: Listing
  ) -> [String] {
    let title = paragraph(ComparisonSentences.title(section), style)
    let table = table(section, style, listing)?.lines(style: style)
    let others = listing.unlisted(section).flatMap { paragraph($0, style) }
    return title.map { style.emphasised($0, .bold) } + (table.map { [""] + $0 } ?? [])
      + (table == nil || others.isEmpty ? others : [""] + others)
  }

  /// A line for each topology, its rows below; nil where there is nothing to list.
  private static func table(
    _ section: Comparison.Section, _ style: TextStyle, _ listing: Listing
  ) -> TextTable? {
    var lines: [Line] = []
    for topology in section.topologies {
      let rows = topology.rows.filter(listing.lists)
      guard !rows.isEmpty else { continue }
      lines.append(Line(topology: topology.name))
      lines += rows.map(Line.init)
    }
    guard !lines.isEmpty else { return nil }
    func column(
      _ heading: String, _ unit: String, numeric: Bool = true, stays: Bool = false,
      _ text: (Line) -> String
    ) -> TextTable.Column {
      TextTable.Column(
        heading: heading, unit: unit, cells: lines.map { cell(text($0), style) },
        isNumeric: numeric, staysWithPrevious: stays)
    }
    return TextTable(
      leading: [column("", "", numeric: false, \.name)],
      columns: [
        column("baseline", "") { $0.figures?.baseline ?? "" },
        column("candidate", "") { $0.figures?.candidate ?? "" },
        column("change", "") { $0.figures?.change ?? "" },
        column("verdict", "", numeric: false, stays: true) { $0.word },
        column("change", "95 % interval") { $0.figures?.interval ?? "" },
        column("baseline", "95 % interval") { $0.figures?.baselineInterval ?? "" },
        column("candidate", "95 % interval", stays: true) { $0.figures?.candidateInterval ?? "" },
      ],
      emphasisedRows: Set(lines.indices.filter { lines[$0].isChanged }))
  }

  /// A topology's own line, or that of one of its metrics.
  private struct Line {
    let name: String
    let figures: ComparisonFigures?
    let word: String
    let isChanged: Bool

    init(topology: String) {
      name = topology
      figures = nil
      word = ""
      isChanged = false
    }

    init(_ row: Comparison.Row) {
      name = "  \(row.metric.name)"
      figures = ComparisonFigures(row)
      word = row.word
      isChanged = row.verdict == .better || row.verdict == .worse
    }
  }

  /// Longer lines are hard to read, however wide the terminal.
  private static let widestLine = 100

  /// Longer names are cut, so that a table stays a table.
  private static let longestCell = 32

  private static func cell(_ text: String, _ style: TextStyle) -> String {
    style.printable(text).shortened(to: longestCell, mark: style.printable("…"))
  }

  private static func paragraph(
    _ text: String, _ style: TextStyle, indent: String = ""
  ) -> [String] {
    let width = min(style.width ?? widestLine, widestLine) - indent.columns
    return style.printable(text).wrapped(to: width).enumerated().map { index, line in
      index == 0 ? line : indent + line
    }
  }
}
