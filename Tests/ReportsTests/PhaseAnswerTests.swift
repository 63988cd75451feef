import Judging
import Measurement
import Reports
import Testing

// Blocked times in ms. The order in the phase asked about is the opposite of that of the changes:
//
//   quick   10 while the list opens, or in the scroll    40 while changes arrive, which hang
//   slow    30                                           20

@Suite struct PhaseAnswerTests {
  private static func cells(asking question: Question) -> [CellResult] {
    [("quick", 10.0, 40.0), ("slow", 30, 20)].flatMap { name, asked, changes in
      SampleSummaries.cells(name, changes).with {
        $0.metrics[.mainLongestGap] = 300
        $0.metrics[question.blocked] = asked * SampleSummaries.moods[$0.trial - 1]
        $0.metrics[question.gap] = asked / 10
        $0.metrics[label: .asksAbout] = question.phase.rawValue
      }
    }
  }

  @Test(arguments: [
    (Question.open, "While the list opens"),
    (Question.scroll, "While the user scrolls through the list"),
  ])
  func `an answer about a phase is ranked and worded by that phase`(
    question: Question, lead: String
  ) throws {
    let section = try #require(Summary(cells: Self.cells(asking: question)).sections.first)
    #expect(section.topologies.map(\.name) == ["quick", "slow"])
    #expect(section.topologies.map(\.letters) == ["A", "B"])
    #expect(
      Phrases.long(section.conclusion) == [
        "\(lead), no topology freezes the screen: no trial has a gap over a frame (16.7 ms). The "
          + "longest of all is 3.00 ms (slow).",
        "quick blocks main least, 10.1 ms; then slow (30.2 ms, 3.00 times as long). While changes "
          + "arrive, 16 of 16 cells have a gap over a frame, up to 300 ms (quick).",
      ])
    #expect(
      Phrases.short(section.conclusion)
        == "\(lead), no topology freezes the screen; quick blocks main least, 10.1 ms (others up to "
        + "30.2 ms)")
  }

  private static func changes(opening: Double) -> [CellResult] {
    (SampleSummaries.cells("a", 10) + SampleSummaries.cells("b", 20)).with {
      $0.metrics[.openLongestGap] = $0.topology == "b" ? opening : 12
    }
  }

  private static func conclusion(_ cells: [CellResult]) throws -> Conclusion {
    try #require(Summary(cells: cells).sections.first).conclusion
  }

  @Test func `an answer about changes names its phase if a list opens with a freeze`() throws {
    let conclusion = try Self.conclusion(Self.changes(opening: 3756.8))
    #expect(
      Phrases.long(conclusion) == [
        "While changes arrive, no topology freezes the screen: no trial has a gap over a frame "
          + "(16.7 ms). The longest of all is 5.25 ms (b).",
        "a blocks main least, 10.1 ms; then b (20.1 ms, 2.00 times as long). While the list opens, "
          + "8 of 16 cells have a gap over a frame, up to 3,760 ms (b).",
      ])
    #expect(
      Phrases.short(conclusion)
        == "While changes arrive, no topology freezes the screen; a blocks main least, 10.1 ms "
        + "(others up to 20.1 ms)")
    let smooth = try Self.conclusion(Self.changes(opening: 16.7))
    #expect(Phrases.short(smooth).hasPrefix("No topology freezes the screen; "))
  }

  @Test func `a headline of several settings names the phase if one of them needs it`() throws {
    let smooth = try Self.conclusion(Self.changes(opening: 5))
    let opening = try Self.conclusion(Self.changes(opening: 90))
    let asked = try Self.conclusion(Self.cells(asking: .open))
    let rest = "no topology freezes the screen; "
    #expect(Phrases.short([smooth, smooth]).hasPrefix("No topology freezes the screen; "))
    #expect(Phrases.short([smooth, opening]).hasPrefix("While changes arrive, \(rest)"))
    #expect(Phrases.short([smooth, asked]).hasPrefix("In the phases asked about, \(rest)"))
  }

  @Test func `an answer about changes has the opposite order, and says that the screen hangs`()
    throws
  {
    let cells = Self.cells(asking: .open).with {
      $0.metrics[label: .asksAbout] = Question.change.phase.rawValue
    }
    let section = try #require(Summary(cells: cells).sections.first)
    #expect(section.topologies.map(\.name) == ["slow", "quick"])
    #expect(Phrases.short(section.conclusion).hasPrefix("The screen hangs with all 2 topologies"))
  }
}
