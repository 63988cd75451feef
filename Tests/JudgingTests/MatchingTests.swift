import Judging
import Measurement
import MeasurementSamples
import Testing

@Suite struct MatchingTests {
  private func cell(
    _ topology: String, scenario: String = "5000-cities", digest: String = "d1",
    parameters: String = "", store: String = "pool", host: String = "h1", run: String = "r1",
    trial: Int = 1, blocked: Double = 10
  ) -> CellResult {
    .sample(topology, trial: trial, blocked: blocked, scenario: scenario, store: store) {
      ($0.scenarioDigest, $0.parameters) = (digest, parameters)
      ($0.hostID, $0.runID) = (host, run)
    }
  }

  private func match(_ baseline: [CellResult], _ candidate: [CellResult]) -> Matching {
    Matching(baseline: SideCells(baseline), candidate: SideCells(candidate))
  }

  @Test func `cells match by scenario, digest, parameters, topology and store`() {
    let one = cell("a")
    #expect(match([one], [one]).matches.map(\.key) == [CellKey(one)])
    let others = [
      cell("b"), cell("a", scenario: "import"), cell("a", digest: "d2"),
      cell("a", parameters: #"{"n":1}"#), cell("a", store: "serial"),
    ]
    for other in others {
      let matching = match([one], [other])
      #expect(matching.matches.isEmpty)
      #expect(matching.baselineOnly.map(\.key) == [CellKey(one)])
      #expect(matching.candidateOnly.map(\.key) == [CellKey(other)])
    }
    #expect(match([one], [cell("a", parameters: "{}")]).matches.count == 1)
  }

  @Test func `several files on a side are one side`() {
    let matching = match(
      [cell("a", run: "r1", blocked: 1), cell("b"), cell("a", run: "r2", blocked: 2)],
      [cell("a", blocked: 3)])
    #expect(matching.matches.first?.baseline.values(.mainBlocked) == [1, 2])
    #expect(matching.matches.first?.candidate.values(.mainBlocked) == [3])
    #expect(matching.baselineOnly.map(\.key.topology) == ["b"])
  }

  @Test func `another version of a scenario is named, and not compared`() throws {
    let matching = match(
      [cell("a"), cell("a", scenario: "import")],
      [cell("a", digest: "d2"), cell("a", scenario: "import")])
    #expect(matching.matches.map(\.key.scenario) == ["import"])
    let other = try #require(matching.otherDigests.first)
    #expect(other.setting.scenario == "5000-cities")
    #expect(other.baseline == ["d1"] && other.candidate == ["d2"])
    #expect(matching.baselineOnly.map(\.isOtherDigest) == [true])
    // A sweep has a digest for each value. A missing one is no other version.
    let sweep = match(
      [cell("a", parameters: "1"), cell("a", digest: "d2", parameters: "2")],
      [cell("a", parameters: "1")])
    #expect(sweep.otherDigests == [])
    #expect(sweep.baselineOnly.map(\.isOtherDigest) == [false])
  }

  @Test func `versions are compared by topology, not by side`() {
    let both = [cell("a"), cell("a", digest: "d2")]
    let matching = match(both + [cell("b")], both + [cell("b", digest: "d2")])
    #expect(matching.otherDigests.map(\.baseline) == [["d1"]])
    #expect(matching.otherDigests.map(\.candidate) == [["d2"]])
    #expect(match(both, both).otherDigests == [])
  }

  @Test func `only cells that ended ok have values, the others are counted with their first error`()
  {
    var failed = [cell("a", blocked: 99), cell("a", blocked: 99), cell("a", blocked: 99)]
    for index in failed.indices { failed[index].trial = index + 2 }
    failed[0].status = .crashed
    failed[0].error = "signal 11"
    failed[1].status = .crashed
    failed[1].error = "signal 6"
    failed[2].status = .suspect
    let side = SideCells([cell("a", blocked: 1)] + failed)
    let group = side.groups[0]
    #expect(group.values(.mainBlocked) == [1])
    #expect(group.okCells == 1 && group.cells == 4 && side.okCells == 1 && side.cells == 4)
    #expect(group.failures.map(\.status) == [.crashed, .suspect])
    #expect(group.failures[0].cells == 2 && group.failures[0].error == "signal 11")
  }

  @Test func `a metric that a cell did not measure is not zero`() {
    var empty = cell("a", trial: 2)
    empty.metrics["main_blocked_ms"] = nil
    let group = SideCells([cell("a", blocked: 0), empty, cell("a", trial: 3, blocked: 5)]).groups[0]
    #expect(group.values(.mainBlocked) == [0, 5])
    #expect(group.values(.total) == [])
    #expect(group.valuesByRound(.mainBlocked).values.sorted() == [0, 5])
  }

  @Test func `rounds of one session are pairs, in the baseline's order`() {
    let baseline = [(3, 30.0), (1, 10), (2, 20)].map { cell("a", trial: $0, blocked: $1) }
    let candidate =
      [(1, 11.0), (3, 33), (4, 44)].map { cell("a", trial: $0, blocked: $1) }
      + [cell("a", run: "r2", trial: 2, blocked: 22)]
    let pairs = match(baseline, candidate).matches[0].pairs(.mainBlocked)
    #expect(pairs.map(\.baseline) == [30, 10])
    #expect(pairs.map(\.candidate) == [33, 11])
  }

  @Test func `only cells that say so are pairs`() {
    func marked(_ pair: Int, _ side: Side) -> CellResult {
      var result = cell("a", trial: 1, blocked: Double(pair))
      result.order = pair
      result.duet = DuetMark(pair: pair, side: side, phase: .first)
      return result
    }
    let baseline = [marked(1, .baseline), marked(2, .baseline)]
    let paired = match(baseline, [marked(2, .candidate), marked(1, .candidate)])
    #expect(paired.pairing == .paired)
    #expect(paired.matches[0].pairs(.mainBlocked).map(\.candidate) == [1, 2])
    #expect(match([cell("a")], [cell("a")]).pairing == .unpaired)
    #expect(match(baseline, [marked(1, .candidate), cell("a", trial: 2)]).pairing == .unpaired)
    #expect(match([], []).pairing == .unpaired)
    var failed = cell("a")
    failed.status = .crashed
    #expect(match([failed], [failed]).pairing == .unpaired)
  }

  @Test func `a repeated row counts once`() throws {
    var again = cell("a", blocked: 2)
    again.startedAt = "2026-01-02T03:05:00Z"
    let side = SideCells([cell("a", blocked: 1), cell("b"), cell("a", blocked: 1), again])
    #expect(side.cells == 3 && side.repeatedRows == 1)
    #expect(side.groups[0].values(.mainBlocked) == [1, 2])
    let found = try #require(side.contradiction)
    #expect(found.cell.hasPrefix("a, trial 1 of 5000-cities, pool store"))
    #expect(found.metrics == [.mainBlocked])
    var crashed = cell("a", blocked: 1)
    crashed.status = .crashed
    #expect(SideCells([cell("a", blocked: 1), crashed]).contradiction != nil)
    #expect(SideCells([cell("a", blocked: 1), cell("a", blocked: 1)]).contradiction == nil)
    #expect(SideCells([cell("a", trial: 1), cell("a", trial: 2)]).contradiction == nil)
  }

  @Test func `machines are distinguished by their IDs`() {
    #expect(match([cell("a")], [cell("a")]).machines == .same)
    #expect(match([cell("a", host: "")], [cell("a")]).machines == .unknown)
    #expect(
      match([cell("a")], [cell("a", host: "h2"), cell("a")]).machines
        == .different)
    #expect(match([cell("a", host: "")], [cell("a", host: "")]).machines == .unknown)
    #expect(match([cell("a"), cell("a", host: "")], [cell("a")]).machines == .unknown)
    // Each side has both machines, and no topology has the same in both.
    let (here, there) = ([cell("a"), cell("b", host: "h2")], [cell("a", host: "h2"), cell("b")])
    #expect(match(here, there).machines == .different)
    #expect(match(here, here).machines == .same)
  }

  @Test func `both cells of a pair are of one machine, also of an unknown one`() {
    func marked(_ side: Side, _ host: String) -> CellResult {
      var result = cell("a", host: host)
      result.duet = DuetMark(pair: 1, side: side, phase: .first)
      return result
    }
    #expect(match([marked(.baseline, "")], [marked(.candidate, "")]).machines == .same)
    #expect(match([marked(.baseline, "h1")], [marked(.candidate, "h2")]).machines == .different)
  }

  @Test func `cells of one seed that end with different rows did unequal work`() {
    var other = cell("a")
    other.fingerprint = "beef"
    #expect(!match([cell("a")], [cell("a")]).matches[0].didUnequalWork)
    #expect(match([cell("a")], [other]).matches[0].didUnequalWork)
    other.seed = 2
    #expect(!match([cell("a")], [other]).matches[0].didUnequalWork)
  }

  @Test func `a side keeps the metrics that it was asked to keep`() {
    let wanted = Metrics.all.filter { ["total_ms", "longest_gap_cause"].contains($0.name) }
    let side = SideCells([.sample(metrics: ["total_ms": 7])], keeping: wanted)
    #expect(side.metrics.map(\.name) == ["total_ms"])
    #expect(side.groups[0].values(.total) == [7])
  }
}
