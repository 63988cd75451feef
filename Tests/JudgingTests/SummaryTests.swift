import Judging
import Measurement
import MeasurementSamples
import Testing

@Suite struct SummaryTests {
  private func cells(_ topology: String, _ blocked: [Double]) -> [CellResult] {
    blocked.enumerated().map { .sample(topology, trial: $0 + 1, blocked: $1) }
  }

  private let six = [10.0, 11, 12, 13, 14, 15]

  private func section(
    _ cells: [CellResult], _ context: RunContext = RunContext()
  ) throws -> SummarySection {
    try #require(Summary(cells: cells, context: context).sections.first)
  }

  @Test func `topologies come best first, whatever their order in the file`() throws {
    let section = try section(cells("a", six.map { $0 * 3 }) + cells("b", six))
    #expect(section.topologies.map(\.name) == ["b", "a"])
    #expect(section.topologies.map(\.letters) == ["A", "B"])
    #expect(section.topologies[0].median(.mainBlocked) == 12.5)
    #expect(section.topologies[0].estimate(.mainBlocked)?.interval?.lower == 10)
    #expect(section.rounds == 6)
    #expect(section.trialsNeeded == 6)
  }

  @Test func `each scenario, set of parameters and store mode has its section`() {
    let swept = CellResult.sample("a") { $0.parameters = #"{"saves":1}"# }
    let empty = CellResult.sample("b") { $0.parameters = "{}" }
    let summary = Summary(cells: [
      .sample("a"), swept, empty, .sample("a", store: "serial"), .sample("a", scenario: "other"),
    ])
    #expect(summary.sections.map(\.parameters) == ["", #"{"saves":1}"#, "", ""])
    #expect(summary.sections.map(\.store) == ["pool", "pool", "serial", "pool"])
    #expect(summary.sections[0].topologies.count == 2)
  }

  @Test func `only ok cells enter statistics, the others are listed with their errors`() throws {
    var all = cells("a", six) + cells("b", six)
    for index in 0..<2 {
      all[index].status = .crashed
      all[index].error = "signal 11"
      all[index].metrics["main_blocked_ms"] = 9999
    }
    let dead = CellResult.sample("c", blocked: nil) { $0.status = .timeout }
    let section = try section(all + [dead])
    let a = try #require(section.topologies.first { $0.name == "a" })
    #expect(a.estimate(.mainBlocked)?.trials == 4)
    #expect(
      a.failures.map { "\($0.status) \($0.cells) \($0.error)" } == ["crashed 2 signal 11"])
    #expect(a.okCells == 4 && a.cells == 6)
    #expect(section.topologies.last?.name == "c")
    #expect(section.topologies.last?.letters == "")
    #expect(section.conclusion.doubts == [])
    #expect(section.trust.readings.map(\.what) == ["4 trials cannot show a spread"])
  }

  @Test func `the ratio to raw SQLite is that of the two medians beside it`() throws {
    let pairs = [(10.0, 5.0), (30, 25), (100, 10)]
    let cells = pairs.enumerated().map { index, pair in
      CellResult.sample(
        trial: index, metrics: ["total_ms": pair.0, "raw_sqlite_ms": pair.1])
    }
    #expect(try section(cells).topologies[0].ratioToRaw == 3)
  }

  @Test func `cells of two runs are paired within their run`() throws {
    var later = cells("a", six.map { $0 * 2 }) + cells("b", six.map { $0 * 4 })
    for index in later.indices { later[index].runID = "r2" }
    let section = try section(cells("a", six) + cells("b", six.map { $0 * 2 }) + later)
    #expect(section.rounds == 12)
    #expect(section.ranking.pairs[0].rounds == 12)
    #expect(abs((section.ranking.pairs[0].ratio ?? 0) - 2) < 1e-9)
  }

  @Test func `a steady run of a calm machine makes nothing doubtful`() throws {
    let steady = [10.0, 10.1, 10.2, 10.3, 10.4, 10.5]
    let section = try section(cells("a", steady) + cells("b", steady.map { $0 * 2 }))
    #expect(section.conclusion.doubts.isEmpty, "\(section.conclusion.doubts)")
  }

  @Test func `an incomplete section is told by its own planned cells`() {
    let cells = ["pool", "serial"].map { CellResult.sample(trial: 1, blocked: 5, store: $0) }
    var context = RunContext()
    for (cell, planned) in zip(cells, [1, 2]) {
      context.plannedCells[CellKey(cell).section] = planned
    }
    let ended = Summary(cells: cells, context: context).sections.map { section in
      section.conclusion.doubts.map(\.clause).filter { $0.hasPrefix("the run ended") }
    }
    #expect(ended == [[], ["the run ended after 1 of 2 cells"]])
  }

  @Test func `every reason to doubt an answer is found, with evidence and remedy`() throws {
    var all = [5.0, 20, 10, 40].enumerated().map { index, blocked in
      CellResult.sample(
        trial: index, blocked: blocked,
        metrics: [
          "sync_ms": 0.2, "main_gap_runqueue_ms": 2, "heartbeat_wake_p99_ms": 3, "total_ms": 1500,
          "main_statements": Double(index),
        ])
    }
    for index in all.indices { all[index].horizon = 1000 }
    all[0].fingerprint = "dead"
    all[1].hostID = "h2"
    var context = RunContext()
    context.isDebugBuild = true
    context.load = 3
    context.cores = 2
    context.plannedCells[CellKey(all[0]).section] = 8
    let diagnoses = try section(all, context).conclusion.doubts
    #expect(
      diagnoses.map(\.clause) == [
        "the ok cells did not do the same work: they end with 2 different sets of rows",
        "counts of main-only differ between trials for no known reason: main_statements",
        "the run ended after 4 of 8 cells",
        "main-only works beyond the horizon, which taps leave out (raise horizon_ms)",
        "this is a debug build (measure with a release build)",
        "cells of 2 machines are mixed (compare each machine's by themselves)",
        "this machine wakes a waiting thread late: 1 time in 100 by more than 3.00 ms",
      ])
    #expect(diagnoses.allSatisfy { $0.grade != .discard })
  }

  @Test func `cells that nothing ties to one machine are named, unless one run has them`() throws {
    func clauses(runs: [String], spread: Set<String> = []) throws -> [String] {
      var context = RunContext()
      context.spreadRuns = spread
      let cells = runs.enumerated().map { trial, run in
        CellResult.sample(trial: trial) { ($0.hostID, $0.runID) = ("", run) }
      }
      return try section(cells, context).conclusion.doubts.map(\.clause)
    }
    let clause =
      "cells are mixed that nothing ties to one machine (compare each machine's by themselves)"
    #expect(try !clauses(runs: ["r1", "r1"]).contains(clause))
    #expect(try clauses(runs: ["r1", "r2"]).contains(clause))
    #expect(try clauses(runs: ["r1", "r1"], spread: ["r1"]).contains(clause))
  }

  @Test func `several topologies beyond the horizon are one doubt`() throws {
    let late = (cells("a", six) + cells("b", six)).map { cell in
      var cell = cell
      (cell.horizon, cell.metrics["total_ms"]) = (1000, 1500)
      return cell
    }
    #expect(
      try section(late).conclusion.doubts.map(\.what)
        == ["all 2 topologies work beyond the horizon, which taps leave out"])
  }

  @Test func `late frames are whole, and left out where a gap passes a frame`() throws {
    let cells = six.enumerated().map { index, blocked in
      CellResult.sample(
        trial: index + 1, blocked: blocked,
        metrics: ["frames_late": Double(index % 2), "main_longest_gap_ms": 9])
    }
    let frozen = cells.map { cell in
      var cell = cell
      (cell.metrics["frames_late"], cell.metrics["main_longest_gap_ms"]) = (0, 25.4)
      return cell
    }
    #expect(try section(cells).topologies[0].lateFrames == 0)
    #expect(try section(frozen).topologies[0].lateFrames == nil)
  }

  @Test func `a count that a cell's own repeats disagree on is doubtful`() throws {
    let cell = CellResult.sample { $0.metrics[label: .unsteadyCounts] = "main_commits" }
    #expect(try section([cell]).conclusion.doubts.contains { $0.evidence == "main_commits" })
  }

  @Test func `another seed is other work, with its own fingerprint and counts`() throws {
    var all = cells("a", six)
    for index in 3..<6 {
      all[index].seed = 2
      all[index].fingerprint = "beef"
      all[index].metrics["main_commits"] = 5
    }
    #expect(try section(all).conclusion.doubts == [])
  }

  @Test func `the choices that decide follow the scenario and its parameters`() throws {
    let swept = CellResult.sample { $0.parameters = #"{"saves":1}"# }
    let other = CellResult.sample { $0.parameters = #"{"saves":2}"# }
    var context = RunContext()
    context.defaults[.init(scenario: "5000-cities")] = ["the user was idle"]
    context.defaults[.init(scenario: "5000-cities", parameters: swept.parameters)] = ["one save"]
    let sections = Summary(cells: [.sample(), swept, other], context: context).sections
    #expect(
      sections.map(\.defaults) == [["the user was idle"], ["one save"], ["the user was idle"]])
  }

  @Test func `the cause of the longest block is the most frequent one`() throws {
    var all = cells("a", [1, 2, 3])
    for (index, cause) in ["save", "merge", "merge"].enumerated() {
      all[index].metrics[label: .longestGapCause] = cause
    }
    #expect(try section(all).topologies[0].longestGapCause == "merge")
  }
}
