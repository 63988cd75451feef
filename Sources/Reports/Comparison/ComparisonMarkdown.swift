package import Judging
import Measurement

extension ComparisonReport {
  /// Markdown as GitHub reads it, for pull requests and step summaries.
  package static func markdown(
    _ comparison: Comparison, listing: Listing = .changes
  ) -> String {
    let reports = ComparisonSentences.reports(comparison).map(Markdown.escaped)
    let (told, quiet) = listing.parted(comparison.sections)
    let rows = KeptRows(told.map { listed(in: $0, listing) }, gravity: \.row.verdict.gravity)
    // A section of which no row has room is counted with its rows.
    let shown = zip(told, rows.tables).filter { rows.left.isEmpty || !$1.isEmpty }
    let sections = shown.flatMap { section, rows in
      ["### \(Markdown.escaped(ComparisonSentences.title(section)))"]
        + [table(rows)].compactMap { $0 }
        + listing.unlisted(section).map(Markdown.escaped)
    }
    let notShown = rows.notShown(\.row.word, others: "--format table, csv and json have all")
    let notes = ComparisonSentences.notes(comparison).map { "- \(Markdown.escaped($0))" }
    let blocks =
      [reports.joined(separator: "<br>\n")] + sections
      + [notShown, ComparisonSentences.quiet(quiet)].compactMap { $0.map(Markdown.escaped) }
      + ["**\(Markdown.escaped(ComparisonSentences.conclusion(comparison)))**"]
      + (notes.isEmpty ? [] : [notes.joined(separator: "\n")])
    return blocks.joined(separator: "\n\n") + "\n"
  }

  private static let headings = [
    "topology", "metric", "baseline", "95 % interval", "candidate", "95 % interval", "change",
    "95 % interval", "verdict",
  ]

  private struct ListedRow {
    let topology: String
    let row: Comparison.Row
  }

  private static func listed(in section: Comparison.Section, _ listing: Listing) -> [ListedRow] {
    section.topologies.flatMap { topology in
      topology.rows.filter(listing.lists).map { ListedRow(topology: topology.name, row: $0) }
    }
  }

  private static func table(_ rows: [ListedRow]) -> String? {
    guard !rows.isEmpty else { return nil }
    let rule = headings.indices.map { (2...7).contains($0) ? "---:" : ":---" }
    return ([headings, rule] + rows.map(cells)).map { "| \($0.joined(separator: " | ")) |" }
      .joined(separator: "\n")
  }

  private static func cells(_ listed: ListedRow) -> [String] {
    let row = listed.row
    let figures = ComparisonFigures(row)
    let isChanged = row.verdict == .better || row.verdict == .worse
    let texts = [
      figures.baseline, figures.baselineInterval, figures.candidate, figures.candidateInterval,
      figures.change, figures.interval,
    ]
    return [Markdown.escaped(ComparisonSentences.brief(listed.topology)), "`\(row.metric.name)`"]
      + texts.map(Markdown.escaped) + [isChanged ? "**\(row.word)**" : row.word]
  }
}

extension Direction {
  /// The smaller, the graver.
  fileprivate var gravity: Int {
    switch self {
    case .worse: 0
    case .better: 1
    case .cannotTell: 2
    case .same: 3
    }
  }
}
