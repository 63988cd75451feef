import Measurement
import Testing

extension GateTests {
  @Test func `advising times of a slower machine are not called worse`() throws {
    func measured(_ run: String, load: Double) -> [CellResult] {
      cells(run) {
        $0.metrics["raw_sqlite_ms"] = 12 * load
        $0.metrics["main_blocked_ms"]? *= load
      }
    }
    let shown = try gate(
      measured("new", load: 1.99), baseline: measured("old", load: 1), expecting: 0)
    let words = shown.output.words
    let end = "Times advise only, and are not judged: the machine's speed changed."
    #expect(words.hasSuffix("Pass: none of 2 gated figures is worse. \(end)"), "\(words)")
    #expect(words.contains("SQLite alone took 1.99 times as long"))
    #expect(!words.contains("over all trials"), "\(words)")
  }
}
