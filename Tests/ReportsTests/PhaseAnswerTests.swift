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

  /// Two trials each. In the changes, the order is the opposite.
  private static func counted(asking question: Question) -> [CellResult] {
    [("slow", 300.0, 20.0), ("quick", 100, 40)].flatMap { name, asked, changes in
      SampleSummaries.cells(name, 1, trials: 2).with {
        $0.metrics = MetricValues()
        $0.isCounted = true
        $0.metrics[label: .asksAbout] = question.phase.rawValue
        $0.metrics[.mainInstructions] = changes
        $0.metrics[.workerInstructions] = 50
        $0.metrics[.mainStatements] = 7
        $0.metrics[question.instructions] = asked
        $0.metrics[question.statements] = 3
      }
    }
  }

  @Test(arguments: [
    (Question.open, "While the list opens"),
    (Question.scroll, "While the user scrolls through the list"),
  ])
  func `a counted answer about a phase shows the figures of that phase`(
    question: Question, lead: String
  ) throws {
    let text = try Answer.render(
      Summary(cells: Self.counted(asking: question)), as: .document(.markdown),
      style: TextStyle())
    let table = """
      | topology | main instructions | statements |
      | :--- | ---: | ---: |
      | quick | 100 | 3 |
      | slow | 300 | 3 |

      <sub>main: instructions in main's database work \(lead.lowercased()). Other columns: exact \
      counts on main.</sub>
      """
    #expect(text.contains(table), "\(text)")
    #expect(text.contains("\(lead), quick needs the fewest instructions on main, 100. "))
  }

  @Test(arguments: Question.all)
  func `the rows of a page hold the instructions of the phase asked about`(
    question: Question
  ) throws {
    let side = SamplePages.side(Self.counted(asking: question), windows: false)
    let rows = try #require(try ParsedPage.of(ReportPage(side).html).named("s1-rows"))
    let heading = try #require(rows.text.split(separator: "\n").first)
    #expect(heading.split(separator: ",").contains { $0 == question.instructions.name })
  }

  @Test(arguments: Question.all)
  func `each table of a counted page has a caption`(question: Question) throws {
    let side = SamplePages.side(Self.counted(asking: question), windows: false)
    let tables = try ParsedPage.of(ReportPage(side).html).all("table")
    #expect(!tables.isEmpty && tables.allSatisfy { $0.all("caption").count == 1 })
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
