import Judging
import Measurement
import Testing

@testable import Reports

@Suite struct AnswerTextTests {
  static func text(
    _ summary: Summary, style: TextStyle, width: Answer.Width = .narrow,
    detail: Answer.Detail = .usual
  ) -> String {
    DocumentFormat.table.render(Answer.document(summary, width, detail), style)
  }

  private func style(_ width: Int?, utf8: Bool = true, color: Bool = false) -> TextStyle {
    TextStyle(width: width, isUTF8: utf8, hasColor: color)
  }

  private func lines(
    _ summary: Summary, _ style: TextStyle, width: Answer.Width = .narrow
  ) -> [String] {
    Self.text(summary, style: style, width: width).split(
      separator: "\n", omittingEmptySubsequences: false
    )
    .map(String.init)
  }

  /// If main frees what a worker's undo manager held, no counted part contains that.
  @Test func `counted parts of main's work and what is in none of them sum up`() {
    var cells = [("main-only", 40_000_000.0), ("parent-child", 38_000_000)].map { name, main in
      SampleSummaries.cell(name, trial: 1, blocked: 0).with {
        $0.metrics = MetricValues()
        $0.isCounted = true
        $0.metrics[.mainInstructions] = main
        $0.metrics[.workerInstructions] = 500
      }
    }
    #expect(!Self.text(Summary(cells: cells), style: style(100)).contains("in no part"))
    for part in Metric.instructionParts { cells[0].metrics[part] = 0 }
    cells[0].metrics[Metric.instructionParts[0]] = 8_000_000
    cells[0].metrics[Metric.instructionParts[1]] = 18_500_000
    let answer = Self.text(Summary(cells: cells), style: style(120))
    let rows = answer.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(
      rows.contains(["main-only", "40,000,000", "500", "8,000,000", "18,500,000", "13,500,000"]),
      "\(answer)")
    #expect(rows.contains(["parent-child", "38,000,000", "500", "–", "–", "–"]), "\(answer)")
    #expect(answer.contains("such as freeing"), "\(answer)")
  }

  @Test func `a small report reads like this`() {
    #expect(
      Self.text(SampleSummaries.four(), style: style(100)) == """
        5000-cities, pool store
        5,000 objects; 901 inserts, 1,826 updates and 901 deletes in 8 saves; 9 trials. Trust: good.

           topology            blocked       95 %  longest    late  visible
                                    ms   interval  gap, ms  frames       ms
        ───────────────────────────────────────────────────────────────────
        A  notification-merge     12.4  12.0–13.0     3.10       0     52.9
        B  parent-child           45.3  43.7–47.4    11.3        2     85.8
        B  root-main-private      45.5  43.9–47.6    11.4        2     86.0
        C  main-only              61.5  59.4–64.3    15.4        3    102
        Topologies with a common letter are not separated. Medians over trials.

        - main-only: 1 cell crashed, the first: ended by signal 11

        No topology freezes the screen: no trial has a gap over a frame (16.7 ms). The longest of all is
        16.1 ms (main-only). notification-merge blocks main least, 12.4 ms; then parent-child (45.3 ms, 3.65
        times as long), root-main-private (45.5 ms, 3.67 times as long) and main-only (61.5 ms, 4.96 times
        as long).

        Not validated against Core Data on a device; read orders and mechanisms, not seconds. --explain says
        more.

        """)
  }

  private static let worked: [CellResult] = {
    let work = [
      ("notification-merge", 12.34, "main_objects_refreshed", 1826.0),
      ("root-main-private", 45.3, "main_objects_copied", 3628),
      ("parent-child", 52.1, "main_rows_written", 3628),
      ("main-only", 61.2, "main_rows_written", 3628),
    ]
    return work.flatMap { name, blocked, count, value in
      SampleSummaries.cells(name, blocked).with { $0.metrics[count] = value }
    }
  }()

  /// Two topologies freeze the screen, and a third one does in a fourth of its trials.
  private static let frozen = worked.with { cell in
    let gaps = ["main-only": 300.0, "parent-child": 120, "root-main-private": 20]
    let isSmooth = cell.topology == "root-main-private" && !cell.trial.isMultiple(of: 4)
    if !isSmooth, let gap = gaps[cell.topology] { cell.metrics[.mainLongestGap] = gap }
  }

  @Test(arguments: [worked, frozen])
  func `four topologies of a healthy run take at most 24 lines of 80 columns`(
    cells: [CellResult]
  ) {
    let lines = lines(Summary(cells: cells), style(80)).dropLast()
    #expect(lines.count <= 24, "\(lines.joined(separator: "\n"))")
  }

  @Test(arguments: [worked, frozen])
  func `four topologies of a doubtful run take at most 30 lines of 80 columns`(
    cells: [CellResult]
  ) {
    let cells = cells.with { cell in
      cell.metrics[.mainCommits] = Double(8 + cell.trial % 3)
      cell.metrics["heartbeat_wake_p99_ms"] = 1.4
      cell.metrics["main_gap_runqueue_ms"] = (cell.metrics["main_blocked_ms"] ?? 0) / 5
    }
    var context = RunContext()
    (context.isDebugBuild, context.load, context.cores, context.steal) = (true, 1.5, 2, 0.025)
    let summary = Summary(cells: cells, context: context)
    let lines = lines(summary, style(80)).dropLast()
    let text = lines.joined(separator: "\n")
    #expect(lines.count <= 30, "\(text)")
    #expect(summary.sections[0].conclusion.doubts.count == 3)
    #expect(text.split(separator: "main_commits").count == 2, "\(text)")
  }

  @Test func `a brief answer is table and conclusion`() {
    let usual = Self.text(Summary(cells: Self.worked), style: style(80))
    let brief = Self.text(Summary(cells: Self.worked), style: style(80), detail: .brief)
    for part in ["notification-merge", "blocked", "No topology freezes the screen"] {
      #expect(brief.contains(part), "\(brief)")
    }
    for part in ["Trust:", "Why", "Not validated"] {
      #expect(usual.contains(part) && !brief.contains(part), "\(brief)")
    }
  }

  @Test(arguments: [.usual, .explained] as [Answer.Detail])
  func `the spread of the trials is said once`(detail: Answer.Detail) {
    let cells = Self.worked.with { cell in
      let factor = cell.trial.isMultiple(of: 2) ? 0.8 : 1.2
      cell.metrics[.mainBlocked] = (cell.metrics[.mainBlocked] ?? 0) * factor
    }
    let text = Self.text(Summary(cells: cells), style: style(80), detail: detail)
    #expect(text.split(separator: "spread by").count == 2 && !text.contains("spreads"), "\(text)")
  }

  @Test func `the longest answers to the user's counts and searches have a column`() {
    let cells = Self.worked.with { $0.metrics[.answerMax] = 20 + Double($0.trial) }
    let trials = Double(cells.filter { $0.topology == "main-only" }.count)
    let lines = lines(Summary(cells: cells), style(120))
    let heading = lines.first { $0.contains("blocked") }
    #expect(heading?.contains("answer") == true, "\(lines)")
    let median = Figures.short(20 + (trials + 1) / 2)
    let row = lines.first { $0.contains("main-only") }
    #expect(row?.split(separator: " ").contains { $0 == median } == true, "\(median): \(lines)")
    #expect(!Self.text(Summary(cells: Self.worked), style: style(120)).contains("answer"))
  }

  @Test(arguments: [80, 100, 120, 160])
  func `no line is wider than the page, and no column is left out`(width: Int) {
    let lines = lines(SampleSummaries.four(), style(width), width: .wide)
    #expect(lines.allSatisfy { $0.count <= width })
    let text = lines.joined(separator: "\n")
    for heading in [
      "blocked", "95 %", "executing", "waiting", "longest", "mostly", "late",
      "visible",
      "durable", "deferred", "changes", "total", "÷ raw", "cells",
    ] {
      #expect(text.contains("\(heading)"), "\(heading)")
    }
  }

  @Test func `the first table is one piece`() {
    for width in [80, 100, 160] {
      let lines = lines(SampleSummaries.four(), style(width))
      #expect(lines.count { $0.contains("topology  ") } == 1, "\(width)")
    }
    let wide = lines(SampleSummaries.four(), style(80), width: .wide)
    #expect(wide.count { $0.contains("topology  ") } == 3)
  }

  @Test func `the legend says where late frames are left out`() {
    // A frame was due in each gap, and was late by less than a frame.
    let cells = SampleSummaries.cells("a", 10).with {
      $0.metrics[.mainLongestGap] = 22.4
      ($0.metrics[.framesDue], $0.metrics[.framesLate], $0.metrics[.hitch]) = (1, 0, 16.2)
    }
    let document = Answer.document(Summary(cells: cells), .narrow, .explained)
    let words = DocumentFormat.table.render(document, style(100)).split { $0.isWhitespace }
    let text = words.joined(separator: " ")
    #expect(
      text.contains("Late frames: – where a gap over a frame has no late frame."), "\(text)")
    #expect(text.contains(" 22.4 – "), "\(text)")
  }

  @Test func `without UTF-8 the text is ASCII`() {
    let text = Self.text(SampleSummaries.four(), style: style(80, utf8: false), width: .wide)
    #expect(text.utf8.allSatisfy { $0 < 128 })
    #expect(text.contains("12.0-13.0") && text.contains("/ raw"))
  }

  @Test func `colour adds escapes and nothing else`() {
    let plain = Self.text(SampleSummaries.four(), style: style(100))
    let colored = Self.text(SampleSummaries.four(), style: style(100, color: true))
    #expect(!plain.contains("\u{1B}"))
    #expect(colored.contains("\u{1B}[1m"))
    #expect(colored.replacing(#/\u{1B}\[\d+m/#, with: "") == plain)
  }

  @Test func `hostile names reach a terminal as text`() {
    let names = [
      "\u{1B}[31mred\u{7}", "\u{202E}desrever", String(repeating: "long", count: 50), "東京の街",
      "a\nb",
    ]
    let cells = names.flatMap { SampleSummaries.cells($0, 10) }
    let lines = lines(Summary(cells: cells), style(100))
    let text = lines.joined(separator: "\n")
    #expect(!text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{7}" || $0 == "\u{202E}" })
    #expect(text.contains(#"\u{1B}[31mred\u{7}"#))
    #expect(text.contains(#"a\u{A}b"#))
    let rows = lines.filter { $0.hasPrefix("A") && $0.contains("9.70") }
    #expect(rows.count == 5)
    // Where a name takes two columns a character, its row has as many characters fewer.
    let ends = Set(rows.map { $0.count + ($0.contains("東京の街") ? 4 : 0) })
    #expect(ends.count == 1, "\(rows)")
  }

  @Test func `a topology without an ok cell stands last, without numbers`() {
    let dead = SampleSummaries.cell("deadlock", trial: 1, blocked: 0).with {
      ($0.status, $0.error) = (.timeout, "no answer within 60 s")
      $0.metrics = MetricValues()
    }
    let summary = Summary(cells: SampleSummaries.cells("main-only", 10) + [dead])
    let lines = lines(summary, style(160), width: .wide)
    #expect(lines.contains { $0.hasPrefix("–  deadlock") && $0.hasSuffix("0 of 1") })
    #expect(lines.contains("- deadlock: 1 cell timeout, the first: no answer within 60 s"))
  }

  @Test func `several sections follow each other, and the limits come once`() {
    let pool = SampleSummaries.cells("main-only", 10)
    let text = Self.text(
      Summary(cells: pool + pool.with { $0.store = "serial" }), style: style(100))
    #expect(text.contains("5000-cities, pool store") && text.contains("5000-cities, serial store"))
    #expect(text.split(separator: "Not validated against Core Data").count == 2)
  }

  @Test func `an empty run says that nothing was measured`() {
    #expect(Self.text(Summary(cells: []), style: style(80)).hasPrefix("Nothing was measured.\n"))
  }
}
