import Foundation
import Testing

@Suite("The table of behaviours")
struct SemanticsTableTests {
  private let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test func `every behaviour has a test with its number or is a stated deviation`() throws {
    let markdown = try String(
      contentsOf: root.appendingPathComponent("Documentation/Reference/Semantics.md"),
      encoding: .utf8)
    let table = SemanticsTable(markdown: markdown)
    // This file's sources are made up.
    let tests = try NumberedTests.all(in: root.appendingPathComponent("Tests"))
      .filter { !$0.file.hasSuffix("/SemanticsTableTests.swift") }
    #expect(table.faults(against: tests) == [])
    let counts = "Of \(table.rows.count) rows, \(table.deviations.count) are deviations"
    #expect(markdown.contains(counts), "the page's count should say: \(counts)")
  }

  private static let source = """
    // Semantics 7
    @Suite struct Some {
      // Semantics 1, 2
      @Test func `one and two`() {
        // Semantics 3
      }
      // 11
      // Semantics 12 of them
      // Semantics 5: a remark
      // on two lines
      @Test(arguments: [1])
      func `five`(number: Int) {}
    }
    """

  @Test func `numbers belong to the test below, the suite below, or the surrounding test`() {
    let tests = NumberedTests(file: "T/Some.swift", Self.source).tests
    #expect(tests.map(\.sentence) == ["one and two", "five"])
    #expect(tests.map(\.numbers) == [[1, 2, 3, 7], [5, 7]])
  }

  private func table(changing key: String, to row: String?) -> SemanticsTable {
    let mistakes = "abcdefghijklmnopqrstuvwxyz".prefix(SemanticsTable.knownMistakes)
    let rows =
      SemanticsTable.numbers.map { ("\($0)", "| \($0) | ★ | does |") }
      + mistakes.map { ("\($0)", "| \($0) | mistake | `shows` Some.swift |") }
    return SemanticsTable(
      markdown: rows.compactMap { $0.0 == key ? row : $0.1 }.joined(separator: "\n"))
  }

  private func faults(changing key: String, to row: String?) -> [String] {
    let test = NumberedTest(
      file: "T/Some.swift", sentence: "shows", numbers: Set(SemanticsTable.numbers))
    let other = NumberedTest(file: "T/Some.swift", sentence: "unnumbered", numbers: [])
    return table(changing: key, to: row).faults(against: [test, other])
  }

  @Test(arguments: [
    ("4", nil, "4 has 0 rows"),
    ("4", "| 4 | | does |\n| 4 | | does |", "4 has 2 rows"),
    ("4", "| 4 | ★ | does. Deviation: hard |", "4 has a star and may not deviate"),
    ("4", "| 4 | | does. Deviation: hard |", "`shows` carries 4, which the table does not show"),
    ("4", "| 4 | | does |\n| 200 | | does |", "200 is not in the list"),
    ("4", "| 4 | | does |\n| 200 | | does |", "no test carries 200"),
    ("b", "| b | mistake | `show` Some.swift |", "b: there is no `show` in Some.swift"),
    ("b", "| b | mistake | `shows` Other.swift |", "b: there is no `shows` in Other.swift"),
    ("b", "| b | mistake | |", "b names no test"),
    ("b", "| b | mistake | 4, 200 |", "b: there is no row 200"),
  ])
  func `contradictions are found`(key: String, row: String?, fault: String) {
    #expect(faults(changing: key, to: row).contains(fault))
  }

  @Test func `a table that agrees has no faults`() {
    #expect(faults(changing: "4", to: "| 4 | ★ | does |") == [])
  }

  @Test func `more than ten deviations are too many`() {
    let rows = (1...11).map { "| \($0) | | does. Deviation: hard |" }
    let faults = SemanticsTable(markdown: rows.joined(separator: "\n")).faults(against: [])
    #expect(faults.contains("11 deviations are more than 10"))
  }
}
