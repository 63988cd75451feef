/// A figure of a section: a legend, a drawing, and its numbers as a table.
struct Figure {
  let id: String
  let heading: String
  let caption: String
  /// Nil without data, and for a figure that is its table.
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
