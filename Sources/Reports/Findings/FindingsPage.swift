package import Judging
package import Measurement

// Documentation/Explanation/Findings.md, as `topobench findings` writes it from reports:
//
//   # Findings           reports, machines, and what they are not
//   ## When it matters   the settings in which a gap passes a frame
//   ## Common advice     where each advice was tried, and whether it held
//   ## 5000-cities       question, table or a table for each swept field, conclusion
//   …
//
// The reports decide every figure in it.

/// One report, with the content of its environment file.
package struct FindingsReport: Sendable {
  /// The file's name, without its folder.
  package var file: String
  package var cells: [CellResult]
  /// The question of each scenario, by its name.
  package var questions: [String: String]
  /// The machine, in a line.
  package var machine: String

  package init(file: String, cells: [CellResult], questions: [String: String], machine: String) {
    self.file = file
    self.cells = cells
    self.questions = questions
    self.machine = machine
  }
}

/// The results of the shipped scenarios, as one page.
package struct FindingsPage: Sendable {
  private let reports: [FindingsReport]
  private let advice: [Advice]

  package init(_ reports: [FindingsReport], advice: [Advice] = CommonAdvice.all) {
    self.reports = reports
    self.advice = advice
  }

  package var markdown: String { MarkdownRenderer(level: 1).render(document) }

  private var document: Document {
    let cells = reports.flatMap(\.cells)
    return Document(
      title: "Findings",
      blocks: introduction(cells) + [Self.sectionOfEffects(reports), section(ofAdvice: cells)]
        + reports.flatMap(sections))
  }

  private func introduction(_ cells: [CellResult]) -> [Document.Block] {
    let ok = cells.count { $0.status == .ok }
    return [
      .paragraph(
        """
        Results of the shipped scenarios. scripts/findings makes this page from the reports in \
        results/full, which scripts/run-all measures, and a test compares them. \
        \(Sentences.counted(cells.count, "cell")), \(ok == cells.count ? "all" : "\(ok)") ok. \
        Blocked is the time that main spends in database work, executing and waiting. Figures are \
        medians over trials, with a 95 % interval from six trials on. Topologies that the trials do \
        not separate share a rank.
        """),
      .paragraph(Sentences.whatItIsNot(Summary(cells: cells)), .aside),
      machines,
    ]
  }

  private var machines: Document.Block {
    let files = Dictionary(grouping: reports, by: \.machine).sorted { $0.key < $1.key }
    guard files.count > 1 else {
      return .paragraph("Measured on: \(files.first?.key ?? "no machine").")
    }
    return .list(files.map { "\($1.map(\.file).listed): \($0)" })
  }
}

// MARK: - Advice

extension FindingsPage {
  private func section(ofAdvice cells: [CellResult]) -> Document.Block {
    let findings = advice.map { AdviceResult($0, judgedBy: cells.filter { $0.store == "pool" }) }
    let measured = findings.filter { $0.verdict != .notMeasured }
    let contradicted = measured.count { $0.verdict == .contradicted }
    return .section(
      "Common advice",
      [
        .paragraph(
          "\(Sentences.counted(measured.count, "piece")) of advice "
            + "\(measured.count == 1 ? "was" : "were") tried; \(contradicted) "
            + "\(contradicted == 1 ? "is" : "are") contradicted here. An advice that is not separated "
            + "may be right, but not by enough to show."),
        .table(Table(findings, Self.columns)),
      ])
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
