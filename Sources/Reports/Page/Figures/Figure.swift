import Judging
import Measurement

// What every figure consists of:
//
//   heading
//   one sentence that says what to read from it
//   key            what its colours mean, if it has several
//   drawing        an image to a screen reader, with title and description
//   ▸ table        the same figures as numbers
//   link           to the rows that they were made from

/// One figure of a section, framed.
struct Figure {
  let id: String
  let heading: String
  let caption: String
  var key: Key?
  /// Nil where there is nothing to draw: the note says why.
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

/// Numbers as a table: a caption, a heading for each column and each row, and a place of its own to
/// scroll in where it is wider than the page.
struct DataTable {
  enum Cell {
    case number(Double?)
    case count(Double?)
    case text(String)
    /// A number that others wrote.
    case figure(String)
    case html(HTML)
  }

  struct Row {
    let name: HTML
    let cells: [Cell]
  }

  let id: String
  let caption: String
  /// The first is the row's name.
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
