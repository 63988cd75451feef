import Foundation
import Testing

@Suite struct PeakMemoryTests {
  /// The kernel starts a process's peak memory at its parent's value.
  @Test func `a cell's peak memory is its own, not its parent's`() throws {
    let command = CommandRun()
    let specification = try command.run(
      "plan", "--scenario", "5000-cities", "--topology", "main-only", "--trials", "1",
      "--set", "data.rows=150", "--set", "repeat_for_ms=1")
    try command.write(specification.output, to: "cell.json")
    let mebibytes = 768
    var ballast = [UInt8](repeating: 1, count: mebibytes << 20)
    let process = command.process(["cell"])
    process.standardInput = try FileHandle(
      forReadingFrom: command.folder.appendingPathComponent("cell.json"))
    let document = try command.finish(process).json()
    ballast[0] = ballast[mebibytes]
    let result = try #require(document["result"] as? [String: Any])
    let metrics = try #require(result["metrics"] as? [String: Any])
    let peak = try #require(metrics["peak_rss_mib"] as? Double)
    #expect(peak > 1 && peak < Double(mebibytes))
  }

  /// 160 MB are made before the list shows ten of the rows.
  @Test func `large values that are made for a cell are no part of its peak memory`() throws {
    let command = CommandRun()
    try command.write(
      """
      asks: What does a photo cost?
      asks_about: open
      entity: { name: Photo, key: number, attributes: { number: int64, image: data } }
      model: { Photo: { attributes: { image: { type: data, bytes: 2000000 } } } }
      generate: { rows: 80, inserts: 1 }
      list: { limit: 10, visible_rows: 5 }
      repeat_for_ms: 0
      """, to: "photos.yaml")
    try command.run(
      "--scenario", "./photos.yaml", "--topology", "container", "--trials", "1", "--output",
      "a.csv", expecting: 0)
    let report = try String(contentsOf: command.folder.appending(path: "a.csv"), encoding: .utf8)
    let rows = report.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    let column = try #require(rows[0].firstIndex(of: "peak_rss_mib"))
    let peak = try #require(Double(rows[1][column]))
    #expect(peak > 20 && peak < 130)
  }
}
