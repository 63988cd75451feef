import Testing

@testable import Reports

/// A terminal that keeps to the few commands of a block. Rows that scroll off the top are lost.
private struct Screen {
  private(set) var rows: [[Character]]
  private(set) var row = 0
  private var column = 0
  private let width: Int

  init(_ columns: Int, _ rows: Int) {
    width = columns
    self.rows = Array(repeating: [], count: rows)
  }

  var text: [String] { rows.map { String($0) } }
  var isAtLineStart: Bool { column == 0 }

  mutating func write(_ text: String) {
    var rest = Substring(text.replacing("\r\n", with: "\n\r"))
    while let next = rest.popFirst() {
      switch next {
      case "\r": column = 0
      case "\n": down()
      case "\u{1B}": command(&rest)
      default: put(next)
      }
    }
  }

  private mutating func put(_ character: Character) {
    if column == width { (column, _) = (0, down()) }
    while rows[row].count <= column { rows[row].append(" ") }
    rows[row][column] = character
    column += 1
  }

  private mutating func down() {
    row += 1
    guard row == rows.count else { return }
    rows.removeFirst()
    rows.append([])
    row -= 1
  }

  private mutating func command(_ rest: inout Substring) {
    rest.removeFirst()
    let number = rest.prefix { $0.isNumber }
    rest.removeFirst(number.count)
    switch rest.popFirst() {
    case "A": row = max(0, row - (Int(number) ?? 1))
    case "K": rows[row] = Array(rows[row].prefix(column))
    case "J":
      rows[row] = Array(rows[row].prefix(column))
      for below in rows.indices where below > row { rows[below] = [] }
    case "m": break
    case let other: Issue.record("unknown command \(String(describing: other))")
    }
  }
}

@Suite struct TerminalBlockTests {
  @Test func `a block is drawn over the former one, and leaves what was above`() {
    var (screen, block) = (Screen(20, 8), TerminalBlock())
    screen.write("$ topobench\n\r")
    screen.write(block.draw(["one", "two", "three"], columns: 20, rows: 8))
    #expect(screen.text == ["$ topobench", "one", "two", "three", "", "", "", ""])
    screen.write(block.draw(["1", "\u{1B}[1mzwei\u{1B}[0m"], columns: 20, rows: 8))
    #expect(screen.text == ["$ topobench", "1", "zwei", "", "", "", "", ""])
    #expect(screen.row == 3 && screen.isAtLineStart)
    screen.write(block.clear(columns: 20, rows: 8))
    #expect(screen.text == ["$ topobench", "", "", "", "", "", "", ""])
    #expect(screen.row == 1 && screen.isAtLineStart)
    #expect(block.clear(columns: 20, rows: 8) == "")
  }

  @Test func `at the bottom the screen scrolls once`() {
    var (screen, block) = (Screen(20, 4), TerminalBlock())
    screen.write("a\n\rb\n\rc\n\r")
    for number in 1...3 {
      screen.write(block.draw(["x \(number)", "y \(number)"], columns: 20, rows: 4))
    }
    #expect(screen.text == ["c", "x 3", "y 3", ""])
  }

  @Test func `one row is drawn over itself`() {
    var (screen, block) = (Screen(20, 1), TerminalBlock())
    screen.write(block.draw(["first line"], columns: 20, rows: 1))
    screen.write(block.draw(["second"], columns: 20, rows: 1))
    #expect(screen.text == ["second"])
    screen.write(block.clear(columns: 20, rows: 1))
    #expect(screen.text == [""])
  }

  @Test func `a terminal that has become narrower has broken the lines`() {
    var (wide, block) = (Screen(20, 10), TerminalBlock())
    wide.write("$ topobench\n\r")
    wide.write(block.draw(["a line of sixteen", "short"], columns: 20, rows: 10))
    // The same lines on a terminal of half the width.
    var narrow = Screen(10, 10)
    for line in wide.text.prefix(3) { narrow.write(line + "\n\r") }
    narrow.write(block.draw(["a line…", "short"], columns: 10, rows: 10))
    #expect(narrow.text.prefix(4) == ["$ topobenc", "h", "a line…", "short"])
  }

  @Test func `output of other programs stays`() {
    var (screen, block) = (Screen(20, 6), TerminalBlock())
    screen.write(block.draw(["one", "two"], columns: 20, rows: 6))
    screen.write("$ somebody else\n\r")
    block.forget()
    screen.write(block.draw(["three"], columns: 20, rows: 6))
    #expect(screen.text == ["one", "two", "$ somebody else", "three", "", ""])
  }
}
