import Judging
import Measurement
import MeasurementSamples
import Testing

struct ConclusionTests {
  /// Cells of one topology, of which trial i has the i-th blocked time and longest gap.
  private func cells(_ topology: String, blocked: [Double], gaps: [Double]) -> [CellResult] {
    zip(blocked, gaps).enumerated().map { index, values in
      CellResult.sample(
        topology, trial: index + 1, blocked: values.0, metrics: ["main_longest_gap_ms": values.1])
    }
  }

  private func steady(_ topology: String, _ blocked: Double, gap: Double) -> [CellResult] {
    cells(
      topology, blocked: (0..<8).map { blocked * (1 + Double($0) / 100) },
      gaps: Array(repeating: gap, count: 8))
  }

  private func conclusion(_ cells: [CellResult]) throws -> Conclusion {
    try #require(Summary(cells: cells).sections.first).conclusion
  }

  @Test(arguments: [
    ([10.0, 10, 10, 10], FreezeLimit?.none, FreezeLimit?.none),
    ([16.7, 16.7, 16.7, 16.7], nil, nil),
    ([10, 10, 10, 20], nil, .frame),
    ([10, 10, 20, 20], .frame, .frame),
    ([20, 20, 120, 300], .noticed, .hang),
    ([20, 20, 20, 300], .frame, .hang),
    ([300, 300, 300, 300], .hang, .hang),
  ])
  func `a freeze is usual if the median or half of the trials pass the limit`(
    gaps: [Double], usual: FreezeLimit?, worst: FreezeLimit?
  ) throws {
    let blocked = gaps.map { _ in 10.0 }
    let freeze = try #require(
      try conclusion(cells("a", blocked: blocked, gaps: gaps)).freezes.first)
    #expect(freeze.usual == usual)
    #expect(freeze.worst == worst)
    #expect(freeze.longest == gaps.max())
    #expect(freeze.trialsBeyond.frame == gaps.count { $0 > 16.7 })
  }

  @Test func `a topology with too few trials is not ranked, and makes nobody the best`() throws {
    let cells =
      Array(steady("short", 1, gap: 4).prefix(2)) + steady("a", 10, gap: 4)
      + steady("b", 50, gap: 4)
    let section = try #require(Summary(cells: cells).sections.first)
    #expect(section.topologies.map(\.letters) == ["", "A", "B"])
    #expect(section.conclusion.order.best.map(\.topology) == ["a"])
    #expect(section.conclusion.order.unranked.map(\.topology) == ["short"])
  }

  @Test(arguments: [true, false])
  func `what freezes is not best where an unranked topology stays within a frame`(
    isBlocked: Bool
  ) throws {
    // Too few trials, or no blocked time.
    let other = steady("other", 1, gap: 4).prefix(isBlocked ? 2 : 8).map { cell in
      var cell = cell
      if !isBlocked { cell.metrics["main_blocked_ms"] = nil }
      return cell
    }
    let frozen = steady("a", 10, gap: 20) + steady("b", 50, gap: 30)
    let order = try conclusion(frozen + other).order
    #expect(order.standing == .frozen && order.isRanked)
    #expect(order.best.isEmpty && order.steady.isEmpty)
    #expect(order.excluded.map(\.topology) == ["a", "b"])
  }

  @Test func `where every topology freezes, blocked time decides`() throws {
    let order = try conclusion(steady("a", 5, gap: 99) + steady("b", 50, gap: 40)).order
    #expect(order.best.map(\.topology) == ["a"])
    #expect(order.excluded.isEmpty)
  }
}
