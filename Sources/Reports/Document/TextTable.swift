import Judging

extension DocumentFormat {
  package static let table = DocumentFormat(name: "table") { document, style in
    TextRenderer(style: style).render(document)
  }
}

struct TextRenderer {
  let style: TextStyle

  func render(_ document: Document) -> String {
    lines(document.blocks).map { $0.asLogLine + "\n" }.joined()
  }

  private func lines(_ blocks: [Document.Block]) -> [String] {
    var all: [String] = []
    var previous: Document.Block?
    for block in blocks {
      let own = lines(block)
      guard !own.isEmpty else { continue }
      all += (all.isEmpty || isJoined(block, to: previous) ? [] : [""]) + own
      previous = block
    }
    return all
  }

  /// A blank line parts blocks, but not a table from its legend, nor an answer from its reasons.
  private func isJoined(_ block: Document.Block, to previous: Document.Block?) -> Bool {
    switch (previous, block) {
    case (.table?, .paragraph(_, .legend)), (.paragraph(_, .answer)?, .paragraph(_, .reason)),
      (.paragraph(_, .reason)?, .paragraph(_, .reason)):
      true
    default: false
    }
  }

  private func lines(_ block: Document.Block) -> [String] {
    switch block.asText {
    case .section(let heading, let blocks, _): section(heading, blocks)
    case .paragraph(let text, let emphasis): paragraph(text, emphasis)
    case .lines(let texts): texts.flatMap { wrapped($0) }
    case .list(let items):
      items.flatMap { wrapped("- \($0)", indent: "  ") }.map { style.emphasised($0, .warning) }
    case .terms(let terms): self.terms(terms)
    case .table(let table): TextTable(table, style: style).lines
    case .csv, .links: []
    }
  }

  /// Text follows its heading at once, a table after a blank line.
  private func section(_ heading: String, _ blocks: [Document.Block]) -> [String] {
    let title = wrapped(heading).map { style.emphasised($0, .bold) }
    if case .table? = blocks.first { return title + [""] + lines(blocks) }
    return title + lines(blocks)
  }

  private func paragraph(_ text: String, _ emphasis: Document.Emphasis) -> [String] {
    let lines = wrapped(text)
    switch emphasis {
    case .plain, .question, .reason, .note, .aside: return lines
    case .answer: return lines.map { style.emphasised($0, .bold) }
    case .legend: return lines.map { style.emphasised($0, .dim) }
    }
  }

  private func terms(_ terms: [Document.Term]) -> [String] {
    let names = terms.map { style.printable($0.name) }
    let width = names.map(\.columns).max() ?? 0
    return zip(names, terms).flatMap { name, term in
      let margin = "  " + name.padded(to: width, onLeft: false) + "  "
      let blank = String(repeating: " ", count: margin.columns)
      return wrapped(term.text, indent: blank).enumerated().map { index, line in
        index == 0 ? margin + line : line
      }
    }
  }

  /// Longer lines are hard to read.
  private static let widestLine = 100

  /// - Parameter indent: of all lines but the first.
  private func wrapped(_ text: String, indent: String = "") -> [String] {
    let width = max(20, min(style.width ?? Self.widestLine, Self.widestLine) - indent.columns)
    return style.printable(text).wrapped(to: width).enumerated().map { index, line in
      index == 0 ? line : indent + line
    }
  }
}

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
    columns = table.columns.enumerated().map { index, column in
      let cells = table.rows.map { $0.cells[index].text }
      return TextColumn(column, cells, indent: table.isGrouped && index == 0 ? "  " : "", style)
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
    func isShown(_ row: Int) -> Bool {
      !isContinued || columns.contains { !$0.column.isLeading && $0.cells[row] != [""] }
    }
    for (name, rows) in table.groups where rows.contains(where: isShown) {
      if let name { lines.append(TextColumn.cell(name, style)) }
      lines += rows.filter(isShown).flatMap { self.lines(of: $0, columns) }
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
