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
}
