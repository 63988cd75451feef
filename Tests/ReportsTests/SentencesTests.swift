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
    #expect(text.hasSuffix("`scripts/lab sensitivity` says at which prices an order turns."))
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

  @Test func `the work of a section without known counts is its trials`() throws {
    var cell = SampleSummaries.cell("a", trial: 1, blocked: 1)
    (cell.objects, cell.inserts, cell.updates, cell.deletes) = (nil, nil, nil, nil)
    cell.saves = nil
    cell.parameters = #"{"rows":2,"saves":1}"#
    let section = try section([cell])
    #expect(Sentences.work(section) == "1 trial")
    #expect(Sentences.title(section) == #"5000-cities, pool store, {"rows":2, "saves":1}"#)
    #expect(Sentences.defaults(section) == nil)
  }
}
