import Judging
import Measurement
import Reports
import Testing

struct PhrasesTests {
  func conclusion(_ cells: [CellResult]) throws -> Conclusion {
    try #require(Summary(cells: cells).sections.first).conclusion
  }

  /// - Parameter gaps: the longest gap of each trial, repeated.
  func cells(
    _ topology: String, _ blocked: Double, gaps: [Double] = [4], trials: Int = 8,
    moods: [Double] = SampleSummaries.moods
  ) -> [CellResult] {
    SampleSummaries.cells(topology, blocked, trials: trials, moods: moods).with {
      $0.metrics["main_longest_gap_ms"] = gaps[($0.trial - 1) % gaps.count]
    }
  }

  func long(_ cells: [CellResult]) throws -> [String] {
    Phrases.long(try conclusion(cells))
  }
  func short(_ cells: [CellResult]) throws -> String {
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

  @Test func `each topology with the longest gap as printed is named`() throws {
    let cells =
      cells("b", 10, gaps: [4.004]) + cells("a", 20, gaps: [4]) + cells("c", 30, gaps: [2])
    #expect(try long(cells)[0].hasSuffix(" The longest of all is 4.00 ms (a and b)."))
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

  @Test func `where a run has enough trials, cells that failed or are missing are the reason`()
    throws
  {
    let cells = cells("a", 10, trials: 6) + cells("b", 20, trials: 6)
    let failed = cells.with { if $0.topology == "a", $0.trial == 6 { $0.status = .wrong } }
    for part in [failed, Array(cells.dropLast(1)), Array(cells.dropLast(3))] {
      let section = try #require(Summary(cells: part).sections.first)
      let name = part.count == 12 ? "a" : "b"
      let rest = "other cells of \(name) failed or are missing"
      #expect(Phrases.long(section).contains(": 6 are needed (\(rest)). "))
      #expect(section.trust.readings.map(\.remedy) == [rest])
    }
  }

  @Test func `a topology with too few trials is named apart, however little it blocks`() throws {
    let all = cells("a", 10) + cells("b", 20) + cells("short", 1, trials: 2)
    let order = try long(all)[1]
    #expect(
      order == """
        Of the 2 ranked topologies, a blocks main least, 10.1 ms; then b (20.1 ms, 2.00 times as \
        long). short (1.01 ms) shares too few trials with others to be ranked.
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
        Why: on main, b and c refresh 1,826 objects; d writes 3,628 rows; e reads \
        1 row; a does none of this.
        """)
  }

  @Test func `the reason is the work that costs the core most`() throws {
    let read = cells("a", 30).with { $0.metrics["main_rows_read"] = 10_000 }
    let both = (read + cells("b", 10)).with { $0.metrics["main_rows_written"] = 200 }
    #expect(
      try Phrases.why(conclusion(both))
        == "Why: on main, b writes 200 rows; a reads 10,000 rows.")
  }

  @Test func `equal counts are not called the reason`() throws {
    func why(_ topologies: [String]) throws -> String? {
      try Phrases.why(
        conclusion(
          topologies.flatMap { cells($0, 10) }.with { $0.metrics["main_rows_read"] = 247 }))
    }
    #expect(
      try why(["a", "b"]) == "Main's costliest counted work is equal: a and b read 247 rows.")
    #expect(try why(["a"]) == "Why: on main, a reads 247 rows.")
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
    #expect(why.hasPrefix("Why: on main, \(first); t1 reads 1 row; "), "\(why)")
    #expect(why.hasSuffix("; \(rest) other work."), "\(why)")
  }

  @Test(arguments: [
    (2, "The screen hangs with a in 1 of 2 settings; b is among the best in 1"),
    (1, "No topology freezes the screen in 2 of 3 settings; a is among the best in 2"),
  ])
  func `a headline says nothing of freezes in a discarded setting`(
    discarded: Int, answer: String
  ) throws {
    let settings = [4.0, 300, 4].enumerated().map { index, gap in
      (cells("a", 10, gaps: [gap]) + cells("b", 20)).with {
        $0.parameters = "{\"x\":\(index)}"
        // Trials that spread by far more than 40 %.
        if index == discarded { $0.metrics["main_blocked_ms"] = Double($0.trial * $0.trial) }
      }
    }
    let conclusions = Summary(cells: settings.flatMap { $0 }).sections.map(\.conclusion)
    #expect(
      Phrases.short(conclusions)
        == "\(answer) of 3 settings; 1 of 3 settings is to be discarded")
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

  @Test(arguments: [
    ([4.0, 300], [4.0, 4], "b is among the best in 1 of 2 settings"),
    ([4, 4], [4, 4], "a and b are among the best in 1 of 2 settings each"),
    ([300, 300], [300, 4], "b is among the best in 1 of 2 settings"),
  ])
  func `of topologies that are as often the best, a headline names those that freeze least`(
    a: [Double], b: [Double], best: String
  ) throws {
    let settings = [0, 1].flatMap { index in
      // Each topology is the best of one setting.
      (cells("a", index == 0 ? 10 : 20, gaps: [a[index]])
        + cells("b", index == 0 ? 20 : 10, gaps: [b[index]]))
        .with { $0.parameters = "{\"x\":\(index)}" }
    }
    let title = Phrases.short(Summary(cells: settings).sections.map(\.conclusion))
    #expect(title.hasSuffix("; \(best)"), "\(title)")
  }

  @Test func `of many topologies that are as often the best, a headline names one`() throws {
    let settings = [0, 1].flatMap { index in
      (["a", "b", "c"].flatMap { cells($0, 10) } + cells("d", 40))
        .with { $0.parameters = "{\"x\":\(index)}" }
    }
    #expect(
      Phrases.short(Summary(cells: settings).sections.map(\.conclusion))
        == "No topology freezes the screen; a and 2 more are among the best in 2 of 2 settings each"
    )
  }
}
