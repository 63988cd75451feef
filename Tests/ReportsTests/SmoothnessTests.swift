import Judging
import Measurement
import Testing

@testable import Reports

struct SmoothnessTests {
  private func section(_ cells: [CellResult]) throws -> SummarySection {
    try #require(Summary(cells: cells).sections.first)
  }

  private func cells(
    _ name: String, gap: Double = 5, late: [Double] = [0], busy: Double = 20, hangs: Double = 0
  ) -> [CellResult] {
    let moods = name < "b" ? SampleSummaries.moods : SampleSummaries.moods.reversed()
    return SampleSummaries.cells(name, 10, moods: moods).with {
      $0.metrics["main_longest_gap_ms"] = gap * SampleSummaries.moods[$0.trial - 1]
      $0.metrics["frames_late"] = late[($0.trial - 1) % late.count]
      $0.metrics["main_longest_busy_ms"] = busy
      $0.metrics["hangs_over_250ms"] = hangs
    }
  }

  @Test func `without a late frame or a hang, no topology matters`() throws {
    let section = try section(cells("a") + cells("b"))
    #expect(
      Sentences.smoothness(section)
        == "No topology drops a frame here, and none would count as a hang (250 ms).")
  }

  @Test func `late frames and hangs are named with their topology`() throws {
    let section = try section(
      cells("a", late: [3]) + cells("b", late: [0, 0, 0, 1]) + cells("c", busy: 312, hangs: 1))
    #expect(
      Sentences.smoothness(section) == """
        Frames are dropped by a (3 late) and b (in 2 of 8 trials). \
        Main would hang (250 ms) in c (312 ms).
        """)
  }

  @Test func `late frames read as missing where no frame was due in a long gap`() throws {
    let section = try section(cells("a") + cells("b", gap: 130))
    let shown = section.topologies.map { AnswerColumns.late.cell($0).text }
    #expect(shown == ["0", "–"])
    #expect(
      Sentences.smoothness(section)?.hasSuffix(
        " The screen was idle in the longest gap of b (131 ms): no frame was due.") == true)
  }

  @Test func `the answer says where longest gaps separate topologies that tie`() throws {
    let tied = try section(cells("a", gap: 136) + cells("b", gap: 5.7) + cells("c", gap: 96))
    #expect(tied.topologies.map(\.rank) == [1, 1, 1])
    #expect(
      Sentences.gaps(tied) == """
        Longest gaps separate some that tie: that of b (5.73 ms) is shorter than those of c \
        (96.5 ms) and a (137 ms); that of c (96.5 ms) is shorter than that of a (137 ms).
        """)
    #expect(Sentences.gaps(try section(cells("a") + cells("b"))) == nil)
  }

  @Test func `the answer names the exact counts behind the order`() throws {
    let work = [
      ("d", 40.0, ["main_rows_written": 3628.0, "main_rows_read": 2727]),
      ("a", 5, ["main_rows_written": 0]), ("b", 10, ["main_objects_refreshed": 1826]),
      ("c", 20, ["main_objects_refreshed": 1826]), ("e", 80, ["main_rows_read": 1]), ("f", 90, [:]),
    ]
    let cells = work.flatMap { name, blocked, counts in
      SampleSummaries.cells(name, blocked).with {
        for (column, value) in counts { $0.metrics[column] = value }
      }
    }
    let why = """
      Why, in exact counts: on main, b and c refresh 1,826 objects; d writes 3,628 rows; e reads 1 \
      row; a does none of this.
      """
    #expect(Sentences.why(try section(cells)) == why)
    let style = TextStyle(width: nil, isUTF8: true, hasColor: false)
    #expect(
      try Answer.render(Summary(cells: cells), as: .table, style: style).contains("\nWhy, in"))
  }

  @Test func `gaps of the instrument count nowhere but in the column`() throws {
    var cells = cells("a", gap: 5)
    cells[0].metrics["main_longest_gap_ms"] = 90
    cells[0].metrics[label: .longestGapCause] = "heartbeat"
    let section = try section(cells)
    let gap = try #require(section.topologies[0].longestGap?.median)
    #expect(section.topologies[0].median(.mainLongestGap) != gap)
    let page = ReportPage(SamplePages.side(cells)).html
    #expect(page.contains("<data value=\"\(PageText.exact(gap))\">\(Figures.short(gap))</data>"))
  }
}
