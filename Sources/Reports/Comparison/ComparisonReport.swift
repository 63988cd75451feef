package import Judging
import Measurement

/// What a comparison says, as text: every format is made from one object.
package enum ComparisonReport {
  package enum Format: String, Sendable, CaseIterable {
    case table, markdown, csv, json
  }

  /// - Parameters:
  ///   - style: for `table` only.
  ///   - listing: which rows tables list; `csv` and `json` hold all.
  package static func render(
    _ comparison: Comparison, as format: Format, style: TextStyle, listing: Listing = .changes
  ) -> String {
    switch format {
    case .table: text(comparison, style: style, listing: listing)
    case .markdown: markdown(comparison, listing: listing)
    case .csv: csv(comparison)
    case .json: json(comparison)
    }
  }

  /// What was not compared and what makes the rest doubtful, for who reads figures alone. A terminal
  /// shows them as they are.
  package static func notes(_ comparison: Comparison) -> [String] {
    let style = TextStyle(width: nil, isUTF8: true, hasColor: false)
    return ComparisonSentences.notes(comparison).map(style.printable)
  }

  /// Which rows of a comparison stand in a table.
  package enum Listing: Sendable {
    /// What changed, or may have; the rest is counted.
    case changes
    case everything

    func lists(_ row: Comparison.Row) -> Bool {
      self == .everything || !(row.isSame || row.isUntold)
    }

    /// What a section's table leaves out, counted.
    func unlisted(_ section: Comparison.Section) -> [String] {
      self == .everything ? [] : ComparisonSentences.unlisted(section)
    }

    /// Those that are told one by one, and, of a sweep in which little changed, the many in which
    /// every figure is the same.
    func parted(
      _ sections: [Comparison.Section]
    ) -> (told: [Comparison.Section], quiet: [Comparison.Section]) {
      let quiet = sections.filter { section in
        section.topologies.flatMap(\.rows).allSatisfy(\.isSame)
      }
      guard self == .changes, quiet.count > Self.mostQuiet else { return (sections, []) }
      return (sections.filter { !quiet.contains($0) }, quiet)
    }

    private static let mostQuiet = 3
  }
}

extension Comparison.Row {
  /// With too few trials nothing is told of any metric: the most important one stands for all, and a
  /// count that differs says something all the same.
  var isUntold: Bool {
    guard hasTooFewTrials, metric.name != "main_blocked_ms" else { return false }
    return !metric.isIndependentOfScheduling || baseline.median == candidate.median
  }
}
