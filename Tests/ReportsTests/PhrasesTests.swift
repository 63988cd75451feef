import Judging
import Measurement
import Reports
import Testing

struct PhrasesTests {
  private func conclusion(_ cells: [CellResult]) throws -> Conclusion {
    try #require(Summary(cells: cells).sections.first).conclusion
  }

  /// - Parameter gaps: the longest gap of each trial, repeated.
  private func cells(
    _ topology: String, _ blocked: Double, gaps: [Double] = [4], trials: Int = 8,
    moods: [Double] = SampleSummaries.moods
  ) -> [CellResult] {
    SampleSummaries.cells(topology, blocked, trials: trials, moods: moods).with {
      $0.metrics["main_longest_gap_ms"] = gaps[($0.trial - 1) % gaps.count]
    }
  }

  private func long(_ cells: [CellResult]) throws -> [String] {
    Phrases.long(try conclusion(cells))
  }
  private func short(_ cells: [CellResult]) throws -> String {
    Phrases.short(try conclusion(cells))
  }

  @Test func `without a freeze, the order follows at once`() throws {
    let cells = cells("slow", 30, gaps: [9]) + cells("fast", 10) + cells("close", 11)
    #expect(
      try long(cells) == [
        "No topology freezes the screen: no trial has a gap over a frame (16.7 ms). The longest of "
          + "all is 9.00 ms (slow).",
        "fast blocks main least, 10.1 ms; then close (11.1 ms, 10 % longer) and slow (30.2 ms, "
          + "3.00 times as long).",
      ])
    #expect(
      try short(cells)
        == "No topology freezes the screen; fast blocks main least, 10.1 ms (others up to 30.2 ms)")
  }

  @Test func `freezes come first, the worst limit before the others`() throws {
    let cells =
      cells("hang", 90, gaps: [300]) + cells("slow", 80, gaps: [120])
      + cells("late", 5, gaps: [20, 20, 20, 260]) + cells("good", 40)
    #expect(
      try long(cells)[0] == """
        The screen hangs (a gap over 250 ms) with hang (300 ms, 8 of 8 trials). The screen freezes \
        noticeably (a gap over 100 ms) with slow (120 ms, 8 of 8 trials). The screen freezes for \
        more than a frame (a gap over 16.7 ms) with late (20.0 ms, 8 of 8 trials). In fewer than \
        half of the trials, the screen hangs (over 250 ms) with late (2 of 8 trials, up to 260 ms). \
        Within a frame (16.7 ms) in every trial: good (4.00 ms).
        """)
    #expect(
      try long(cells)[1] == """
        Only good stays within a frame, blocked for 40.2 ms. late (5.03 ms) blocks main for a \
        shorter time, but freezes the screen.
        """)
    #expect(
      try short(cells)
        == "The screen hangs with hang (300 ms); only good stays within a frame, blocked for 40.2 ms"
    )
  }

  @Test func `a gap beside a limit is printed on its own side`() throws {
    let cells =
      cells("a", 10, gaps: [16.72]) + cells("b", 20, gaps: [16.69]) + cells("c", 30, gaps: [250.4])
      + cells("d", 40, gaps: [5, 5, 5, 100.2])
    #expect(
      try long(cells)[0] == """
        The screen hangs (a gap over 250 ms) with c (250.4 ms, 8 of 8 trials). The screen freezes \
        for more than a frame (a gap over 16.7 ms) with a (16.72 ms, 8 of 8 trials). In fewer than \
        half of the trials, the screen freezes noticeably (over 100 ms) with d (2 of 8 trials, up \
        to 100.2 ms). Within a frame (16.7 ms) in every trial: b (16.69 ms).
        """)
    #expect(try short(cells).hasPrefix("The screen hangs with c (250.4 ms); "))
    let summary = Summary(cells: cells)
    let text = AnswerTextTests.text(summary, style: TextStyle(width: 100))
    for gap in [" 16.72 ", " 16.69 ", " 250.4 "] { #expect(text.contains(gap), "\(text)") }
  }

  @Test func `what freezes is never called best where another stays within a frame`() throws {
    let cells = cells("late", 5, gaps: [20]) + cells("good", 40) + cells("other", 60)
    #expect(
      try short(cells)
        == "The screen freezes for more than a frame with late (20.0 ms); of the 2 topologies "
        + "within a frame, good blocks main least, 40.2 ms")
  }

  @Test func `nothing is best if all that are ranked freeze, and another topology does not`() throws
  {
    let frozen = cells("a", 10, gaps: [20]) + cells("b", 30, gaps: [30])
    let all = frozen + cells("few", 1, trials: 2)
    let text =
      "No topology is best: a (10.1 ms) and b (30.2 ms) freeze the screen, and another does not."
    #expect(try long(all)[1] == "\(text) few (1.01 ms) has too few trials to be ranked.")
    #expect(
      try short(all)
        == "The screen freezes for more than a frame with a and b (up to 30.0 ms); no topology is "
        + "best")
    let unmeasured = cells("x", 1).with { $0.metrics[.mainBlocked] = nil }
    #expect(try long(frozen + unmeasured)[1] == text)
    let swept = Summary(
      cells: [1, 2].flatMap { value in all.with { $0.parameters = "{\"x\":\(value)}" } })
    #expect(
      Phrases.short(swept.sections.map(\.conclusion))
        == "The screen freezes for more than a frame with a and b in 2 of 2 settings; no topology "
        + "is best in 2 settings")
    #expect(swept.sweeps.map { Phrases.short($0) } == ["x: no topology is best at any value"])
  }

  @Test func `a freeze of half of the trials shows the trials, not a median within the limit`()
    throws
  {
    let cells = cells("a", 10, gaps: [1, 120]) + cells("b", 20)
    let text = try long(cells)[0]
    #expect(
      text.hasPrefix(
        "The screen freezes noticeably (a gap over 100 ms) with a (4 of 8 trials, up to 120 ms)."),
      "\(text)")
  }

  @Test func `a gap of the instrument's hides whether the screen freezes`() throws {
    let hidden = cells("a", 10, gaps: [30]).with { $0.metrics[label: .longestGapCause] = "harness" }
    let text = try long(hidden + cells("b", 20))[0]
    #expect(text.contains("no trial has a gap of its own over a frame"), "\(text)")
    #expect(
      text.contains("In at least one trial, a gap of topobench's own hides the gaps of a."),
      "\(text)")
  }

  @Test func `the least blocked topology that shows its rows late is named`() throws {
    let early = cells("b", 20).with { $0.metrics["visible_ms"] = 26 }
    func answer(_ visible: Double) throws -> String {
      try long(cells("a", 10).with { $0.metrics["visible_ms"] = visible } + early)[1]
    }
    #expect(
      try answer(75.5).hasSuffix(" Rows of a are visible after 75.5 ms, those of b after 26.0 ms."))
    let soon = try answer(50)
    #expect(!soon.contains("visible"), "\(soon)")
  }

  @Test func `a freeze in few trials is named as such`() throws {
    let cells = cells("a", 10, gaps: [4, 4, 4, 20]) + cells("b", 20)
    #expect(
      try short(cells)
        == "In some trials the screen freezes for more than a frame with a; a blocks main least, "
        + "10.1 ms (others up to 20.1 ms)")
  }

  @Test func `topologies that cannot be separated are named together`() throws {
    let backwards = Array(SampleSummaries.moods.reversed())
    let tied = cells("a", 10) + cells("b", 10.01, moods: backwards)
    #expect(
      try long(tied)[1]
        == "The trials do not separate the 2 topologies in blocked time: a (10.1 ms) and b (10.1 ms)."
    )
    #expect(
      try long(tied + cells("slow", 40))[1]
        == "a blocks main least, 10.1 ms; not separated from it: b (10.1 ms); then slow (40.2 ms).")
  }

  @Test func `too few trials rank nothing, however large the difference`() throws {
    let cells = cells("a", 10, trials: 3) + cells("b", 100, trials: 3)
    #expect(
      try long(cells)[1]
        == "3 trials are too few to rank 2 topologies: 6 are needed (--trials 6). By medians alone, "
        + "main is blocked for: a (10.0 ms) and b (100 ms).")
    #expect(
      try short(cells)
        == "No topology freezes the screen; the trials are too few to rank 2 topologies")
  }

  @Test func `a topology with too few trials is named apart, however little it blocks`() throws {
    let all = cells("a", 10) + cells("b", 20) + cells("short", 1, trials: 2)
    let order = try long(all)[1]
    #expect(
      order == """
        Of the 2 ranked topologies, a blocks main least, 10.1 ms; then b (20.1 ms, 2.00 times as \
        long). short (1.01 ms) has too few trials to be ranked.
        """)
    #expect(
      try short(all).hasSuffix(
        "of the 2 ranked topologies, a blocks main least, 10.1 ms (others up to 20.1 ms)"))
  }

  @Test func `one topology alone is stated, not ranked`() throws {
    #expect(
      try long(cells("main-only", 10)) == [
        "main-only does not freeze the screen: no trial has a gap over a frame (16.7 ms). The "
          + "longest of all is 4.00 ms.",
        "main-only blocks main for 10.1 ms; no other topology has blocked time to compare it with.",
      ])
  }

  @Test func `without an ok cell there is no conclusion`() throws {
    let cell = SampleSummaries.cell("a", trial: 1, blocked: 1)
    #expect(
      try long([cell.with { $0.status = .wrong }])
        == ["Nothing can be concluded: no cell ended ok."])
  }

  @Test func `without blocked time, freezes are stated and nothing is ranked`() throws {
    let unmeasured = cells("a", 10, gaps: [20]).with { $0.metrics["main_blocked_ms"] = nil }
    let text = try long(unmeasured)
    #expect(text.count == 2 && text[0].contains("more than a frame"))
    #expect(text[1] == "No topology has blocked time, so nothing is ranked.")
    #expect(try short(unmeasured).hasSuffix("; no topology has blocked time"))
    // A name keeps its small letter.
    let smooth = cells("a", 10, gaps: [9]).with { $0.metrics["main_blocked_ms"] = nil }
    #expect(try long(smooth)[0].hasPrefix("a does not freeze the screen"))
  }

  @Test func `a run to discard is one also without blocked time`() throws {
    let unmeasured = cells("a", 10, gaps: [20]).with { $0.metrics["main_blocked_ms"] = nil }
    var context = RunContext()
    context.steal = 12
    let order = try #require(Summary(cells: unmeasured, context: context).sections.first)
      .conclusion.order
    #expect(order.standing == .discarded)
  }

  @Test func `exact counts say why`() throws {
    let work = [
      ("d", 40.0, ["main_rows_written": 3628.0, "main_rows_read": 2727]),
      ("a", 5, ["main_rows_written": 0]), ("b", 10, ["main_objects_refreshed": 1826]),
      ("c", 20, ["main_objects_refreshed": 1826]), ("e", 80, ["main_rows_read": 1]), ("f", 90, [:]),
    ]
    let counted = work.flatMap { name, blocked, counts in
      self.cells(name, blocked).with {
        for (column, value) in counts { $0.metrics[column] = value }
      }
    }
    #expect(
      try Phrases.why(conclusion(counted)) == """
        Why, in counts: on main, b and c refresh 1,826 objects; d writes 3,628 rows; e reads \
        1 row; a does none of this.
        """)
  }

  @Test(arguments: [(7, "1 more topology does"), (8, "2 more topologies do")])
  func `what freezes the screen is explained first, and the rest is counted`(
    topologies: Int, rest: String
  ) throws {
    let counted = (1...topologies).flatMap { index in
      cells("t\(index)", Double(10 * index), gaps: [index == topologies ? 20 : 4]).with {
        $0.metrics["main_rows_read"] = Double(index)
      }
    }
    let why = try #require(try Phrases.why(conclusion(counted)))
    let first = "t\(topologies) reads \(topologies) rows"
    #expect(why.hasPrefix("Why, in counts: on main, \(first); t1 reads 1 row; "), "\(why)")
    #expect(why.hasSuffix("; \(rest) other work."), "\(why)")
  }

  @Test(arguments: [
    (2, "The screen hangs with a in 1 of 2 settings"),
    (1, "No topology freezes the screen in 2 of 3 settings"),
  ])
  func `a headline says nothing of freezes in a discarded setting`(
    discarded: Int, freezes: String
  ) throws {
    let settings = [4.0, 300, 4].enumerated().map { index, gap in
      (cells("a", 10, gaps: [gap]) + cells("b", 20)).with {
        $0.parameters = "{\"x\":\(index)}"
        // Trials that spread by far more than 40 %.
        if index == discarded { $0.metrics["main_blocked_ms"] = Double($0.trial * $0.trial) }
      }
    }
    let conclusions = Summary(cells: settings.flatMap { $0 }).sections.map(\.conclusion)
    let best = discarded == 1 ? 2 : 1
    #expect(
      Phrases.short(conclusions)
        == "\(freezes); a is among the best in \(best) of 3 settings; "
        + "1 of 3 settings is to be discarded")
  }

  @Test func `a headline says nothing of freezes where no gap is known`() throws {
    let settings = [4.0, nil].enumerated().map { index, gap in
      (cells("a", 10, gaps: [4]) + cells("b", 20)).with {
        $0.parameters = "{\"x\":\(index)}"
        $0.metrics["main_longest_gap_ms"] = gap
      }
    }
    let conclusions = Summary(cells: settings.flatMap { $0 }).sections.map(\.conclusion)
    #expect(
      Phrases.short(conclusions).hasPrefix("No topology freezes the screen in 1 of 2 settings; "))
  }

  @Test(arguments: [
    ([["a", "b"], ["b", "a"], []], "with a and b in 2 of 3 settings"),
    ([["a", "b"], ["b"]], "in 2 of 2 settings, with 1 to 2 of 3 topologies"),
    ([["a"], ["b"]], "in 2 of 2 settings, with 1 of 3 topologies each"),
  ])
  func `a headline names topologies only if the same ones freeze in each setting that does`(
    frozen: [[String]], expected: String
  ) throws {
    let settings = frozen.enumerated().map { index, frozen in
      ["a", "b", "c"].flatMap { cells($0, 10, gaps: [frozen.contains($0) ? 300 : 4]) }
        .with { $0.parameters = "{\"x\":\(index)}" }
    }
    let conclusions = Summary(cells: settings.flatMap { $0 }).sections.map(\.conclusion)
    #expect(Phrases.short(conclusions).hasPrefix("The screen hangs \(expected); "))
  }

  @Test func `several settings are counted by their own conclusions`() throws {
    let settings = [("1", [4.0]), ("2", [300]), ("3", [4, 4, 4, 300])].map { value, gaps in
      (cells("a", 10, gaps: gaps) + cells("b", 20)).with { $0.parameters = "{\"x\":\(value)}" }
    }
    let conclusions = Summary(cells: settings.flatMap { $0 }).sections.map(\.conclusion)
    #expect(
      Phrases.short(conclusions)
        == "The screen hangs with a in 1 of 3 settings; a is among the best in 2 of 3 settings")
    #expect(
      Phrases.short([conclusions[0], conclusions[2]])
        == "In some trials the screen hangs with a in 1 of 2 settings; a is among the best in 2 of "
        + "2 settings")
  }
}
