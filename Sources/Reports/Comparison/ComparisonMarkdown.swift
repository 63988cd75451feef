package import Measurement

extension ComparisonReport {
  /// Markdown as GitHub reads it, for pull requests and step summaries.
  package static func markdown(
    _ comparison: Comparison, listing: Listing = .changes
  ) -> String {
    let reports = ComparisonSentences.reports(comparison).map(Markdown.escaped)
    let (told, quiet) = listing.parted(comparison.sections)
    let sections = told.flatMap { section in
      ["### \(Markdown.escaped(ComparisonSentences.title(section)))"]
        + [table(section, listing)].compactMap { $0 }
        + listing.unlisted(section).map(Markdown.escaped)
    }
    let notes = ComparisonSentences.notes(comparison).map { "- \(Markdown.escaped($0))" }
    let blocks =
      [reports.joined(separator: "<br>\n")] + sections
      + [ComparisonSentences.quiet(quiet)].compactMap { $0.map(Markdown.escaped) }
      + ["**\(Markdown.escaped(ComparisonSentences.conclusion(comparison)))**"]
      + (notes.isEmpty ? [] : [notes.joined(separator: "\n")])
    return blocks.joined(separator: "\n\n") + "\n"
  }

  private static let headings = [
    "topology", "metric", "baseline", "95 % interval", "candidate", "95 % interval", "change",
    "95 % interval", "verdict",
  ]

  private static func table(_ section: Comparison.Section, _ listing: Listing) -> String? {
    let rows = section.topologies.flatMap { topology in
      topology.rows.filter(listing.lists).map { cells(topology, $0) }
    }
    guard !rows.isEmpty else { return nil }
    let rule = headings.indices.map { (2...7).contains($0) ? "---:" : ":---" }
    return ([headings, rule] + rows).map { "| \($0.joined(separator: " | ")) |" }
      .joined(separator: "\n")
  }

  private static func cells(_ topology: Comparison.Topology, _ row: Comparison.Row) -> [String] {
    let figures = ComparisonFigures(row)
    let isChanged = row.verdict == .better || row.verdict == .worse
    let texts = [
      figures.baseline, figures.baselineInterval, figures.candidate, figures.candidateInterval,
      figures.change, figures.interval,
    ]
    return [Markdown.escaped(ComparisonSentences.brief(topology.name)), "`\(row.metric.name)`"]
      + texts.map(Markdown.escaped) + [isChanged ? "**\(row.word)**" : row.word]
  }
}
