import Judging
import Measurement

struct SectionPart {
  let section: PageSection
  let cellsOnPage: Int
  /// Whether the page has no other section, and its title is this one's.
  let isAlone: Bool
  /// Whether the figures below the first wait to be opened.
  let isFolded: Bool

  var block: Document.Block {
    if section.summary.counted ?? false {
      return .section(
        PageText.title(section.title) + ", counted",
        [.paragraph(section.work, .note)] + counts + [rows],
        Document.Place(kind: .part, id: section.id, cells: section.summary.key("")))
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
      Document.Place(kind: .part, id: section.id, cells: section.summary.key("")))
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
        isAlone ? nil : .paragraph(PageText.sentences(Headline.text(sweeps.map(\.sweep))), .answer),
        role.map { .paragraph("Of the \($0.rawValue) alone.", .note) },
        .paragraph(Sentences.legend(sweeps[0].sweep), .legend),
        .section("", .multiples, sweeps.map(figure)),
      ])
  }

  var title: String {
    let sweep = sweeps[0].sweep
    let stores = Set(sections.map(\.summary).filter { $0.scenario == sweep.scenario }.map(\.store))
    let store = stores.count > 1 ? ", \(PageText.brief(sweep.store)) store" : ""
    return PageText.title(sweep.scenario) + ": who wins where" + store
  }

  private func figure(_ id: String, _ sweep: Sweep) -> Document.Block {
    let drawing = SweepDrawing(id: "\(id)-sweep", sweep: sweep)
    let legend = [Sentences.crossovers(sweep), drawing.legend].compactMap { $0 }
    var table = Table(sweep)
    (table.id, table.caption) = ("\(id)-sweep-table", Sentences.legend(sweep))
    return .section(
      PageText.title(Headline.text(sweep)), .figure, id: "\(id)-sweep-figure",
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
