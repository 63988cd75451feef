import Foundation
import Judging
import Measurement
import Testing

@Suite("Error rates of the judge")
struct JudgeTheJudgeTests {
  private let command = CommandRun()

  /// Pairs scatter by about 5 %, and candidates are slower by a factor.
  private func writePool(
    pairs: Int, to name: String = "pool.csv", slower: Double = 1, seed: UInt64 = 11
  ) throws {
    var state = seed
    var rows = ""
    for order in 1...(2 * pairs) {
      var cell = CellResult.sample("pool", trial: (order + 1) / 2)
      (cell.order, cell.startedAt, cell.fingerprint) = (order, "t\(order)", "same")
      // One of two pairs begins with the candidate.
      let side: Side = [.baseline, .baseline, .candidate, .candidate][order % 4]
      cell.duet = DuetMark(pair: cell.trial, side: side, phase: .first)
      cell.metrics["main_blocked_ms"] =
        20 * (0.92 + 0.16 * uniform(&state)) * (side == .candidate ? slower : 1)
      for count in Metrics.exactCounts { cell.metrics[count] = 7 }
      rows += CellCSV.row(cell)
    }
    try command.write(CellCSV.header + rows, to: name)
  }

  @discardableResult
  private func judge(
    _ arguments: String..., expecting status: Int32, saying words: String? = nil
  ) throws -> CommandRun.Outcome {
    try command.run(
      ["judge"] + arguments, command: "topobench-lab", expecting: status, saying: words)
  }

  /// Knuth's linear congruential generator, scaled to 0...1.
  private func uniform(_ state: inout UInt64) -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(state >> 33) / Double(UInt64(1) << 31)
  }

  /// Fails, inconclusives and passes in the row that begins with `name`.
  private func rates(_ text: String, _ name: String) throws -> [Int] {
    let row = try #require(
      text.split(separator: "\n").first { $0.hasPrefix("| \(name)") }, "\(text)")
    let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(cells[1] == "20")
    return try cells[2...4].map { try #require(Int($0.prefix { $0.isNumber })) }
  }

  @Test func `equal pairs mostly pass, and pairs that are twice as slow fail`() throws {
    try writePool(pairs: 100)
    let outcome = try judge(
      "draw", "pool.csv", "--draws", "20", "--slower", "2", "--most-pairs", "40", expecting: 0)
    for kind in ["duet", "gate, 20 trials", "gate, 20 trials, taken apart"] {
      let same = try rates(outcome.output, "\(kind): nothing differs")
      #expect(same.reduce(0, +) == 20)
      #expect(same[0] <= 1 && same[2] >= 12, "\(kind): \(same)")
    }
    for kind in ["duet", "gate, 20 trials"] {
      #expect(try rates(outcome.output, "\(kind): main-only × 2") == [20, 0, 0])
    }
    // Fourteen pairs and 21 fresh ones, or a few more: a duet finds 10 % with no fewer.
    let row = /main-only × 2 .* 35, 3[5-9] \| ([0-9]+) \(.*; ([0-9]+) \|/
    let promised = try #require(outcome.output.firstMatch(of: row))
    #expect(try #require(Int(promised.1)) >= 10)
    #expect(try #require(Int(promised.2)) >= 35)
  }

  @Test func `rankings of equal topologies rarely separate any`() throws {
    try writePool(pairs: 80)
    let outcome = try judge("rank", "pool.csv", "--draws", "50", expecting: 0)
    for kind in ["2 | 6", "4 | 6", "7 | 6", "13 | 7", "20 | 8", "4 | 16"] {
      #expect(outcome.output.contains("| \(kind) | 50 |"), "\(outcome.output)")
    }
    try writePool(pairs: 79)
    try judge("rank", "pool.csv", expecting: 1, saying: "79 pairs of a topology, and 80 are needed")
  }

  @Test func `slowed pairs replace those of their topology, and are found`() throws {
    try writePool(pairs: 100)
    for (name, factor) in [("main-only +20 %", 1.2), ("main-only +1 %", 1.01)] {
      try command.makeFolder(name)
      try writePool(pairs: 100, to: "\(name)/1.csv", slower: factor, seed: 29)
    }
    let outcome = try judge(
      "draw", "pool.csv", "--draws", "20", "--most-pairs", "40", "--slowed",
      "main-only +20 %/1.csv", "main-only +1 %/1.csv", expecting: 0)
    for kind in ["duet", "gate, 20 trials"] {
      let found = try rates(outcome.output, "\(kind): main-only +20 %, +")
      #expect(found == [20, 0, 0], "\(kind): \(found)")
    }
    #expect(try rates(outcome.output, "duet: main-only +1 %")[0] <= 1)
    #expect(outcome.output.contains("main-only +20 %, +19.9 % measured"))
    #expect(outcome.output.contains(" 100 pairs)"))
  }

  @Test func `too few slowed pairs are refused`() throws {
    try writePool(pairs: 100)
    try writePool(pairs: 99, to: "slowed.csv", slower: 1.2, seed: 29)
    try judge(
      "draw", "pool.csv", "--most-pairs", "40", "--slowed", "slowed.csv", expecting: 1,
      saying: "99 pairs of a topology, and 100 are needed")
  }

  @Test func `pairs of different work are refused`() throws {
    try writePool(pairs: 200)
    let text = try command.text("pool.csv")
    let place = try #require(text.range(of: ",same,"))
    try command.write(text.replacingCharacters(in: place, with: ",other,"), to: "pool.csv")
    try judge(
      "draw", "pool.csv", expecting: 1,
      saying: "2 different works stand in the pool of main-only")
  }

  @Test func `slowdowns exist only in builds with the trait Slowdown`() throws {
    let program = try Data(contentsOf: CommandRun.executable("topobench"))
    #expect(program.range(of: Data("TOPOBENCH_CONCURRENCY_DEBUG".utf8)) != nil)
    #expect(program.range(of: Data("TOPOBENCH_SLOWDOWN".utf8)) == nil)
    // Builds with the trait stop at this argument.
    let process = command.process(
      CommandRun.small(), environment: ["TOPOBENCH_SLOWDOWN": "nothing that it could mean"])
    #expect(try command.finish(process).status == 0)
    #expect(try command.cells("a.csv").map(\.status) == [.ok])
  }

  @Test func `a slowdown affects merges or saves, and is calibrated on one topology`() throws {
    for (arguments, words) in [
      (["--path", "fetch"], "--path: 'fetch'"),
      (["--path", "save", "--topology", "parent-child"], "one --topology"),
    ] {
      try command.run(
        ["judge", "calibrate", "--binary", "a", "--scenario", "b", "--topology", "main-only"]
          + arguments,
        command: "topobench-lab", expecting: 64, saying: words)
    }
  }

  @Test func `a pool that is too small for a duet is refused`() throws {
    try writePool(pairs: 30)
    try judge(
      "draw", "pool.csv", expecting: 1, saying: "has 30 pairs of a topology, and 200 are needed")
  }

  @Test func `real duets are counted by kind`() throws {
    for (name, status) in [("1", "0"), ("2", "0"), ("3", "2"), ("4", "4")] {
      try command.write("\(status)\n", to: name)
    }
    let outcome = try judge("tally", "1", "2", "3", "4", expecting: 0)
    #expect(outcome.output.contains("| 4 | 1 (25.00; 0.63–80.59 %) | 1 (25.00; "))
    try command.write("5\n", to: "5")
    try judge("tally", "5", expecting: 1)
  }
}
