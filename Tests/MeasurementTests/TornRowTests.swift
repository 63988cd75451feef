import Testing

@testable import Measurement

@Suite struct TornRowTests {
  @Test func `the last complete row ends at the last line end outside quotes`() {
    let cases: [(String, Int)] = [
      ("", 0), ("a", 0), ("a,b\n", 4), ("a\nb", 2), ("a\n\"b\nc", 2), ("a\n\"b\nc\"\n", 8),
      ("a\n\"b\"\"\n", 2), ("a\n\"b\"\"\"\nc", 8),
    ]
    for (text, end) in cases {
      #expect(CellCSV.endOfLastRow(in: Array(text.utf8)) == end, "\(text)")
    }
  }

  @Test func `an encoded row is complete, a truncated one is not`() {
    var cell = CellResult(
      runID: "r", startedAt: "t", scenario: "s", topology: "a", store: "pool", trial: 1, order: 1,
      seed: 1, status: .crashed)
    cell.label = "two\nlines, \"quoted\""
    let whole = Array((CellCSV.header + CellCSV.row(cell)).utf8)
    #expect(CellCSV.endOfLastRow(in: whole) == whole.count)
    for length in CellCSV.header.utf8.count..<whole.count {
      #expect(CellCSV.endOfLastRow(in: Array(whole[..<length])) == CellCSV.header.utf8.count)
    }
  }
}
