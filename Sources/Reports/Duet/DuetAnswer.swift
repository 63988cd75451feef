package import Judging
package import Measurement

package enum DuetAnswer {
  package typealias Format = OutputFormat<CellsFormat>

  package static func render(
    _ report: DuetReport, _ cells: [CellResult], as format: Format, style: TextStyle
  ) throws -> String {
    switch format {
    case .document(let format): format.render(document(report), style)
    case .data(.json): try json(report)
    case .data(.csv): CellCSV.text(cells)
    }
  }

  static func document(_ report: DuetReport) -> Document {
    Document(
      blocks: [.lines(DuetSentences.builds(report))]
        + sections(report).map { section($0, of: report) }
        + [.paragraph(DuetSentences.conclusion(report), .answer)]
        + DuetSentences.notes(report).map { .paragraph($0) })
  }

  private static func section(
    _ targets: [DuetReport.Target], of report: DuetReport
  ) -> Document.Block {
    let rows = targets.flatMap { figures(report, of: $0) }
    let block: Document.Block =
      rows.isEmpty ? .paragraph("Nothing was decided.") : .table(table(rows))
    return .section(targets[0].key.title, [block])
  }

  private static func table(_ figures: [DuetFigure]) -> Table {
    Table(
      figures, columns, isEmphasised: { $0.verdict == .fail },
      importance: { Table.Importance($0.verdict, of: [[.fail], [.inconclusive], [.pass]]) })
  }

  /// Times and changed counts. A sentence gives the number of unchanged counts.
  private static func figures(_ report: DuetReport, of target: DuetReport.Target) -> [DuetFigure] {
    report.figures.filter { figure in
      guard figure.target == target.key else { return false }
      guard case .count(let judgement) = figure.judgement else { return true }
      return judgement.outcome != .same
    }
  }

  /// One table for each scenario, parameters and store mode.
  private static func sections(_ report: DuetReport) -> [[DuetReport.Target]] {
    report.targets.grouped { [$0.key.scenario, $0.key.parameters, $0.key.store] }.map(\.elements)
  }

  package static let jsonSchema = "topobench-duet/3"

  package static func json(_ report: DuetReport) throws -> String {
    try JSONDocument(
      schema: jsonSchema, conclusion: DuetSentences.conclusion(report),
      notes: DuetSentences.notes(report), value: report
    ).text()
  }
}

// MARK: - Columns

extension DuetAnswer {
  private static let columns: [ValueColumn<DuetFigure>] = [
    .leading("topology") { $0.target.topology },
    ValueColumn("metric", "", .code) { $0.metric.name },
    ValueColumn("baseline", "", .figure) { $0.shown.baseline },
    ValueColumn("candidate", "", .figure) { $0.shown.candidate },
    ValueColumn("change", "", .figure) { $0.shown.change },
    ValueColumn("verdict", "", .label, stays: true) { $0.verdict.rawValue },
    ValueColumn(Pairing.paired.estimateHeading, "95 % interval", .figure) {
      $0.shown.estimate
    },
    ValueColumn("pairs", "", .figure) { figure in
      switch figure.judgement {
      case .time(let judgement): "\(judgement.trials)"
      case .count(let judgement): "\(judgement.candidate?.trials ?? 0)"
      }
    },
    ValueColumn("fresh", "pairs", .figure, stays: true) { $0.fresh },
    ValueColumn("would see", "", .figure, stays: true) { figure in
      figure.detectable.map { "+\(Figures.percent($0))" } ?? Table.missing
    },
  ]
}
