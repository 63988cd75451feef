import Judging

// A table that is wider than the terminal continues below. Its leading columns are repeated:
//
//      topology       blocked  executing            topology       late    visible
//                          ms         ms                           frames       ms
//   ────────────────────────────────────           ──────────────────────────────
//   1  main-only         12.3       12.1            1  main-only        0     15.3

/// A table as plain text. The second line of a heading is its unit.
struct TextTable {
  private let table: Table
  private let style: TextStyle
  private let columns: [TextColumn]

  init(_ table: Table, style: TextStyle) {
    self.table = table
    self.style = style
    let isGrouped = table.rows.contains { $0.group != nil }
    columns = table.columns.enumerated().map { index, column in
      let cells = table.rows.map { $0.text(at: index) }
      return TextColumn(column, cells, indent: isGrouped && index == 0 ? "  " : "", style)
    }
  }

  var lines: [String] {
    guard !table.rows.isEmpty else { return [] }
    return Array(
      blocks.enumerated().map { lines(of: $1, isContinued: $0 > 0) }.joined(separator: [""]))
  }

  private static let gap = 2

  /// Columns that stand side by side, leading ones first.
  private var blocks: [[TextColumn]] {
    let leading = columns.filter(\.column.isLeading)
    let rest = columns.filter { !$0.column.isLeading }
    guard let width = style.width else { return [leading + rest] }
    let room = width - leading.reduce(0) { $0 + $1.width + Self.gap } + Self.gap
    var blocks: [[TextColumn]] = [leading]
    var free = room
    for group in Self.groups(rest) {
      let needed = group.reduce(0) { $0 + $1.narrowest + Self.gap }
      if needed > free, free < room {
        blocks.append(leading)
        free = room
      }
      for column in group {
        let column = column.fitted(to: free - Self.gap)
        blocks[blocks.count - 1].append(column)
        free -= column.width + Self.gap
      }
    }
    return blocks
  }

  private static func groups(_ columns: [TextColumn]) -> [[TextColumn]] {
    columns.reduce(into: []) { groups, column in
      if column.column.staysWithPrevious, !groups.isEmpty {
        groups[groups.count - 1].append(column)
      } else {
        groups.append([column])
      }
    }
  }

  private func lines(of columns: [TextColumn], isContinued: Bool) -> [String] {
    let width = columns.reduce(-Self.gap) { $0 + $1.width + Self.gap }
    var lines = [line(columns, \.heading)]
    if columns.contains(where: { !$0.unit.isEmpty }) { lines.append(line(columns, \.unit)) }
    lines = lines.map { style.emphasised($0, .bold) }
    lines.append(style.emphasised(String(repeating: style.printable("─"), count: width), .dim))
    var group: String?
    for (index, row) in table.rows.enumerated() {
      let isSaid = columns.contains { !$0.column.isLeading && $0.cells[index] != [""] }
      if isContinued, !isSaid { continue }
      if let name = row.group, name != group { lines.append(TextColumn.cell(name, style)) }
      group = row.group
      lines += self.lines(of: index, columns)
    }
    return lines
  }

  private func lines(of row: Int, _ columns: [TextColumn]) -> [String] {
    let height = columns.map { $0.cells[row].count }.max() ?? 0
    return (0..<height).map { index in
      let text = line(columns) { index < $0.cells[row].count ? $0.cells[row][index] : "" }
      return table.rows[row].isEmphasised ? style.emphasised(text, .bold) : text
    }
  }

  private func line(_ columns: [TextColumn], _ text: (TextColumn) -> String) -> String {
    columns.map { text($0).padded(to: $0.width, onLeft: $0.column.isRight) }
      .joined(separator: String(repeating: " ", count: Self.gap)).withoutTrailingSpaces
  }
}

private struct TextColumn {
  let column: Table.Column
  let heading: String
  let unit: String
  private(set) var cells: [[String]]
  private(set) var width = 0

  private static let longestCell = 40
  /// The narrowest and the widest column of wrapped sentences.
  private static let sentence = 28...72

  init(_ column: Table.Column, _ cells: [String], indent: String, _ style: TextStyle) {
    self.column = column
    heading = indent + style.printable(column.heading)
    unit = style.printable(column.unit)
    let texts = cells.map { cell in
      column.kind == .sentence ? style.printable(cell) : indent + Self.cell(cell, style)
    }
    self.cells = (column.kind == .number ? Figures.aligned(texts) : texts).map { [$0] }
    width = widest
  }

  static func cell(_ text: String, _ style: TextStyle) -> String {
    style.printable(text).shortened(to: longestCell, mark: style.printable("…"))
  }

  private var widest: Int { ([heading, unit] + cells.joined()).map(\.columns).max() ?? 0 }

  var narrowest: Int { column.kind == .sentence ? min(width, Self.sentence.lowerBound) : width }

  func fitted(to room: Int) -> TextColumn {
    guard column.kind == .sentence else { return self }
    var fitted = self
    let width = min(max(room, Self.sentence.lowerBound), Self.sentence.upperBound)
    fitted.cells = cells.map { $0[0].wrapped(to: width) }
    fitted.width = fitted.widest
    return fitted
  }
}
