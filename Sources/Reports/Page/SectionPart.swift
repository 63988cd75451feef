import Judging
import Measurement

struct SectionPart {
  let section: PageSection
  let cellsOnPage: Int

  var block: Document.Block {
    let question =
      section.question.map {
        [Document.Block.paragraph(PageText.sentences($0), .question)]
      } ?? []
    let texts: [Document.Block] =
      question + section.answers.map { .paragraph($0, .answer) } + [
        .paragraph(section.work, .note), .list(section.failures.map(PageText.sentences)),
      ]
    let rows = RowsTable(section: section, isCompact: cellsOnPage > RowsTable.most)
    return .section(
      PageText.title(section.title), texts + figures + [glance, doubts, rows.block],
      Document.Place(kind: .part, id: section.id, cells: section.summary.key("")))
  }

  private var figures: [Document.Block] {
    let change = section.comparison.map { ChangeFigure(section: section, comparison: $0).figure }
    let figures = [
      change, BlockedFigure(section: section).figure, TimelineFigure(section: section).figure,
      TapFigure(section: section).figure, FramesFigure(section: section).figure,
      TimesFigure(section: section).figure, CountsFigure(section: section).figure,
    ]
    return figures.compactMap { $0?.block }
  }

  /// The table that the terminal shows.
  private var glance: Document.Block {
    let columns = AnswerColumns.all.map { column in column.over { (line: PageLine) in line.summary }
    }
    var table = Table(
      section.lines, [.topology] + columns, caption: "The figures that a run prints.")
    table.id = "\(section.id)-glance"
    return .section(
      "All at a glance", .figure, [.paragraph(AnswerColumns.wideLegend, .legend), .table(table)])
  }

  private var doubts: Document.Block {
    let defaults = Sentences.defaults(section.summary).map { [$0] } ?? []
    return .section(
      "How far to trust it", .doubts, (section.doubts + defaults).map { .paragraph($0) })
  }
}

struct SweepPart {
  let id: String
  let sweep: Sweep
  /// The side, in a comparison.
  let role: Side?
  /// The sections with the rows behind the sweep.
  let rows: [PageSection]

  var block: Document.Block {
    .section(
      PageText.title(Sentences.title(sweep)), .part, id: id,
      [
        role.map { .paragraph("Of the \($0.rawValue) alone.", .note) },
        .paragraph(PageText.sentences(Sentences.crossovers(sweep)), .answer), figure.block,
        .links(
          "Its rows, value by value: ",
          rows.map { .init(target: "\($0.id)-rows", text: PageText.title($0.title)) }),
      ])
  }

  private var figure: Figure {
    var table = Table(sweep)
    table.caption = Sentences.legend(sweep)
    return Figure(
      id: "\(id)-sweep", heading: "Cost over the field",
      caption: """
        \(Sentences.legend(sweep)) Values stand at equal distances. A shaded stretch is one in which \
        topologies change places, so far as the trials show it.
        """,
      drawing: SweepDrawing(id: "\(id)-sweep", sweep: sweep).drawing, table: table,
      rows: rows.first.map { "\($0.id)-rows" } ?? id)
  }
}
