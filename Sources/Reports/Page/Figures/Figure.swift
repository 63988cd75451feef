import Judging

/// A figure of a section: a legend, a drawing, and its numbers as a table.
struct Figure {
  let id: String
  let heading: String
  let caption: String
  /// Nil without data, and for a figure that consists of its table.
  let drawing: Document.Drawing?
  var note: String?
  let table: Table
  var isTableOpen = false

  var block: Document.Block {
    var table = table
    table.id = "\(id)-table"
    let data: Document.Block? =
      isTableOpen || table.rows.isEmpty
      ? nil : .section("", .behindFigure, [.section("Data: \(heading)", .folded, [.table(table)])])
    return .section(
      heading, .figure, id: "\(id)-figure",
      [
        .paragraph(caption, .legend), drawing.map { .drawing($0) },
        isTableOpen ? .table(table) : nil, note.map { .paragraph($0, .note) }, data,
      ])
  }
}

extension Figure {
  /// A row for each topology; without any, a note that nothing was measured.
  init(
    _ name: String, of section: PageSection, heading: String, caption: String,
    chart: RowChart, key: Key? = nil, note: String? = nil, table: Table
  ) {
    self.init(
      id: "\(section.id)-\(name)", heading: heading, caption: caption,
      drawing: chart.rows.isEmpty ? nil : chart.drawing(id: "\(section.id)-\(name)", key: key),
      note: note ?? (chart.rows.isEmpty ? "Not measured." : nil), table: table)
  }
}

// The name and the figure of a row are above its marks, so that a phone shows as much as a desktop:
//
//   main-only                                      61.2 ms (60.1–63.0)
//   ○○●○○ ├────┤
//   ▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇
//   parent-child                                   45.3 ms (44.1–46.9)
//   …
//   0          20          40          60          80
//                                     blocked time, ms

struct RowChart {
  struct Row {
    let label: String
    let value: ValueText
    /// Whether it is the candidate's row, below its baseline's.
    var isSecond = false
    let marks: (_ marks: Marks, _ top: Double) -> HTML
  }

  /// A figure, with texts around it that a narrow page omits.
  struct ValueText {
    var before = ""
    let figure: String
    var after = ""

    var text: String { before + figure + after }
  }

  let title: String
  let description: String
  let axis: Axis
  let height: Double
  var references: [(value: Double, label: String)] = []
  let rows: [Row]

  private static let labelHeight = 20.0
  private static let gap = 16.0
  private static let footer = 40.0

  private var top: Double { references.isEmpty ? 4 : 20 }
  private var bottom: Double { top + Double(rows.count) * pitch }
  private var pitch: Double { Self.labelHeight + height + Self.gap }

  func drawing(id: String, key: Key?) -> Document.Drawing {
    let marks = Marks(axis: axis)
    let svg = Shape.chart(
      id: id, title: title, description: description, height: bottom + Self.footer,
      upper: axis.upper
    ) {
      grid(marks)
      for (index, row) in rows.enumerated() { drawn(row, marks, top + Double(index) * pitch) }
    }
    return Document.Drawing(description: description, html: .joined([key?.html ?? .nothing, svg]))
  }

  private func drawn(_ row: Row, _ marks: Marks, _ y: Double) -> HTML {
    tag("g") {
      Shape.text(
        PageText.label(row.label), .init(x: 0, y: y + 14), row.isSecond ? "label second" : "label")
      tag("text", ["class": "value", "x": "100%", "y": Coordinate.text(y + 14)]) {
        if !row.value.before.isEmpty { tag("tspan", ["class": "more"]) { row.value.before } }
        row.value.figure
        if !row.value.after.isEmpty { tag("tspan", ["class": "more"]) { row.value.after } }
      }
      row.marks(marks, y + Self.labelHeight)
    }
  }

  private func grid(_ marks: Marks) -> HTML {
    tag("g", ["aria-hidden": "true"]) {
      for tick in axis.ticks {
        marks.stroke(tick, from: top, to: bottom, tick == axis.lower ? "axis" : "grid")
        marks.text(Axis.label(tick), at: tick, y: bottom + 16, axis.style(of: tick))
      }
      Shape.text("\(axis.title) →", .init(x: 100, y: bottom + 33), "axis-title")
      for reference in references where reference.value < axis.upper {
        marks.stroke(reference.value, from: top, to: bottom, "reference")
        marks.text(reference.label, at: reference.value, y: 12, "reference-label")
      }
    }
  }
}

extension RowChart {
  init(
    _ lines: [PageLine], title: String, axis: Axis, height: Double,
    references: [(Double, String)] = [], value: (PageLine) -> ValueText,
    marks: @escaping (_ line: PageLine, _ marks: Marks, _ y: Double) -> HTML
  ) {
    self.init(
      title: title,
      description: lines.map { "\($0.name): \(value($0).text)" }.joined(separator: "; "),
      axis: axis, height: height, references: references,
      rows: lines.map { line in
        Row(label: line.label, value: value(line), isSecond: line.role == .candidate) {
          marks(line, $0, $1)
        }
      })
  }
}
