package import Measurement

/// What `topobench list` prints. One member has a value.
package struct Listing: Codable, Sendable {
  package struct Scenario: Codable, Sendable {
    let name: String
    /// Its question, or why it cannot be used.
    let asks: String
    let isUsable: Bool

    package init(name: String, asks: String, isUsable: Bool) {
      self.name = name
      self.asks = asks
      self.isUsable = isUsable
    }
  }

  package struct Metric: Codable, Sendable {
    let name: String
    /// Such as `time`, or `exact count`.
    let kind: String
    let better: Measurement.Metric.Direction
    let meaning: String

    init(_ metric: Measurement.Metric) {
      name = metric.name
      kind = metric.isIndependentOfScheduling ? "exact count" : metric.kind.rawValue
      better = metric.better
      meaning = metric.meaning
    }
  }

  private var scenarios: [Scenario]?
  private var topologies: [TopologiesList.Entry]?
  private var metrics: [Metric]?

  package init(scenarios: [Scenario]) { self.scenarios = scenarios }

  package init(topologies: [TopologiesList.Entry]) { self.topologies = topologies }

  package init(metrics: [Measurement.Metric]) { self.metrics = metrics.map(Metric.init) }
}

extension Listing {
  package static let jsonSchema = "topobench-list/1"

  package func render(as format: OutputFormat<JSONFormat>, style: TextStyle) throws -> String {
    switch format {
    case .document(let format): format.render(document, style)
    case .data(.json): try json()
    }
  }

  package var document: Document {
    let blocks =
      (scenarios ?? []).map { Document.Block.section($0.name, [.paragraph($0.asks)]) }
      + (topologies ?? []).map(TopologiesList.section)
    return Document(blocks: blocks + (metrics.map(MetricsList.blocks) ?? []))
  }

  func json() throws -> String {
    let counts = [
      (scenarios?.count, "scenarios"), (topologies?.count, "topologies"),
      (metrics?.count, "metrics"),
    ].compactMap { count, noun in count.map { "\($0) \(noun)" } }
    return try JSONDocument(
      schema: Self.jsonSchema, conclusion: counts.joined(),
      notes: metrics == nil ? [] : [MetricsList.note], value: self
    ).text()
  }
}

package enum TopologiesList {
  /// A topology in words. Unknown texts are empty.
  package struct Entry: Codable, Sendable {
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

    private enum CodingKeys: String, CodingKey {
      case name, marks, knownAs, summary, mainCosts, chooseWhen, refusals
      case picture = "wiring"
    }
  }

  fileprivate static func section(_ entry: Entry) -> Document.Block {
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

private enum MetricsList {
  static func blocks(_ metrics: [Listing.Metric]) -> [Document.Block] {
    [.table(Table(metrics, columns)), .paragraph(note)]
  }

  static let note = """
    The end of a column's name is its unit. An exact count does not depend on scheduling: equal work \
    gives an equal count, so any increase is a regression. Times, percentiles and rates are judged \
    by statistics over trials. A metric without a better direction describes, and is not judged.
    """

  private static let columns: [ValueColumn<Listing.Metric>] = [
    .leading("metric", .code) { $0.name },
    ValueColumn("kind", "", .words) { $0.kind },
    ValueColumn("better", "", .words) {
      $0.better == .neither ? Table.missing : $0.better.rawValue
    },
    ValueColumn("meaning", "", .sentence, stays: true) { $0.meaning },
  ]
}
