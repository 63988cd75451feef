package import Judging
import Measurement

package enum Answer {
  package typealias Format = OutputFormat<CellsFormat>

  package enum Width: Sendable {
    /// At most 100 characters wide.
    case narrow
    case wide
  }

  /// - Parameter style: of a terminal, for `table`.
  package static func render(
    _ summary: Summary, as format: Format, style: TextStyle, width: Width = .narrow
  ) throws -> String {
    switch format {
    case .document(let format): format.render(document(summary, width), style)
    case .data(.json): try json(summary)
    case .data(.csv): CellCSV.text(summary.cells)
    }
  }

  static func document(_ summary: Summary, _ width: Width = .narrow) -> Document {
    let nothing: [Document.Block] = [.paragraph("Nothing was measured.")]
    return Document(
      blocks: summary.sections.map { section($0, width) } + summary.sweeps.map(section)
        + (summary.sections.isEmpty ? nothing : [])
        + [.paragraph(Sentences.limits(summary.sections), .aside)])
  }

  private static func section(_ section: SummarySection, _ width: Width) -> Document.Block {
    if section.counted ?? false { return CountedAnswer.section(section) }
    let defaults = Sentences.defaults(section).map { [Document.Block.paragraph($0)] } ?? []
    let answers = Sentences.answers(section) + [Sentences.why(section)].compactMap { $0 }
    return .section(
      Sentences.title(section),
      [
        .paragraph(Sentences.work(section)), .paragraph(Sentences.trust(section)),
        .table(table(section, width)),
        .paragraph(
          width == .wide ? AnswerColumns.wideLegend : AnswerColumns.legend, .legend),
        .list(Sentences.failures(section)),
      ] + answers.map { .paragraph($0, .answer) }
        + [.paragraph(Sentences.diagnoses(section))] + defaults)
  }

  private static func table(_ section: SummarySection, _ width: Width) -> Table {
    let columns = width == .wide ? AnswerColumns.all : AnswerColumns.main
    let allAreBest = section.topologies.allSatisfy { $0.rank == 1 }
    return Table(
      section.topologies, [AnswerColumns.rank, AnswerColumns.name] + columns,
      isEmphasised: { $0.rank == 1 && !allAreBest })
  }

  private static func section(_ sweep: Sweep) -> Document.Block {
    .section(
      Sentences.title(sweep),
      [
        .table(Table(sweep)), .paragraph(Sentences.legend(sweep), .legend),
        .paragraph(Sentences.crossovers(sweep), .answer),
      ])
  }
}

extension Sentences {
  static func failures(_ section: SummarySection) -> [String] {
    section.topologies.flatMap { topology in
      topology.failures.map { failure in
        let error = failure.error.isEmpty ? "" : ", the first: \(failure.error)"
        return
          "\(topology.name): \(Figures.counted(failure.cells, "cell")) \(failure.status.rawValue)\(error)"
      }
    }
  }
}
