import SQLiteStore
import Testing

@testable import Harness

@Suite struct PlanTests {
  private static func variants(_ count: Int) -> [Variant] {
    (0..<count).map { Variant(scenario: $0 / 3, topology: "t\($0)", store: .pool) }
  }

  private static func rounds(_ plan: Plan) -> [[String]] {
    let trials = Dictionary(grouping: plan.cells, by: \.trial)
    return trials.keys.sorted().map { trial in (trials[trial] ?? []).map(\.variant.topology) }
  }

  @Test(arguments: 1...9, [1, 2, 5, 8, 20])
  func `a round has every variant once, and the order counts up`(count: Int, trials: Int) {
    let plan = Plan(variants: Self.variants(count), trials: trials, seed: 7)
    #expect(plan.cells.map(\.order) == Array(1...count * trials))
    let all = Set(Self.variants(count).map(\.topology))
    let rounds = Self.rounds(plan)
    #expect(rounds.count == trials)
    for round in rounds {
      #expect(round.count == count)
      #expect(Set(round) == all)
    }
    #expect(plan.cells.map(\.trial) == plan.cells.map(\.trial).sorted())
  }

  @Test(arguments: 2...9, [UInt64(1), 2, 99])
  func `in as many rounds as variants, each has every position once`(
    count: Int, seed: UInt64
  ) {
    let rounds = Self.rounds(Plan(variants: Self.variants(count), trials: count, seed: seed))
    for place in 0..<count {
      #expect(Set(rounds.map { $0[place] }).count == count)
    }
  }

  @Test(arguments: 1...30)
  func `after any number of rounds, positions differ by one at most`(trials: Int) {
    let rounds = Self.rounds(Plan(variants: Self.variants(4), trials: trials, seed: 3))
    for place in 0..<4 {
      var counts = Dictionary(uniqueKeysWithValues: Self.variants(4).map { ($0.topology, 0) })
      for round in rounds { counts[round[place], default: 0] += 1 }
      let sorted = counts.values.sorted()
      #expect((sorted.last ?? 0) - (sorted.first ?? 0) <= 1)
    }
  }

  @Test(arguments: [2, 4, 6, 8])
  func `of an even number of variants, each follows every other once`(count: Int) {
    let rounds = Self.rounds(Plan(variants: Self.variants(count), trials: count, seed: 5))
    let pairs = rounds.flatMap { zip($0, $0.dropFirst()).map { "\($0) \($1)" } }
    #expect(Set(pairs).count == count * (count - 1))
  }

  @Test func `one seed gives one order, another seed another`() {
    let plans = (UInt64(0)..<50).map { Plan(variants: Self.variants(5), trials: 5, seed: $0) }
    let again = (UInt64(0)..<50).map { Plan(variants: Self.variants(5), trials: 5, seed: $0) }
    #expect(plans.map(\.cells) == again.map(\.cells))
    let orders = Set(plans.map { $0.cells.map(\.variant.topology).joined(separator: " ") })
    #expect(orders.count > 45)
  }
}
