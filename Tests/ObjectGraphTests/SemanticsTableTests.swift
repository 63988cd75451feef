import Foundation
import Testing

@Suite("The table of behaviours")
struct SemanticsTableTests {
  private let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test
  func `every behaviour has a test with its number or is a stated deviation`()
    throws
  {
    let markdown = try String(
      contentsOf: root.appendingPathComponent("Documentation/Semantics.md"), encoding: .utf8)
    let table = SemanticsTable(markdown: markdown)
    // Without the made-up sources of this file.
    let tests = try NumberedTests.all(in: root.appendingPathComponent("Tests"))
      .filter { !$0.file.hasSuffix("/SemanticsTableTests.swift") }
    #expect(table.faults(against: tests) == [])
    #expect(table.notYet == [])
    let counts = "\(table.rows.count) rows, \(table.deviations.count) of them deviations"
    #expect(markdown.contains(counts), "the page's count should say: \(counts)")
  }

  private static let source = """
    // 7
    @Suite struct Some {
      // 1, 2
      @Test func `one and two`() {
        // 3
      }
      // 12 of them
      // 5: a remark
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
    let keys =
      SemanticsTable.numbers.map(String.init)
      + "abcdefghijklmnopqrstuvwxyz".prefix(SemanticsTable.knownBugs).map(String.init)
    let lines = keys.compactMap {
      $0 == key ? row : "| \($0) | ★ | does | `shows` Some.swift |"
    }
    return SemanticsTable(markdown: lines.joined(separator: "\n"))
  }

  private func faults(changing key: String, to row: String?) -> [String] {
    let test = NumberedTest(
      file: "T/Some.swift", sentence: "shows", numbers: Set(SemanticsTable.numbers))
    let other = NumberedTest(file: "T/Some.swift", sentence: "unnumbered", numbers: [])
    return table(changing: key, to: row).faults(against: [test, other])
  }

  @Test(arguments: [
    (nil, "4 has 0 rows"),
    ("| 4 | | does | `shows` Some.swift |\n| 4 | | does | `shows` Some.swift |", "4 has 2 rows"),
    ("| 4 | | does | `show` Some.swift |", "4: there is no `show` in Some.swift"),
    ("| 4 | | does | `shows` Other.swift |", "4: there is no `shows` in Other.swift"),
    ("| 4 | | does | `unnumbered` Some.swift |", "4: `unnumbered` does not carry that number"),
    ("| 4 | | does | |", "4 names no test"),
    ("| 4 | ★ | does | deviation: hard |", "4 has a star and may not deviate"),
    ("| 4 | | does | deviation: hard |", "`shows` carries 4, which the table does not show"),
    ("| 200 | | does | `shows` Some.swift |", "200 is not in the list"),
  ])
  func `contradictions are found`(row: String?, fault: String) {
    #expect(faults(changing: "4", to: row).contains(fault))
  }

  @Test func `a table that agrees has no faults, and missing rows are counted`() {
    let good = "| 4 | ★ | does | `shows` Some.swift |"
    #expect(faults(changing: "4", to: good) == [])
    #expect(table(changing: "4", to: "| 4 | ★ | does | not yet |").notYet == ["4"])
  }

  @Test func `more than ten deviations are too many`() {
    let rows = (1...11).map { "| \($0) | | does | deviation: hard |" }
    let faults = SemanticsTable(markdown: rows.joined(separator: "\n")).faults(against: [])
    #expect(faults.contains("11 deviations are more than 10"))
  }
}
