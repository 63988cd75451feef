import Judging
import Measurement
import Reports
import Testing

@Suite struct SentencesTests {
  private func section(
    _ cells: [CellResult], _ context: RunContext = RunContext()
  ) throws -> SummarySection {
    try #require(Summary(cells: cells, context: context).sections.first)
  }

  @Test func `separated topologies are in order, with their ratios`() throws {
    let cells =
      SampleSummaries.cells("slow", 30) + SampleSummaries.cells("fast", 10)
      + SampleSummaries.cells("close", 11)
    #expect(
      Sentences.conclusion(try section(cells)) == """
        fast kept the main queue blocked for the shortest time, 10.1 ms; then close (11.1 ms, 10 % \
        longer); then slow (30.2 ms, 3.00 times as long).
        """)
  }

  @Test func `topologies that cannot be separated share the first rank`() throws {
    let cells =
      SampleSummaries.cells("a", 10)
      + SampleSummaries.cells("b", 10.01, moods: SampleSummaries.moods.reversed())
    #expect(
      Sentences.conclusion(try section(cells)) == """
        These trials do not separate the topologies: a (10.1 ms) and b (10.1 ms) share the first \
        rank.
        """)
  }

  @Test func `winners that share their rank are named together`() throws {
    let cells =
      SampleSummaries.cells("a", 10) + SampleSummaries.cells("slow", 40)
      + SampleSummaries.cells("b", 10.01, moods: SampleSummaries.moods.reversed())
    #expect(
      Sentences.conclusion(try section(cells)) == """
        a (10.1 ms) and b (10.1 ms) kept the main queue blocked for the shortest time and cannot \
        be separated; then slow (40.2 ms).
        """)
  }

  @Test func `too few trials separate nothing, however large the difference`() throws {
    let cells =
      SampleSummaries.cells("a", 10, trials: 3)
      + SampleSummaries.cells("b", 100, trials: 3)
    let section = try section(cells)
    #expect(
      Sentences.conclusion(section) == """
        3 trials are too few to rank 2 topologies: 6 are needed (--trials 6). By medians alone: \
        a (10.0 ms) and b (100 ms).
        """)
    #expect(section.topologies.map(\.rank) == [nil, nil])
    #expect(
      Sentences.diagnoses(section).hasPrefix(
        """
        What makes this doubtful: 3 trials are too few for a 95 % interval and for a ranking of 2 \
        topologies: 6 are needed (--trials 6).
        """))
  }

  @Test func `separated ends of a chain are named`() throws {
    let moods = [0.9, 1.1, 1.2, 1.15, 0.95, 1.25, 1.3, 1.02]
    let flat = Array(repeating: 1.0, count: 8)
    let cells =
      SampleSummaries.cells("a", 10, moods: flat)
      + SampleSummaries.cells("b", 10, moods: moods)
      + SampleSummaries.cells("c", 12.2, moods: flat)
    #expect(
      Sentences.conclusion(try section(cells)).hasSuffix(
        "; separated despite a shared rank: c from a (22 % longer)."))
  }

  @Test func `one topology alone is stated, not ranked`() throws {
    #expect(
      Sentences.conclusion(try section(SampleSummaries.cells("main-only", 10))) == """
        main-only kept the main queue blocked for 10.1 ms (95 % interval 9.70–10.5 ms); there is \
        no other topology with an ok cell to compare it with.
        """)
  }

  @Test func `without an ok cell there is no conclusion`() throws {
    let cell = SampleSummaries.cell("a", trial: 1, blocked: 1)
    let section = try section([cell.with { $0.status = .wrong }])
    #expect(Sentences.conclusion(section) == "Nothing can be concluded: no cell ended ok.")
    #expect(Sentences.diagnoses(section).contains("1 cell of a ended with wrong rows, so left out"))
  }

  @Test func `a calm run has no doubts but a spread`() throws {
    let cells = SampleSummaries.cells("a", 10) + SampleSummaries.cells("b", 20)
    #expect(
      Sentences.diagnoses(try section(cells.with { $0.metrics["sync_ms"] = 4 })) == """
        Nothing that was measured makes this doubtful. Between trials, blocked time spreads by \
        1.7 % (half the interquartile range, median of the topologies).
        """)
  }

  @Test func `every answer states its limits`() {
    let text = Sentences.limits(SampleSummaries.four().sections)
    #expect(
      text.contains(
        """
        not validated against Core Data on a device; read orders and mechanisms, not seconds.
        """))
    #expect(text.hasSuffix("`topobench sensitivity` says at which prices an order turns."))
    #expect(
      text.contains("A sync took 0.210 ms; on a phone it takes milliseconds"))
    #expect(Sentences.limits([]).contains("was not measured"))
  }

  @Test func `a sync of milliseconds is not called faster than a phone's`() {
    let cells = SampleSummaries.cells("a", 10).with { $0.metrics["sync_ms"] = 2.21 }
    let text = Sentences.limits(Summary(cells: cells).sections)
    #expect(text.contains("A sync took 2.21 ms; on a phone it takes milliseconds too."), "\(text)")
  }

  @Test func `the work of a section without known counts is its trials`() throws {
    var cell = SampleSummaries.cell("a", trial: 1, blocked: 1)
    (cell.objects, cell.inserts, cell.updates, cell.deletes) = (nil, nil, nil, nil)
    cell.saves = nil
    cell.parameters = #"{"saves":1}"#
    let section = try section([cell])
    #expect(Sentences.work(section) == "1 trial")
    #expect(Sentences.title(section) == #"5000-cities, pool store, {"saves":1}"#)
    #expect(Sentences.defaults(section) == nil)
  }
}
