import Judging
import Measurement

struct SectionPart {
  let section: PageSection
  let cellsOnPage: Int
  /// Whether the page has no other section, so that the page's title is the section's headline.
  let isAlone: Bool
  /// Whether the figures below the first are folded until the reader opens them.
  let isFolded: Bool

  var block: Document.Block {
    if section.summary.counted ?? false {
      return .section(
        PageText.title(section.title) + ", counted",
        [.paragraph(section.work, .note)] + counts + [rows],
        Document.Place(kind: .part, id: section.id, cells: section.summary.key))
    }
    let title =
      isAlone ? [] : [Document.Block.paragraph(PageText.sentences(section.headline), .answer)]
    let change = section.comparison.map { ChangeFigure(section: section, comparison: $0).figure }
    let details = figures + [decided, rows]
    let more = Document.Block.section(
      "Why, timeline, waits of a tap, frames, times and rows", .folded, details)
    return .section(
      PageText.title(section.title),
      title + [.paragraph(section.work, .note)] + (change.map { [$0.block] } ?? [])
        + MainFigure(section: section).blocks
        + [.list(section.failures.map(PageText.sentences))] + (isFolded ? [more] : details),
      Document.Place(kind: .part, id: section.id, cells: section.summary.key))
  }

  private var counts: [Document.Block] {
    guard let comparison = section.comparison else { return CountedAnswer.blocks(section.summary) }
    return [
      .paragraph(ComparisonSentences.conclusion([comparison]), .answer),
      .table(ChangeFigure(section: section, comparison: comparison).table),
      .paragraph(Sentences.blindness, .legend),
    ]
  }

  private var figures: [Document.Block] {
    [
      CountsFigure(section: section).figure, SensitivityFigure(section: section)?.figure,
      TimelineFigure(section: section).figure, TapFigure(section: section).figure,
      FramesFigure(section: section).figure, TimesFigure(section: section).figure,
    ].compactMap { $0?.block }
  }

  private var decided: Document.Block {
    let question = isAlone ? nil : section.question
    let texts =
      [question].compactMap { $0 } + section.answers + section.doubts
      + [Sentences.defaults(section.summary)].compactMap { $0 }
    return .section(
      "What decided this, and how far to trust it", .doubts, id: "\(section.id)-decided",
      texts.map { .paragraph(PageText.sentences($0)) })
  }

  private var rows: Document.Block {
    RowsTable(section: section, isCompact: cellsOnPage > RowsTable.most).block
  }

  static func links(_ section: PageSection) -> [Document.Link] {
    if section.summary.counted ?? false {
      return [.init(target: "\(section.id)-data", text: "Rows")]
    }
    return [
      ("counts-figure", "Why"), ("timeline-figure", "Timeline"), ("tap-figure", "Waits of a tap"),
      ("frames-figure", "Frames"), ("times-figure", "Times"), ("decided", "What decided this"),
      ("data", "Rows"),
    ].map { .init(target: "\(section.id)-\($0)", text: $1) }
  }
}

/// The sweeps of a scenario, as small charts of one kind.
struct SweepsPart {
  let sweeps: [(id: String, sweep: Sweep)]
  /// The side, in a comparison.
  let role: Side?
  let sections: [PageSection]
  let isAlone: Bool

  var block: Document.Block {
    .section(
      title, .part, id: sweeps[0].id,
      [
        isAlone ? nil : .paragraph(PageText.sentences(headline), .answer),
        role.map { .paragraph("Of the \($0.rawValue) alone.", .note) },
        .paragraph(Sentences.legend(sweeps[0].sweep), .legend),
        .section("", .multiples, sweeps.map(figure)),
      ])
  }

  var headline: String {
    let own = sections.map(\.summary).filter { section in
      sweeps.contains { $0.sweep.scenario == section.scenario && $0.sweep.store == section.store }
    }
    return Phrases.short(sweeps.map(\.sweep), own)
  }

  var title: String {
    let sweep = sweeps[0].sweep
    let stores = Set(sections.map(\.summary).filter { $0.scenario == sweep.scenario }.map(\.store))
    let store = stores.count > 1 ? ", \(PageText.brief(sweep.store)) store" : ""
    return PageText.title(sweep.scenario) + ": who wins where" + store
  }

  private func figure(_ id: String, _ sweep: Sweep) -> Document.Block {
    let drawing = SweepDrawing(id: "\(id)-sweep", sweep: sweep)
    let legend = [Phrases.crossovers(sweep), drawing.legend].compactMap { $0 }
    var table = Table(sweep)
    (table.id, table.caption) = ("\(id)-sweep-table", Sentences.legend(sweep))
    return .section(
      PageText.title(Phrases.short(sweep)), .figure, id: "\(id)-sweep-figure",
      [
        .paragraph(PageText.sentences(legend.joined(separator: " ")), .legend),
        .drawing(drawing.drawing),
        .section(
          "", .behindFigure,
          [
            .section("Data: each value", .folded, [.table(table)]),
            .links("Each value: ", links(sweep)),
          ]),
      ])
  }

  private func links(_ sweep: Sweep) -> [Document.Link] {
    let settings = sections.filter {
      $0.summary.scenario == sweep.scenario && $0.summary.store == sweep.store
    }
    let targets = Dictionary(
      settings.compactMap { setting in
        sweep.value(of: setting.summary.parameters).map { ($0, setting.id) }
      }
    ) { first, _ in first }
    return sweep.points.compactMap { point in
      targets[point.value].map {
        .init(target: $0, text: PageText.brief(point.value.label, most: 20))
      }
    }
  }
}

/// The rows of the CSV files behind a section's figures.
struct RowsTable {
  let section: PageSection
  /// Whether the rows are lines of text, not a table.
  let isCompact: Bool

  /// Exact counts have a table of their own, and are here only where trials disagree.
  private static let metrics: [Metric] =
    Metric.blocked + [
      .mainLongestGap, .longestGapCause, .framesDue, .framesLate, .hitchRate, .tapP50, .tapP95,
      .tapP99, .tapMax, .saved, .durable, .visible, .total, .mainDeferred,
    ] + Metric.instructions + Metric.instructionParts

  /// Above this number of rows a page writes lines of text.
  static let most = 3000

  var block: Document.Block {
    let table = table
    let files = section.files.map { PageText.brief($0) }.cut()
    let count = Figures.counted(table.rows.count, "row")
    return .section(
      "Rows", .rows, id: "\(section.id)-data",
      [
        .paragraph(
          "What the figures above were made from: rows of \(files), of which the columns stand here "
            + "that are not zero throughout.", .legend),
        .section("\(count) of \(PageText.title(section.title))", .folded, [.table(table)]),
      ])
  }

  private var table: Table {
    let metrics = shownMetrics
    let leading = isCompact ? ["topology", "trial", "status"] : ["trial"]
    let columns =
      leading.map { Table.Column(heading: $0, kind: .heading) }
      + metrics.map { Table.Column(heading: $0.name, kind: $0.kind == .label ? .words : .figure) }
    return Table(
      id: "\(section.id)-rows",
      caption: "One \(isCompact ? "line" : "row") a cell, as in the CSV files; times in ms.",
      isCompact: isCompact, columns: columns,
      rows: section.lines.flatMap { line in line.all.map { row($0, of: line, metrics) } })
  }

  private func row(_ cell: CellResult, of line: PageLine, _ metrics: [Metric]) -> Table.Row {
    let isOk = cell.status == .ok
    let (status, trial) = (cell.status.rawValue, "\(cell.trial)")
    let values = metrics.map { text($0, of: cell) }
    guard isCompact else {
      let error = "\(status): \(PageText.brief(cell.error, most: 200))"
      return Table.Row(
        group: line.name, cells: ([trial] + (isOk ? values : [error])).map { Table.Cell($0) })
    }
    let fields = [line.name, trial, status] + (isOk ? values : [PageText.brief(cell.error)])
    return Table.Row(cells: fields.map { Table.Cell($0) })
  }

  private var shownMetrics: [Metric] {
    let counts = Metrics.exactCounts.filter { metric in
      section.lines.contains { Set($0.values(metric)).count > 1 }
    }
    return (Self.metrics + counts).filter { metric in
      metric.kind == .label
        || section.lines.contains { $0.values(metric).contains { $0 != 0 } }
    }
  }

  private func text(_ metric: Metric, of cell: CellResult) -> String {
    if metric.kind == .label { return PageText.brief(cell.metrics[label: metric] ?? "") }
    return cell.metrics[metric].map(PageText.exact) ?? ""
  }
}
