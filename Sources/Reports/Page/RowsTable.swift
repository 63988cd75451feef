import Support
import Measurement

/// The rows of the CSV files behind a section's figures.
struct RowsTable {
  let section: PageSection
  /// Whether the rows are lines of text, not a table.
  let areLines: Bool

  /// The metrics of figures. Exact counts have a table of their own, and are here only where trials
  /// disagree.
  private static let metrics: [Metric] =
    [
      .mainBlocked, .mainExecuting, .mainWaiting, .mainWaitParent, .mainWaitCoordinator,
      .mainWaitSQLite, .mainWaitQueue, .mainWaitOther, .mainLongestGap, .longestGapCause,
      .framesDue, .framesLate, .hitchRate, .tapP50, .tapP95, .tapP99, .tapMax, .saved, .durable,
      .visible, .total, .mainDeferred,
    ]

  /// Above this number of rows a page writes lines of text. A table takes twice the room.
  static let most = 3000

  var html: HTML {
    let metrics = shownMetrics
    return tag("section", ["class": "rows"]) {
      tag("h3") { "Rows" }
      tag("p", ["class": "caption"]) {
        "What the figures above were made from: rows of "
        HTML(ComparisonSentences.cut(section.files.map { PageText.brief($0) }))
        ", of which the columns stand here that are not zero throughout."
      }
      tag("details") {
        tag("summary") {
          "\(Sentences.counted(rowCount, "row")) of \(PageText.title(section.title))"
        }
        areLines ? lines(metrics) : table(metrics)
      }
    }
  }

  private var rowCount: Int { section.lines.reduce(0) { $0 + $1.all.count } }

  private var shownMetrics: [Metric] {
    let counts = Metrics.exactCounts.filter { metric in
      section.lines.contains { Set($0.values(metric)).count > 1 }
    }
    return (Self.metrics + counts).filter { metric in
      metric.kind == .label
        || section.lines.contains { $0.values(metric).contains { $0 != 0 } }
    }
  }

  private func table(_ metrics: [Metric]) -> HTML {
    let id = "\(section.id)-rows"
    return tag(
      "div",
      ["class": "scroll", "tabindex": "0", "role": "group", "aria-labelledby": "\(id)-caption"]
    ) {
      tag("table", ["id": id, "class": "trials"]) {
        tag("caption", ["id": "\(id)-caption"]) {
          tag("span") { "One row a cell, as in the CSV files; times in ms." }
        }
        tag("thead") {
          tag("tr") {
            tag("th", ["scope": "col"]) { "trial" }
            for metric in metrics { tag("th", ["scope": "col"]) { metric.name } }
          }
        }
        section.lines.map { group($0, metrics) }
      }
    }
  }

  private func group(_ line: PageLine, _ metrics: [Metric]) -> HTML {
    tag("tbody") {
      tag("tr") {
        tag("th", ["scope": "rowgroup", "class": "group", "colspan": "\(metrics.count + 1)"]) {
          HTML.name(line.name)
        }
      }
      for cell in line.all { row(cell, metrics) }
    }
  }

  private func row(_ cell: CellResult, _ metrics: [Metric]) -> HTML {
    tag("tr") {
      tag("th", ["scope": "row"]) { "\(cell.trial)" }
      if cell.status == .ok {
        for metric in metrics { tag("td") { text(metric, of: cell) } }
      } else {
        tag("td", ["colspan": "\(metrics.count)", "class": "words"]) {
          "\(cell.status.rawValue): \(PageText.brief(cell.error, most: 200))"
        }
      }
    }
  }

  private func text(_ metric: Metric, of cell: CellResult) -> String {
    if metric.kind == .label { return PageText.brief(cell.metrics[label: metric] ?? "") }
    return cell.metrics[metric].map(PageText.exact) ?? ""
  }
}

// MARK: - As lines

extension RowsTable {
  private func lines(_ metrics: [Metric]) -> HTML {
    let id = "\(section.id)-rows"
    let header = (["topology", "trial", "status"] + metrics.map(\.name)).joined(separator: ",")
    return .joined([
      tag("p", ["id": "\(id)-caption"]) { "One line a cell, as in the CSV files; times in ms." },
      tag(
        "pre",
        [
          "id": id, "class": "scroll", "tabindex": "0", "role": "group",
          "aria-labelledby": "\(id)-caption",
        ]
      ) {
        HTML(header)
        for line in section.lines { line.all.map { self.line($0, of: line.name, metrics) } }
      },
    ])
  }

  private func line(
    _ cell: CellResult, of name: String, _ metrics: [Metric]
  ) -> HTML {
    let isOk = cell.status == .ok
    let values = isOk ? metrics.map { text($0, of: cell) } : [PageText.brief(cell.error)]
    let fields = [name, "\(cell.trial)", cell.status.rawValue] + values
    return .joined([.lineBreak, HTML(fields.map(CSVWriter.field).joined(separator: ","))])
  }
}
