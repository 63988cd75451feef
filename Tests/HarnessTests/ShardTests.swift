import SQLiteStore
import Testing

@testable import Harness

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
  func `an invalid shard is refused`(text: String) {
    #expect(Shard(text) == nil)
  }

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
