import Measurement
import Testing

@testable import Reports

@Suite struct KeptRowsTests {
  // The tens are a row's gravity.
  private func kept(_ tables: [[Int]], most: Int) -> KeptRows<Int> {
    KeptRows(tables, most: most) { $0 / 10 }
  }

  @Test func `the gravest are kept, each where it stood`() {
    let rows = kept([[31, 11, 32], [21], [12, 33]], most: 4)
    #expect(rows.tables == [[31, 11], [21], [12]])
    #expect(rows.left == [32, 33])
  }

  @Test func `where there is room, all stand as they were given`() {
    let rows = kept([[31, 11], [], [21]], most: 3)
    #expect(rows.tables == [[31, 11], [], [21]] && rows.left.isEmpty)
    #expect(rows.notShown({ "\($0)" }, others: "") == nil)
    #expect(kept([], most: 3).tables.isEmpty)
  }

  @Test func `of more grave ones than there is room for, the first are kept`() {
    let rows = kept([[11, 12, 21], [13, 31]], most: 2)
    #expect(rows.tables == [[11, 12], []])
    let sentence = rows.notShown({ "of \($0 / 10)" }, others: "json has all")
    #expect(sentence == "Not shown: 3 more rows (1 of 1, 1 of 2, 1 of 3); json has all.")
    let one = kept([[11, 21]], most: 1).notShown({ _ in "pass" }, others: "json has all")
    #expect(one == "Not shown: 1 more row (1 pass); json has all.")
  }

  @Test func `Markdown counts the rows that have no room, and keeps what changed`() {
    func sweep(_ run: String, _ factor: Double) -> [CellResult] {
      (1...60).flatMap { value in
        SampleComparisons.report(run, "main-only", blocked: value == 60 ? 40 * factor : 40).map {
          var cell = $0
          cell.parameters = #"{"n":\#(value)}"#
          return cell
        }
      }
    }
    let text = ComparisonReport.markdown(
      SampleComparisons.comparison(sweep("old", 1), sweep("new", 1.5)), listing: .everything)
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| main-only") }
    #expect(rows.count == 100)
    #expect(rows.count { $0.contains("**worse**") } == 3, "\(rows.suffix(5))")
    #expect(text.contains("Not shown: 200 more rows (200 same); --format table, csv and json have"))
    // Where no row of a section has room, its heading has none either.
    #expect(text.split(separator: "\n").count { $0.hasPrefix("### ") } < 25)
    #expect(text.contains("Of 300 figures: 3 worse"))
  }
}
