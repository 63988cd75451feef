import Judging
import Measurement
import Reports
import Testing

extension PhrasesTests {
  @Test func `freezes come first, the worst limit before the others`() throws {
    let cells =
      cells("hang", 90, gaps: [300]) + cells("slow", 80, gaps: [120])
      + cells("late", 5, gaps: [20, 20, 20, 260]) + cells("good", 40)
    #expect(
      try long(cells)[0] == """
        The screen hangs (a gap over 250 ms) with hang (300 ms, 8 of 8 trials). The screen freezes \
        noticeably (a gap over 100 ms) with slow (120 ms, 8 of 8 trials). The screen freezes for \
        more than a frame (a gap over 16.7 ms) with late (20.0 ms, 8 of 8 trials). In fewer than \
        half of the trials, the screen hangs (over 250 ms) with late (2 of 8 trials, up to 260 ms).
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
        to 100.2 ms).
        """)
    #expect(try short(cells).hasPrefix("The screen hangs with c (250.4 ms); "))
    let summary = Summary(cells: cells)
    let text = AnswerTextTests.text(summary, style: TextStyle(width: 100))
    for gap in [" 16.72 ", " 16.69 ", " 250.4 "] { #expect(text.contains(gap), "\(text)") }
  }

  @Test func `freezes are judged by gaps, not by busy periods`() throws {
    let cells = cells("a", 10, gaps: [158]).with { $0.metrics["main_longest_busy_ms"] = 412 }
    #expect(
      try long(cells)[0].hasPrefix("The screen freezes noticeably (a gap over 100 ms) with a (158"))
    #expect(!(try long(cells) + [try short(cells)]).joined().contains("hangs"))
  }

  @Test func `what freezes is never called best where another stays within a frame`() throws {
    let cells = cells("late", 5, gaps: [20]) + cells("good", 40) + cells("other", 60)
    #expect(
      try short(cells)
        == "The screen freezes for more than a frame with late (20.0 ms); of the 2 topologies "
        + "within a frame, good blocks main least, 40.2 ms")
  }

  @Test func `topologies within a frame are named once, with the limit`() throws {
    let frozen = cells("hang", 90, gaps: [300])
    let two = frozen + cells("good", 40) + cells("other", 80)
    #expect(
      try long(two) == [
        "The screen hangs (a gap over 250 ms) with hang (300 ms, 8 of 8 trials).",
        "Of the 2 topologies within a frame (16.7 ms), good blocks main least, 40.2 ms; then other "
          + "(80.4 ms, 2.00 times as long).",
      ])
    #expect(
      try long(frozen + cells("good", 40))[1]
        == "Only good stays within a frame (16.7 ms), blocked for 40.2 ms.")
    let backwards = Array(SampleSummaries.moods.reversed())
    let tied = frozen + cells("good", 40) + cells("same", 40, moods: backwards)
    #expect(
      try long(tied)[1].hasPrefix(
        "The trials do not separate the 2 topologies within a frame (16.7 ms) in blocked time: "))
    // Without a ranking, nothing else names them.
    let few = cells("hang", 90, gaps: [300], trials: 3) + cells("good", 40, trials: 3)
    #expect(try long(few)[0].hasSuffix(" Within a frame (16.7 ms) in every trial: good (4.00 ms)."))
  }

  @Test func `topologies within a frame are called ranked where others are within one too`() throws
  {
    let some = cells("late", 5, gaps: [20]) + cells("good", 40) + cells("few", 1, trials: 2)
    let only = "f the ranked topologies, only good stays within a frame, blocked for 40.2 ms"
    #expect(try long(some)[1].hasPrefix("O\(only). late "))
    #expect(try short(some).hasSuffix("; o\(only)"))
    // A topology without blocked time has no rank either.
    let all = some + cells("other", 60) + cells("x", 1).with { $0.metrics[.mainBlocked] = nil }
    #expect(try long(all)[1].hasPrefix("Of the 2 ranked topologies within a frame, good blocks"))
  }

  @Test func `a topology of which no trial shows whether it freezes is named beside the best`()
    throws
  {
    let hidden = cells("a", 1, gaps: [30]).with { $0.metrics[label: .longestGapCause] = "harness" }
    let others = cells("b", 10) + cells("c", 20, gaps: [300])
    let text = try long(hidden + others)[1]
    #expect(
      text.contains(
        " No trial shows whether a (1.00 ms) freezes the screen, so it is not called best."),
      "\(text)")
    // Where nothing freezes, it may be best.
    let smooth = try long(hidden + cells("b", 10))[1]
    #expect(smooth.hasPrefix("a blocks main least") && !smooth.contains("No trial"), "\(smooth)")
  }

  @Test func `nothing is best if all that are ranked freeze, and another topology does not`() throws
  {
    let frozen = cells("a", 10, gaps: [20]) + cells("b", 30, gaps: [30])
    let all = frozen + cells("few", 1, trials: 2)
    let text = "No topology is best: a (10.1 ms) and b (30.2 ms) freeze the screen, and"
    #expect(
      try long(all)[1]
        == "\(text) few does not. few (1.01 ms) shares too few trials with others to be ranked.")
    #expect(
      try short(all)
        == "The screen freezes for more than a frame with b and a (up to 30.0 ms); no topology is "
        + "best")
    let unmeasured = cells("x", 1).with { $0.metrics[.mainBlocked] = nil }
    #expect(try long(frozen + unmeasured)[1] == "\(text) x does not.")
    let swept = Summary(
      cells: [1, 2].flatMap { value in all.with { $0.parameters = "{\"x\":\(value)}" } })
    #expect(
      Phrases.short(swept.sections.map(\.conclusion))
        == "The screen freezes for more than a frame with b and a in 2 of 2 settings; no topology "
        + "is best in 2 settings")
    #expect(swept.sweeps.map { Phrases.short($0) } == ["x: no topology is best at any value"])
  }

  @Test func `a freeze of half of the trials shows the trials, not a median within the limit`()
    throws
  {
    // The median of 16.699 and 16.701 is 16.7, but not as the sum of two binary fractions.
    let even = cells("a", 10, gaps: [16.699, 16.701]) + cells("b", 20)
    #expect(try long(even)[0].contains("with a (4 of 8 trials, up to 16.701 ms)."))
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
    // Beside a freeze, no trial that hides a's gaps counts as one within a frame.
    let some = cells("a", 10, gaps: [30]).with {
      if $0.trial == 1 {
        $0.metrics[label: .longestGapCause] = "harness"
      } else {
        $0.metrics["main_longest_gap_ms"] = 4
      }
    }
    let froze = try long(some + cells("b", 20, gaps: [300]))[0]
    #expect(
      froze.contains("Within a frame (16.7 ms) in every trial, as far as seen: a (4.00 ms). In at"),
      "\(froze)")
  }
}
