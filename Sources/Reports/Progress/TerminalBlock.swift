// A block of lines that is drawn over itself:
//
//   $ topobench --scenario …
//   5000-cities, pool store   done …      ┐
//     main-only                3/6 …      │ drawn
//   9 of 24 cells · 48 s left             ┘
//   ▁                                       the cursor, at the start of the line below
//
// The cursor is always visible, where the next program can write. So the terminal stays usable,
// even if a signal kills this program.

package struct TerminalBlock: Sendable {
  private var drawn: [Int] = []
  /// False on a screen of one row, without a line below.
  private var isAboveCursor = true

  package init() {}

  /// The output that replaces the former lines.
  ///
  /// - Parameter lines: shorter than `columns`, and fewer than `rows` or one.
  package mutating func draw(_ lines: [String], columns: Int, rows: Int) -> String {
    let start = Self.up(taken(columns: columns, rows: rows))
    drawn = lines.map { Self.withoutColor($0).columns }
    isAboveCursor = rows > 1
    let text = lines.map { "\($0)\u{1B}[K" }.joined(separator: "\r\n")
    return start + text + (isAboveCursor ? "\r\n\u{1B}[J" : "\r")
  }

  /// Erases the block line by line. If a program erases everything below the first row at once,
  /// terminals keep a copy in the scrollback.
  package mutating func clear(columns: Int, rows: Int) -> String {
    guard !drawn.isEmpty else { return "" }
    defer { drawn = [] }
    let taken = taken(columns: columns, rows: rows)
    return Self.up(taken) + String(repeating: "\u{1B}[K\r\n", count: taken) + "\u{1B}[K"
      + Self.up(taken)
  }

  /// Forgets the drawn lines, after another program has written below them.
  package mutating func forget() { drawn = [] }

  /// The rows above the cursor that the block takes. A terminal that became narrower has broken
  /// lines, and one that became lower has lost some.
  private func taken(columns: Int, rows: Int) -> Int {
    let taken = drawn.reduce(0) { $0 + max(1, ($1 + columns - 1) / max(1, columns)) }
    return max(0, min(taken - (isAboveCursor ? 0 : 1), rows - 1))
  }

  private static func up(_ rows: Int) -> String { rows > 0 ? "\u{1B}[\(rows)A\r" : "\r" }

  private static func withoutColor(_ line: String) -> String {
    line.replacing(/\u{1B}\[[0-9;]*m/, with: "")
  }
}
