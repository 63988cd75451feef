import Judging
import Support

/// Scrolls by itself if it is wider than the page.
struct HTMLTable {
  let table: Table

  var html: HTML { table.isCompact ? lines : scrolling }

  static func terms(_ terms: [Document.Term], _ caption: String) -> HTML {
    tag("table", ["class": "facts"]) {
      if !caption.isEmpty { tag("caption") { caption } }
      tag("tbody") {
        for term in terms {
          tag("tr") {
            tag("th", ["scope": "row"]) { term.name }
            tag("td", ["class": "words"]) { term.text }
          }
        }
      }
    }
  }

  private var captionID: String? { table.id.map { "\($0)-caption" } }

  private var scrolling: HTML {
    tag(
      "div",
      [
        "class": "scroll", "tabindex": "0", "role": "group",
        "aria-label": captionID == nil ? "Table" : nil, "aria-labelledby": captionID,
      ]
    ) {
      tag("table", ["id": table.id]) {
        if !table.caption.isEmpty {
          tag("caption", ["id": captionID]) { tag("span") { table.caption } }
        }
        tag("thead") { tag("tr") { table.columns.map(heading) } }
        bodies
      }
    }
  }

  private func heading(_ column: Table.Column) -> HTML {
    tag("th", ["scope": "col", "class": style(column)]) { column.name }
  }

  private func style(_ column: Table.Column) -> String? { column.isRight ? nil : "words" }

  private var bodies: [HTML] {
    table.rows.grouped(by: \.group).map { name, rows in
      tag("tbody") {
        name.map(heading(ofGroup:)) ?? .nothing
        rows.map(html)
      }
    }
  }

  private func heading(ofGroup name: String) -> HTML {
    let columns = "\(table.columns.count)"
    return tag("tr") {
      tag("th", ["scope": "rowgroup", "class": "group words", "colspan": columns]) {
        HTML.name(name)
      }
    }
  }

  private func html(_ row: Table.Row) -> HTML {
    let missing = table.columns.count - row.cells.count
    let last = row.cells.indices.last
    return tag("tr") {
      for (index, cell) in row.cells.enumerated() {
        if missing > 0, index == last {
          tag("td", ["colspan": "\(missing + 1)", "class": "words"]) { html(cell) }
        } else {
          html(cell, table.columns[index], row.isEmphasised)
        }
      }
    }
  }

  private func html(_ cell: Table.Cell, _ column: Table.Column, _ isEmphasised: Bool) -> HTML {
    switch column.kind {
    case .number, .figure: tag("td") { html(cell) }
    case .heading: tag("th", ["scope": "row"]) { HTML.name(cell.text) }
    case .label where isEmphasised:
      tag("td", ["class": "words"]) { tag("strong") { tag("bdi") { html(cell) } } }
    case .code: tag("td", ["class": "words"]) { tag("code") { tag("bdi") { html(cell) } } }
    default: tag("td", ["class": "words"]) { tag("bdi") { html(cell) } }
    }
  }

  private func html(_ cell: Table.Cell) -> [HTML] {
    cell.pieces.map { piece in
      guard let exact = piece.exact else { return HTML(piece.text) }
      return tag("data", ["value": PageText.exact(exact)]) { piece.text }
    }
  }

  private var lines: HTML {
    let lines = [table.columns.map(\.name)] + table.rows.map { $0.cells.map(\.text) }
    return .joined([
      tag("p", ["id": captionID]) { table.caption },
      tag(
        "pre",
        [
          "id": table.id, "class": "scroll", "tabindex": "0", "role": "group",
          "aria-labelledby": captionID,
        ]
      ) {
        lines.enumerated().map { index, fields in
          HTML.joined([
            index > 0 ? .lineBreak : .nothing,
            HTML(fields.map(CSVWriter.field).joined(separator: ",")),
          ])
        }
      },
    ])
  }
}
