// A block of lines that is drawn over itself:
//
//   $ topobench --scenario …
//   5000-cities, pool store   done …      ┐
//     main-only                3/6 …      │ drawn
//   9 of 24 cells · 48 s left             ┘
//   ▁                                       the cursor, at the start of the line below
//
// The cursor is never hidden, and stands where the next program may begin to write. So whatever ends
// this one, even a signal that it cannot hear, leaves a terminal that can be used.

/// Keeps in mind what stands on a terminal, to write over it.
package struct TerminalBlock: Sendable {
  /// How many columns each line takes that was drawn.
  private var drawn: [Int] = []
  /// On a screen of one row there is no line below.
  private var isAboveCursor = true

  package init() {}

  /// What is to be written to have these lines in the place of the former ones.
  ///
  /// - Parameters:
  ///   - lines: shorter than `columns`, and fewer than `rows` or one.
  ///   - columns: of the terminal as it is now; it may have been another.
  package mutating func draw(_ lines: [String], columns: Int, rows: Int) -> String {
    let start = Self.up(taken(columns: columns, rows: rows))
    drawn = lines.map { Self.withoutColor($0).columns }
    isAboveCursor = rows > 1
    let text = lines.map { "\($0)\u{1B}[K" }.joined(separator: "\r\n")
    return start + text + (isAboveCursor ? "\r\n\u{1B}[J" : "\r")
  }

  /// What is to be written to have the terminal as it was before.
  ///
  /// Line by line: where all below the first row is erased at once, terminals take it for a new page,
  /// and keep the old one for those who scroll back.
  package mutating func clear(columns: Int, rows: Int) -> String {
    guard !drawn.isEmpty else { return "" }
    defer { drawn = [] }
    let taken = taken(columns: columns, rows: rows)
    return Self.up(taken) + String(repeating: "\u{1B}[K\r\n", count: taken) + "\u{1B}[K"
      + Self.up(taken)
  }

  /// What was drawn is not ours any more: somebody else has written below it.
  package mutating func forget() { drawn = [] }

  /// How many rows above the cursor the block takes now: a terminal that has become narrower has
  /// broken its lines, and one that has become lower has let go of some.
  private func taken(columns: Int, rows: Int) -> Int {
    let taken = drawn.reduce(0) { $0 + max(1, ($1 + columns - 1) / max(1, columns)) }
    return max(0, min(taken - (isAboveCursor ? 0 : 1), rows - 1))
  }

  private static func up(_ rows: Int) -> String { rows > 0 ? "\u{1B}[\(rows)A\r" : "\r" }

  private static func withoutColor(_ line: String) -> String {
    line.replacing(/\u{1B}\[[0-9;]*m/, with: "")
  }
}
