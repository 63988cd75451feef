import Judging
import Measurement

// The parts of every figure:
//
//   heading
//   caption        one sentence: how to read it
//   key            the meaning of its colours, if it has several
//   drawing        for a screen reader an image with title and description
//   ▸ table        the same figures as numbers
//   link           to the rows behind it

/// A figure of a section.
struct Figure {
  let id: String
  let heading: String
  let caption: String
  var key: Key?
  /// Nil without data. The note then has the reason.
  let drawing: HTML?
  var note: String?
  let table: DataTable?
  /// The anchor of the rows behind it.
  let rows: String

  var html: HTML {
    tag("section", ["class": "figure", "id": id]) {
      tag("h3") { heading }
      tag("p", ["class": "caption"]) { caption }
      if let drawing {
        key?.html ?? .nothing
        drawing
      }
      if let note { tag("p", ["class": "note"]) { note } }
      tag("div", ["class": "behind"]) {
        if let table {
          tag("details") {
            tag("summary") { "\(heading) as a table" }
            table.html
          }
        }
        tag("p") { HTML.link(to: rows, "The rows behind “\(heading)”") }
      }
    }
  }
}

/// Numbers as a table with a caption and a heading for each column and row. A table that is wider
/// than the page scrolls by itself.
struct DataTable {
  enum Cell {
    case number(Double?)
    case count(Double?)
    case text(String)
    /// A number as text.
    case figure(String)
    case html(HTML)
  }

  struct Row {
    let name: HTML
    let cells: [Cell]
  }

  let id: String
  let caption: String
  /// The first column has the names of the rows.
  let columns: [String]
  let rows: [Row]

  var html: HTML {
    tag(
      "div",
      ["class": "scroll", "tabindex": "0", "role": "group", "aria-labelledby": "\(id)-caption"]
    ) {
      tag("table", ["id": id]) {
        tag("caption", ["id": "\(id)-caption"]) { tag("span") { caption } }
        tag("thead") { tag("tr") { columns.map { tag("th", ["scope": "col"], text($0)) } } }
        tag("tbody") { rows.map(html) }
      }
    }
  }

  private func html(_ row: Row) -> HTML {
    tag("tr") {
      tag("th", ["scope": "row"]) { row.name }
      row.cells.map(html)
    }
  }

  private func html(_ cell: Cell) -> HTML {
    switch cell {
    case .number(let value):
      tag("td") { value.map { HTML.number($0, Figures.short($0)) } ?? HTML("–") }
    case .count(let value):
      tag("td") { value.map { HTML.number($0, Figures.count($0)) } ?? HTML("–") }
    case .text(let text): tag("td", ["class": "words"]) { text }
    case .figure(let text): tag("td") { text }
    case .html(let html): tag("td") { html }
    }
  }

  private func text(_ text: String) -> () -> HTML { { HTML(text) } }
}
