import Measurement

package enum TopologiesList {
  /// A topology in words. Unknown texts are empty.
  package struct Entry: Sendable {
    package var name: String
    /// Restrictions beside the name: a peer, or one store mode only.
    package var marks: [String]
    package var picture: String
    /// The names of other libraries for this wiring.
    package var knownAs: [String]
    package var summary: String
    package var mainCosts: String
    package var chooseWhen: String
    /// Refused work with the reason.
    package var refusals: String

    package init(
      name: String, marks: [String], picture: String, knownAs: [String] = [], summary: String,
      mainCosts: String, chooseWhen: String, refusals: String = ""
    ) {
      self.name = name
      self.marks = marks
      self.picture = picture
      self.knownAs = knownAs
      self.summary = summary
      self.mainCosts = mainCosts
      self.chooseWhen = chooseWhen
      self.refusals = refusals
    }
  }

  package static func render(
    _ entries: [Entry], as format: DocumentFormat = .table, style: TextStyle
  ) -> String {
    format.render(Document(blocks: entries.map(section)), style)
  }

  private static func section(_ entry: Entry) -> Document.Block {
    let marks = entry.marks.isEmpty ? "" : " (\(entry.marks.joined(separator: "; ")))"
    let terms = [
      ("known as", entry.knownAs.joined(separator: "; ")), ("wiring", entry.picture),
      ("does", entry.summary), ("on main", entry.mainCosts), ("choose", entry.chooseWhen),
      ("refuses", entry.refusals),
    ]
    return .section(
      entry.name + marks,
      [.terms(terms.filter { !$0.1.isEmpty }.map { Document.Term(name: $0.0, text: $0.1) })])
  }
}

/// The output of `topobench list metrics`.
package enum MetricsList {
  package static func render(as format: DocumentFormat = .table, style: TextStyle) -> String {
    let table = Table(Metrics.all, columns)
    return format.render(Document(blocks: [.table(table), .paragraph(note)]), style)
  }

  private static let note = """
    The end of a column's name is its unit. An exact count does not depend on scheduling: equal work \
    gives an equal count, so any increase is a regression. Times, percentiles and rates are judged \
    by statistics over trials. A metric without a better direction describes, and is not judged.
    """

  private static let columns: [ValueColumn<Metric>] = [
    .leading("metric", .code) { $0.name },
    ValueColumn("kind", "", .words) {
      $0.isIndependentOfScheduling ? "exact count" : $0.kind.rawValue
    },
    ValueColumn("better", "", .words) {
      $0.better == .neither ? Table.missing : $0.better.rawValue
    },
    ValueColumn("meaning", "", .sentence, stays: true) { $0.meaning },
  ]
}
