import Judging
import Queues
import SQLiteStore
import Testing

@testable import Harness
@testable import Repeats

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
  func `in as many rounds as variants, each has every position once`(count: Int, seed: UInt64) {
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

@Suite struct ShardTests {
  private static func plan(_ variants: Int, trials: Int) -> Plan {
    let variants = (0..<variants).map { Variant(scenario: 0, topology: "t\($0)", store: .pool) }
    return Plan(variants: variants, trials: trials, seed: 9)
  }

  @Test(arguments: [1, 2, 5, 8], [1, 2, 3, 7])
  func `shards have whole rounds, and every cell is in exactly one shard`(
    trials: Int, machines: Int
  ) throws {
    let plan = Self.plan(4, trials: trials)
    let parts = try (1...machines).map { plan.part(try #require(Shard("\($0)/\(machines)"))) }
    let together = parts.flatMap(\.cells).sorted { $0.order < $1.order }
    #expect(together == plan.cells)
    for part in parts {
      for trial in part.trials { #expect(part.cells.count { $0.trial == trial } == 4) }
    }
    let sizes = parts.map(\.trials.count)
    #expect((sizes.max() ?? 0) - (sizes.min() ?? 0) <= 1)
  }

  @Test(arguments: ["", "1", "0/2", "3/2", "1/0", "1/2/3", "-1/2", "a/b", "1/10001", "/", "1 / 2"])
  func `an invalid shard is refused`(text: String) { #expect(Shard(text) == nil) }

  @Test func `a shard is formatted as it is parsed`() {
    #expect(Shard("2/8")?.description == "2/8")
    #expect(Shard("10000/10000") != nil)
  }

  @Test(arguments: 1...12)
  func `a plan of more trials begins with the cells of one of fewer`(trials: Int) {
    let few = Self.plan(5, trials: trials).cells
    #expect(Array(Self.plan(5, trials: trials + 3).cells.prefix(few.count)) == few)
  }
}

@Suite struct DuetScheduleTests {
  @Test(arguments: [1, 2, 3, 99] as [UInt64])
  func `of every two pairs of a target, one begins with the baseline`(seed: UInt64) {
    var schedule = DuetSchedule(targets: 3, seed: seed)
    let pairs = schedule.next([10, 10, 10])
    for target in 0..<3 {
      let own = pairs.filter { $0.target == target }
      #expect(own.map(\.number) == Array(1...10))
      for two in stride(from: 0, to: 10, by: 2) {
        #expect(Set(own[two...two + 1].map(\.first)).count == 2, "seed \(seed)")
      }
    }
  }

  @Test func `one seed gives one order, another seed another`() {
    func draw(_ seed: UInt64) -> [ScheduledPair] {
      var schedule = DuetSchedule(targets: 4, seed: seed)
      return schedule.next([8, 8, 8, 8])
    }
    #expect(draw(7) == draw(7))
    #expect(draw(7) != draw(8))
  }

  @Test func `a round has each target once, in random order`() {
    var schedule = DuetSchedule(targets: 4, seed: 1)
    let pairs = schedule.next([12, 12, 12, 12]).map(\.target)
    let rounds = stride(from: 0, to: pairs.count, by: 4).map { Array(pairs[$0..<$0 + 4]) }
    #expect(rounds.count == 12)
    for round in rounds { #expect(round.sorted() == [0, 1, 2, 3]) }
    #expect(Set(rounds).count > 1)
  }

  @Test func `targets that need more pairs continue alone, balanced over the phases`() {
    var schedule = DuetSchedule(targets: 2, seed: 5)
    var pairs = schedule.next([3, 3])
    pairs += schedule.next([0, 5])
    pairs += schedule.next([1, 0])
    #expect(pairs.map(\.target).suffix(6) == [1, 1, 1, 1, 1, 0])
    for target in 0..<2 {
      let own = pairs.filter { $0.target == target }
      #expect(own.map(\.number) == Array(1...own.count))
      #expect(own.count { $0.first == .baseline } * 2 == own.count)
    }
  }

  @Test func `the two cells of a pair follow one another`() {
    let pair = ScheduledPair(target: 0, number: 1, first: .candidate)
    #expect(pair.sides == [.candidate, .baseline])
  }
}

struct SaveTimetableTests {
  @Test func `a long save makes those behind it late, and the grid does not move`() async throws {
    // due      0    10    20    30    40 ms
    // save     ├─ 25 ms ─┤
    //                    ├5┤ ├5┤
    let clock = ManualClock()
    var timetable = SaveTimetable(
      due: [0, 10, 20, 30, 40].map { Instant(nanoseconds: $0 * 1_000_000) }, clock: clock)
    timetable.sleep = { clock.advance(by: $0) }
    for (number, length) in [25, 5, 5, 5, 5].enumerated() {
      try await timetable.begin(number)
      clock.advance(by: .milliseconds(length))
    }
    #expect(timetable.lateness == [0, 15, 10, 5, 0].map { .milliseconds($0) })
  }

  @Test func `without times nothing waits`() async throws {
    var timetable = SaveTimetable(due: [], clock: ManualClock())
    timetable.sleep = { _ in Issue.record("it slept") }
    try await timetable.begin(3)
    #expect(timetable.lateness.isEmpty)
  }
}
