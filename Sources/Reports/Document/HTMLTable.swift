import Judging

// A table with a column of marks is a chart: it is as wide as the page, and rows are 22 px high.
//
//      topology         gap, ms: each trial   median   blocked, ms: each trial    median
//   A  grdb-pool        ·|··        ┊           0.77   ·|··                         3.63
//   B  parent-child       ··|·      ┊           3.44         ··· ·|·· ·             31.0
//                       0    5    10    15             0     10    20    30

struct HTMLTable {
  let table: Table

  /// Charts state their roles, because a phone shows rows as boxes, which browsers then no longer
  /// treat as rows.
  var html: HTML {
    let element = tag(
      "table",
      ["id": table.id, "class": isChart ? "chart" : nil, "role": isChart ? "table" : nil]
    ) {
      caption
      tag("thead", ["role": role("rowgroup")]) {
        tag("tr", ["role": role("row")]) { table.columns.map(heading) }
      }
      bodies
      foot
    }
    // Wide tables scroll by themselves.
    return isChart && table.columns.count <= Self.mostUnscrolled
      ? element
      : tag(
        "div",
        [
          "class": "scroll", "tabindex": "0", "role": "group",
          "aria-label": captionID == nil ? "Table" : nil, "aria-labelledby": captionID,
        ]
      ) { element }
  }

  private static let mostUnscrolled = 10

  private var isChart: Bool { table.isChart }

  private func role(_ name: String) -> String? { isChart ? name : nil }

  private var captionID: String? {
    table.caption.isEmpty ? nil : table.id.map { "\($0)-caption" }
  }

  private var caption: HTML {
    guard !table.caption.isEmpty else { return .nothing }
    return tag("caption", ["id": captionID]) {
      tag("span") { table.caption }
      key
    }
  }

  private func style(_ column: Table.Column) -> String? {
    let kind =
      switch column.kind {
      case _ where column.axis != nil: "track"
      case .number, .figure: ""
      case .heading: isChart ? "name" : ""
      case .label where isChart: "letter"
      default: "words"
      }
    let style = kind + (column.isForWidePages ? " wide" : "")
    return style.isEmpty ? nil : style
  }

  /// Columns of marks share the width that text leaves.
  private func width(_ column: Table.Column) -> String? {
    guard column.axis != nil else { return nil }
    return "width:\(100 / table.columns.count { $0.axis != nil })%"
  }

  private func heading(_ column: Table.Column) -> HTML {
    tag(
      "th",
      [
        "scope": "col", "class": style(column), "style": width(column),
        "role": role("columnheader"),
        "data-axis": column.axis.map { $0.isLogarithmic ? "logarithmic" : "linear" },
        "data-lower": column.axis.map { PageText.exact($0.lower) },
        "data-upper": column.axis.map { PageText.exact($0.upper) },
      ]
    ) { column.name }
  }

  // MARK: Rows

  private var bodies: [HTML] {
    table.groups.map { name, rows in
      tag("tbody", ["role": role("rowgroup")]) {
        name.map(heading(ofGroup:)) ?? .nothing
        for row in rows { tag("tr", ["role": role("row")]) { table.cells(of: row).map(html) } }
      }
    }
  }

  private func heading(ofGroup name: String) -> HTML {
    tag("tr") {
      tag(
        "th",
        ["scope": "rowgroup", "class": "group words", "colspan": "\(table.columns.count)"]
      ) { HTML.name(name) }
    }
  }

  private func html(_ shown: Table.ShownCell) -> HTML {
    let (cell, column) = (shown.cell, shown.column)
    if column.kind == .heading {
      return tag("th", ["scope": "row", "class": style(column), "role": role("rowheader")]) {
        HTML.name(cell.text)
      }
    }
    // A phone's column fits six characters: `1,370`, but not `250.001`.
    let isLong = isChart && column.axis == nil && column.isRight && cell.text.count > 6
    let styles = [style(column), cell.isAlarming ? "over" : nil, isLong ? "long" : nil]
      .compactMap { $0 }
    let style = styles.isEmpty ? nil : styles.joined(separator: " ")
    return tag("td", ["class": style, "role": role("cell")]) { content(shown) }
  }

  private func content(_ shown: Table.ShownCell) -> HTML {
    if let axis = shown.column.axis { return HTMLMarks(axis: axis).row(shown.cell) }
    let pieces = shown.cell.pieces.map { piece in
      piece.exact.map { exact in
        tag("data", ["value": PageText.exact(exact)]) { piece.text }
      } ?? HTML(piece.text)
    }
    if shown.column.isRight { return .joined(pieces) }
    let text = tag("bdi") { pieces }
    if shown.column.kind == .code { return tag("code") { text } }
    return shown.isStrong ? tag("strong") { text } : text
  }

  // MARK: Axes

  private var foot: HTML {
    guard isChart else { return .nothing }
    return tag("tfoot", ["aria-hidden": "true"]) {
      tag("tr") {
        for column in table.columns {
          tag("td", ["class": style(column)]) {
            column.axis.map { HTMLMarks(axis: $0).foot } ?? .nothing
          }
        }
      }
    }
  }

  /// The uses of main's time that a timeline shows.
  private var key: HTML {
    let uses = Set(table.rows.flatMap(\.cells).flatMap(\.marks).flatMap(\.uses))
    guard !uses.isEmpty else { return .nothing }
    return tag("span", ["class": "key"]) {
      for use in MainUse.allCases where uses.contains(use) {
        tag("span") {
          tag(
            "svg",
            [
              "xmlns": "http://www.w3.org/2000/svg", "width": "14", "height": "14",
              "aria-hidden": "true",
            ]
          ) { HTML.void("rect", ["class": use.style, "width": "14", "height": "14", "rx": "2"]) }
          use.inTimeline
        }
      }
    }
  }
}
