import Measurement
import Testing

@testable import Reports

@Suite struct LimitedRowsTests {
  /// A section for each table. The tens of a row are its grade.
  private func limited(_ tables: [[Int]], to most: Int) -> [Document.Block] {
    let sections = tables.map { rows in
      let rows = rows.map { row in
        Table.Row(
          cells: ["\(row)"], importance: .init(grade: row / 10, word: "of grade \(row / 10)"))
      }
      return Document.Block.section("s", [.table(Table(columns: [], rows: rows))])
    }
    return Document(blocks: sections).limited(to: most).blocks
  }

  private func rows(_ blocks: [Document.Block]) -> [[String]] {
    blocks.compactMap { block in
      guard case .section(_, let blocks, _) = block, case .table(let table)? = blocks.first else {
        return nil
      }
      return table.rows.map { $0.cells[0].text }
    }
  }

  private func sentence(_ blocks: [Document.Block]) -> String? {
    guard case .paragraph(let text, _)? = blocks.last else { return nil }
    return text
  }

  @Test func `the gravest rows stay, in their order`() {
    let blocks = limited([[31, 11, 32], [21], [12, 33]], to: 4)
    #expect(rows(blocks) == [["31", "11"], ["21"], ["12"]])
    #expect(
      sentence(blocks) == "Not shown: 2 more rows (2 of grade 3); --format json has all.")
  }

  @Test func `all rows stay if they have room`() {
    let blocks = limited([[31, 11], [], [21]], to: 3)
    #expect(rows(blocks) == [["31", "11"], [], ["21"]])
    #expect(sentence(blocks) == nil)
    #expect(limited([], to: 3).isEmpty)
  }

  @Test func `the first rows of a grade stay, and a section without rows disappears`() {
    let blocks = limited([[11, 12, 21], [13, 31]], to: 2)
    #expect(rows(blocks) == [["11", "12"]])
    #expect(
      sentence(blocks)
        == "Not shown: 3 more rows (1 of grade 1, 1 of grade 2, 1 of grade 3); "
        + "--format json has all.")
    #expect(
      sentence(limited([[11, 21]], to: 1))
        == "Not shown: 1 more row (1 of grade 2); --format json has all.")
  }

  @Test func `Markdown counts the rows that have no room, and keeps what changed`() {
    func sweep(_ run: String, _ factor: Double) -> [CellResult] {
      (1...60).flatMap { value in
        SampleComparisons.report(run, "main-only", blocked: value == 60 ? 40 * factor : 40).with {
          $0.parameters = #"{"n":\#(value)}"#
        }
      }
    }
    let text = ComparisonReportTests.markdown(
      SampleComparisons.comparison(sweep("old", 1), sweep("new", 1.5)), listing: .everything)
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| main-only") }
    #expect(rows.count == 100)
    #expect(rows.count { $0.contains("**worse**") } == 3, "\(rows.suffix(5))")
    #expect(text.contains("Not shown: 200 more rows (200 same); --format json has"))
    #expect(text.split(separator: "\n").count { $0.hasPrefix("### ") } < 25)
    #expect(text.contains("297 of 300 figures are the same"))
  }
}
