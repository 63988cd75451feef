package import Judging
import Measurement

// Documentation/Explanation/Findings.md, as `topobench findings` writes it from reports:
//
//   # Findings           reports, machines, and what they are not
//   ## When it matters   the settings in which a gap passes a frame
//   ## Common advice     where each advice was tried, and whether it held
//   ## 5000-cities       question, table or a table for each swept field, conclusion

package struct FindingsPage: Sendable {
  package enum Format: String, Sendable, CaseIterable {
    case markdown, json
  }

  private let findings: Findings

  package init(_ findings: Findings) { self.findings = findings }

  var markdown: String { MarkdownRenderer(level: 1).render(document) }

  package func render(as format: Format) throws -> String {
    switch format {
    case .markdown: markdown
    case .json: try Self.json(findings)
    }
  }

  private var document: Document {
    Document(
      title: "Findings",
      blocks: introduction + [Self.sectionOfEffects(findings), advice]
        + findings.reports.flatMap(sections))
  }

  private var introduction: [Document.Block] {
    let (cells, ok) = (findings.cells, findings.okCells)
    return [
      .paragraph(
        """
        Results of the shipped scenarios. scripts/findings makes this page from the reports in \
        results/full, which scripts/run-all measures, and a test compares them. \
        \(Figures.counted(cells, "cell")), \(ok == cells ? "all" : "\(ok)") ok. \
        Blocked is the time that main spends in database work, executing and waiting. Figures are \
        medians over trials, with a 95 % interval from six trials on. Topologies that the trials do \
        not separate share a rank.
        """),
      .paragraph(Self.limits(findings), .aside),
      machines,
    ]
  }

  private var machines: Document.Block {
    let files = Dictionary(grouping: findings.reports, by: \.machine).sorted { $0.key < $1.key }
    guard files.count > 1 else {
      return .paragraph("Measured on: \(files.first?.key ?? "no machine").")
    }
    return .list(files.map { "\($1.map(\.file).listed): \($0)" })
  }
}

extension FindingsPage {
  private var advice: Document.Block {
    .section(
      "Common advice",
      [
        .paragraph(
          "\(Self.conclusion(findings)) An advice that is not separated may be right, but not by"
            + " enough to show."),
        .table(Table(findings.advice, Self.columns)),
      ])
  }

  static func conclusion(_ findings: Findings) -> String {
    let (tried, contradicted) = (findings.tried.count, findings.contradicted.count)
    return "\(Figures.counted(tried, "piece")) of advice \(tried == 1 ? "was" : "were") tried;"
      + " \(contradicted) \(contradicted == 1 ? "is" : "are") contradicted here."
  }

  static func limits(_ findings: Findings) -> String {
    Sentences.limits(findings.reports.flatMap(\.summary.sections))
  }

  private static let columns: [ValueColumn<AdviceResult>] = [
    ValueColumn("advice", "", .words) { $0.advice.says },
    ValueColumn("tried in", "", .words) { finding in
      let values = finding.advice.parameters.sorted { $0.key < $1.key }
      return ([finding.advice.scenario] + values.map { "\($0) \($1)" }).joined(separator: ", ")
    },
    ValueColumn("result", "", .words) { result($0) },
    ValueColumn("verdict", "", .words) { $0.verdict.rawValue },
  ]

  private static func result(_ finding: AdviceResult) -> String {
    guard let recommended = finding.recommended, let other = finding.other else {
      return Table.missing
    }
    let metric = finding.advice.metric == .mainBlocked ? "" : " (\(finding.advice.metric.name))"
    return "\(finding.advice.recommended) \(Figures.short(recommended)) ms, "
      + "\(finding.advice.over) \(Figures.short(other)) ms\(metric)"
  }
}
