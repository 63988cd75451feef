import Foundation
import Measurement
import Testing

@Suite("The judge is judged")
struct JudgeTheJudgeTests {
  private let command: CommandRun

  init() throws { command = try CommandRun() }

  /// Writes a pool of which nothing was measured: pairs that scatter by about 5 %.
  private func writePool(pairs: Int) throws {
    var state: UInt64 = 11
    var rows = ""
    for order in 1...(2 * pairs) {
      var cell = CellResult(
        runID: "pool", startedAt: "t\(order)", scenario: "s", topology: "main-only", store: "pool",
        trial: (order + 1) / 2, order: order, seed: 1, status: .ok)
      cell.hostID = "here"
      cell.scenarioDigest = "digest"
      cell.fingerprint = "same"
      cell.metrics["main_blocked_ms"] = 20 * (0.92 + 0.16 * uniform(&state))
      for count in Metrics.exactCounts { cell.metrics[count] = 7 }
      rows += CellCSV.row(cell)
    }
    try command.write(CellCSV.header + rows, to: "pool.csv")
  }

  /// Knuth's linear congruential generator; from 0 to 1.
  private func uniform(_ state: inout UInt64) -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(state >> 33) / Double(UInt64(1) << 31)
  }

  /// Fails, inconclusives and passes, by the row's first words.
  private func rates(_ text: String, _ name: String) throws -> [Int] {
    let row = try #require(
      text.split(separator: "\n").first { $0.hasPrefix("| \(name)") }, "\(text)")
    let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(cells[1] == "20")
    return try cells[2...].map { try #require(Int($0.prefix { $0.isNumber })) }
  }

  @Test func `what is the same mostly passes, and what is twice as slow is found`() throws {
    try writePool(pairs: 80)
    let outcome = try command.run(
      "draw", "pool.csv", "--draws", "20", "--slower", "2", command: "judge-the-judge")
    try #require(outcome.status == 0, "\(outcome.errors)")
    for kind in ["duet", "gate, 20 trials", "gate, taken apart"] {
      let same = try rates(outcome.output, "\(kind): nothing differs")
      #expect(same.reduce(0, +) == 20)
      #expect(same[0] <= 1 && same[2] >= 12, "\(kind): \(same)")
      #expect(try rates(outcome.output, "\(kind): times × 2") == [20, 0, 0])
    }
  }

  @Test func `a pool that is too small for a duet is refused`() throws {
    try writePool(pairs: 30)
    let outcome = try command.run("draw", "pool.csv", command: "judge-the-judge")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("has 30 pairs of a topology, and 80 are needed"))
  }

  @Test func `real duets are counted by kind`() throws {
    for (name, status) in [("1", "0"), ("2", "0"), ("3", "2"), ("4", "4")] {
      try command.write("\(status)\n", to: name)
    }
    let outcome = try command.run("tally", "1", "2", "3", "4", command: "judge-the-judge")
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("| 4 | 1 (25.00; 0.63–80.59 %) | 1 (25.00; "))
    try command.write("5\n", to: "5")
    #expect(try command.run("tally", "5", command: "judge-the-judge").status == 1)
  }
}
