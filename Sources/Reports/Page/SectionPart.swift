import Judging
import Measurement

/// A scenario's part of the page.
struct SectionPart {
  let section: PageSection
  let cellsOnPage: Int

  var html: HTML {
    tag(
      "article",
      [
        "id": section.id, "aria-labelledby": "\(section.id)-h",
        "data-scenario": section.summary.scenario, "data-parameters": section.summary.parameters,
        "data-store": section.summary.store,
      ]
    ) {
      tag("h2", ["id": "\(section.id)-h"]) { PageText.title(section.title) }
      if let question = section.question {
        tag("p", ["class": "question"]) { PageText.sentences(question) }
      }
      for answer in section.answers { tag("p", ["class": "answer"]) { answer } }
      tag("p", ["class": "work"]) { section.work }
      failures
      figures.map(\.html)
      glance
      doubts
      RowsTable(section: section, areLines: cellsOnPage > RowsTable.most).html
    }
  }

  private var figures: [Figure] {
    let change = section.comparison.map { ChangeFigure(section: section, comparison: $0).figure }
    return [change].compactMap { $0 } + [
      BlockedFigure(section: section).figure, TimelineFigure(section: section).figure,
      TapFigure(section: section).figure, FramesFigure(section: section).figure,
      TimesFigure(section: section).figure, CountsFigure(section: section).figure,
    ]
  }

  private var failures: HTML {
    guard !section.failures.isEmpty else { return .nothing }
    return tag("ul", ["class": "failures"]) {
      for failure in section.failures { tag("li") { PageText.sentences(failure) } }
    }
  }

  /// The table that the terminal shows.
  private var glance: HTML {
    let columns = AnswerColumns.all
    let table = DataTable(
      id: "\(section.id)-glance", caption: "The figures that a run prints.",
      columns: ["topology"] + columns.map(\.column.name),
      rows: section.lines.map { line in
        DataTable.Row(
          name: .name(line.name),
          cells: columns.map { column in
            let text = column.text(line.summary)
            return column.column.isRight ? .figure(text) : .text(text)
          })
      })
    return tag("section", ["class": "figure"]) {
      tag("h3") { "All at a glance" }
      tag("p", ["class": "caption"]) { AnswerColumns.legend }
      table.html
    }
  }

  private var doubts: HTML {
    tag("section", ["class": "doubts"]) {
      tag("h3") { "How far to trust it" }
      for doubt in section.doubts { tag("p") { doubt } }
      Sentences.defaults(section.summary).map { defaults in tag("p") { defaults } } ?? .nothing
    }
  }
}

/// A sweep's part of the page.
struct SweepPart {
  let id: String
  let sweep: Sweep
  /// The side, in a comparison.
  let role: Side?
  /// The sections with the rows behind the sweep.
  let rows: [PageSection]

  var html: HTML {
    let figure = SweepFigure(id: "\(id)-sweep", sweep: sweep)
    return tag("article", ["id": id, "aria-labelledby": "\(id)-h"]) {
      tag("h2", ["id": "\(id)-h"]) { PageText.title(Sentences.title(sweep)) }
      if let role { tag("p", ["class": "work"]) { "Of the \(role.rawValue) alone." } }
      tag("p", ["class": "answer"]) { PageText.sentences(Sentences.crossovers(sweep)) }
      Figure(
        id: "\(id)-figure", heading: "Cost over the field",
        caption: Sentences.legend(sweep)
          + " Values stand at equal distances. A shaded stretch is one in which topologies change "
          + "places, so far as the trials show it.",
        drawing: figure.drawing, table: figure.table, rows: rows.first.map { "\($0.id)-rows" } ?? id
      ).html
      tag("p", ["class": "work"]) {
        "Its rows, value by value: "
        rows.enumerated().map { index, section in
          HTML.joined([
            HTML(index > 0 ? ", " : ""),
            .link(to: "\(section.id)-rows", PageText.title(section.title)),
          ])
        }
      }
    }
  }
}
