import Judging
import Measurement
import MeasurementSamples
import Testing

@Suite struct TrustTests {
  private let six = [10.0, 11, 12, 13, 14, 15]

  private func cells(_ topology: String, _ blocked: [Double]) -> [CellResult] {
    blocked.enumerated().map { .sample(topology, trial: $0 + 1, blocked: $1) }
  }

  private func section(
    _ cells: [CellResult], _ context: RunContext = RunContext()
  ) throws -> SummarySection {
    try #require(Summary(cells: cells, context: context).sections.first)
  }

  @Test(arguments: [
    (0.3, 0.0, "good"), (1.4, 0.0, "fair"), (4.5, 0.0, "discard"), (0.3, 0.02, "fair"),
    (0.3, 0.2, "discard"),
  ])
  func `load and steal grade the trust`(load: Double, steal: Double, grade: String) throws {
    var context = RunContext()
    (context.load, context.cores, context.steal) = (load, 2, steal)
    let six = six.map { 100 + $0 }
    let section = try section(cells("a", six) + cells("b", six.map { $0 * 2 }), context)
    #expect(section.trust.grade.rawValue == grade)
    #expect(section.isDiscarded == (grade == "discard"))
    #expect(section.topologies.map(\.letters) == (grade == "discard" ? ["", ""] : ["A", "B"]))
  }

  @Test func `a run too short to rank has nothing to discard`() throws {
    var context = RunContext()
    (context.load, context.cores) = (18, 2)
    let section = try section(cells("a", [10, 11, 12]) + cells("b", [20, 21, 22]), context)
    #expect(section.trust.grade == .fair && !section.isDiscarded)
  }

  /// Cells that drew for as long as they were blocked.
  private func waiting(_ share: Double, of work: Double = 200) -> [CellResult] {
    cells("a", six.map { (100 + $0) / 200 * work }).map { cell in
      var cell = cell
      cell.metrics[.mainUI] = cell.metrics[.mainBlocked]
      cell.metrics[.mainGapRunqueue] = cell.metrics[.mainBlocked].map { 2 * $0 * share }
      return cell
    }
  }

  @Test(arguments: [(0.05, "good"), (0.3, "fair"), (0.6, "discard")])
  func `waiting for a core while main has work grades the trust`(
    share: Double, grade: String
  ) throws {
    let section = try section(waiting(share))
    #expect(section.trust.grade.rawValue == grade)
    let what = "main waited for a core for \(Int(share * 100)) % of its work"
    #expect(section.trust.readings.map(\.what).contains(what))
  }

  @Test func `less than a millisecond of work grades nothing`() throws {
    let trust = try section(waiting(0.6, of: 0.7)).trust
    #expect(trust.grade == .good && trust.readings.count == 1)
    #expect(try section(waiting(0.6, of: 1)).trust.grade == .discard)
  }

  @Test func `an idle main that waits for a core grades nothing`() throws {
    let cells = cells("a", six.map { 100 + $0 }).map { cell in
      var cell = cell
      cell.metrics[.mainRunqueue] = 5_000
      return cell
    }
    #expect(try section(cells).trust.readings.map(\.what) == ["trials spread by 1.1 %"])
  }

  @Test func `a single topology has no letter, be the machine busy or not`() throws {
    let idle = try section(cells("a", six.map { 100 + $0 }))
    #expect(idle.trust.grade == .good && idle.topologies.map(\.letters) == [""])
    var context = RunContext()
    (context.load, context.cores) = (9, 2)
    let busy = try section(cells("a", six), context)
    #expect(busy.isDiscarded && !busy.isRanked && busy.topologies.map(\.letters) == [""])
    // Fewer trials than an interval needs are not discarded, as several topologies are not.
    let few = try section(cells("a", [10]), context)
    #expect(few.trust.grade == .fair && !few.isDiscarded)
  }

  @Test(arguments: [
    (1, "1 trial cannot show a spread"), (5, "5 trials cannot show a spread"),
    (6, "trials spread by 1.1 %"),
  ])
  func `trials that are too few for a spread are not good`(trials: Int, what: String) throws {
    let values = six.map { 100 + $0 }
    let cells = cells("a", values) + cells("b", Array(values.prefix(trials)))
    let trust = try section(cells).trust
    #expect(trust.grade == (trials < 6 ? .fair : .good))
    #expect(trust.readings.map(\.what) == [what])
    let counted = cells.map { cell in
      var cell = cell
      cell.metrics = MetricValues()
      cell.isCounted = true
      return cell
    }
    let alone = try section(counted).trust
    #expect(alone.grade == (trials < 2 ? .fair : .good))
    let told = trials < 2 ? ["1 trial does not show that counts repeat"] : []
    #expect(alone.readings.map(\.what) == told)
  }

  @Test func `a wide spread is discarded, and nothing is ranked`() throws {
    let wild = [10.0, 100, 20, 80, 30, 60]
    let section = try section(cells("a", wild) + cells("b", wild.map { $0 * 100 }))
    #expect(section.trust.readings.map(\.grade) == [.discard])
    #expect(section.isDiscarded && !section.isRanked)
    // One trial has no ranking that could be discarded.
    let few = try self.section(cells("a", [10]) + cells("b", [20]))
    #expect(few.trust.grade == .fair && !few.isDiscarded && !few.isRanked)
  }
}
