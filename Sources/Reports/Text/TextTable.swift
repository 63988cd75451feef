// A table that is wider than the page goes on below, its first columns repeated:
//
//      topology       blocked  executing            topology       late    visible
//                          ms         ms                           frames       ms
//   ────────────────────────────────────           ──────────────────────────────
//   1  main-only         12.3       12.1            1  main-only        0     15.3
//
// so that nothing is left out on a narrow terminal.

/// Columns of text with headings of two lines.
struct TextTable {
  struct Column {
    var heading: String
    /// The second line: the unit, as a rule.
    var unit = ""
    var cells: [String]
    var isNumeric = true
    /// Never parted from the column before it.
    var staysWithPrevious = false

    var width: Int {
      ([heading, unit] + cells).map(\.columns).max() ?? 0
    }
  }

  /// Repeated at the left where the table goes on.
  var leading: [Column]
  var columns: [Column]
  /// Rows to stand out.
  var emphasisedRows: Set<Int> = []

  private static let gap = 2

  func lines(style: TextStyle) -> [String] {
    var lines: [String] = []
    for block in blocks(width: style.width) {
      if !lines.isEmpty { lines.append("") }
      lines += Self.lines(of: leading + block, emphasised: emphasisedRows, style: style)
    }
    return lines
  }

  /// The columns that stand side by side.
  private func blocks(width: Int?) -> [[Column]] {
    guard let width else { return [columns] }
    let room = width - leading.reduce(0) { $0 + $1.width + Self.gap } + Self.gap
    var blocks: [[Column]] = [[]]
    var used = 0
    for group in groups {
      let needed = group.reduce(0) { $0 + $1.width + Self.gap }
      if used + needed > room, used > 0 {
        blocks.append([])
        used = 0
      }
      blocks[blocks.count - 1] += group
      used += needed
    }
    return blocks
  }

  private var groups: [[Column]] {
    columns.reduce(into: []) { groups, column in
      if column.staysWithPrevious, !groups.isEmpty {
        groups[groups.count - 1].append(column)
      } else {
        groups.append([column])
      }
    }
  }

  private static func lines(
    of columns: [Column], emphasised: Set<Int>, style: TextStyle
  ) -> [String] {
    func line(_ cell: (Column) -> String) -> String {
      columns.map { cell($0).padded(to: $0.width, onLeft: $0.isNumeric) }
        .joined(separator: String(repeating: " ", count: gap)).withoutTrailingSpaces
    }
    let width = columns.reduce(-gap) { $0 + $1.width + gap }
    var lines = [line(\.heading)]
    if columns.contains(where: { !$0.unit.isEmpty }) { lines.append(line(\.unit)) }
    lines = lines.map { style.emphasised($0, .bold) }
    lines.append(style.emphasised(String(repeating: style.printable("─"), count: width), .dim))
    for row in columns.first?.cells.indices ?? 0..<0 {
      let text = line { $0.cells[row] }
      lines.append(emphasised.contains(row) ? style.emphasised(text, .bold) : text)
    }
    return lines
  }
}
