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

  @Test func `every answer states its limits`() {
    let text = Sentences.limits(SampleSummaries.four().sections)
    #expect(
      text.contains(
        """
        Not validated against Core Data on a device; read orders and mechanisms, not seconds.
        """))
    #expect(text.hasSuffix("scripts/lab sensitivity says at which prices an order turns."))
    #expect(
      text.contains("A sync took 0.210 ms here, and takes milliseconds on a phone: topologies"))
    #expect(Sentences.limits([]).contains("was not measured"))
  }

  @Test func `a sync of milliseconds is not called faster than a phone's`() {
    let cells = SampleSummaries.cells("a", 10).with { $0.metrics["sync_ms"] = 2.21 }
    let text = Sentences.limits(Summary(cells: cells).sections)
    #expect(
      text.contains("A sync took 2.21 ms here, and takes milliseconds on a phone too."), "\(text)")
  }

  private func costs(_ name: String, _ statements: Double?, _ wal: Double) -> [CellResult] {
    SampleSummaries.cells(name, 10).with {
      ($0.metrics["worker_statements"], $0.metrics["wal_mib"]) = (statements, wal)
    }
  }

  @Test func `many statements off main and a large WAL are named, if explained`() throws {
    let cells =
      costs("rows", 65_012, 152.4) + costs("batch", 26.5, 40) + costs("main", 0, 4)
      + costs("old", nil, 40.1) + costs("some", 261, 4)
    let text = """
      Off main, the workers of rows (65,012) run over 10 times as many SQL statements as those of \
      batch (26): that takes time and energy. The WAL grows over 40 MiB with rows (152 MiB) and \
      old (40.1 MiB): that space stays taken on disk until the store is closed.
      """
    #expect(try Phrases.background(section(cells)) == text)
    let summary = Summary(cells: cells)
    func answer(_ detail: Answer.Detail) throws -> String {
      try Answer.render(
        summary, as: .document(.markdown), style: TextStyle(width: nil), detail: detail)
    }
    #expect(try answer(.explained).contains("Off main") && !answer(.usual).contains("Off main"))
    #expect(ReportPage(SamplePages.side(cells, windows: false)).html.contains("Off main, the work"))
  }

  @Test func `workers that run at most 10 times as many statements are not named`() throws {
    #expect(try Phrases.background(section(costs("a", 10_000, 4) + costs("b", 1000, 4))) == nil)
    #expect(try Phrases.background(section(costs("a", 999, 4) + costs("b", 1, 4))) == nil)
    #expect(try Phrases.background(section(costs("a", 65_000, 4))) == nil)
  }

  @Test func `the work of a section without known counts is its trials`() throws {
    var cell = SampleSummaries.cell("a", trial: 1, blocked: 1)
    (cell.objects, cell.inserts, cell.updates, cell.deletes) = (nil, nil, nil, nil)
    cell.saves = nil
    cell.parameters = #"{"rows":2,"saves":1}"#
    let section = try section([cell])
    #expect(Sentences.work(section) == "1 trial")
    #expect(Sentences.title(section) == "5000-cities, pool store, rows 2, saves 1")
    #expect(Sentences.defaults(section) == nil)
  }
}
