import Judging
import Support
import Measurement
import MeasurementSamples
import Testing

@Suite struct RankingTests {
  /// Rounds are numbered in the order of the values.
  private func competitor(
    _ name: String, _ values: [Double]
  ) -> (name: String, values: [String: Double]) {
    let rounds = values.enumerated().map { ("r/\($0)", $1) }
    return (name, Dictionary(uniqueKeysWithValues: rounds))
  }

  private func ranks(_ ranking: Ranking) -> [String] {
    ranking.places.map { "\($0.name) \($0.rank)\($0.isShared ? "=" : "")" }
  }

  @Test func `two topologies need 6 trials, four 8, five 9`() {
    #expect([1, 2, 3, 4, 5, 12].map { Trials.needed(topologies: $0) } == [6, 6, 7, 8, 9, 12])
  }

  @Test(arguments: 2...6)
  func `the trials needed are enough for unanimity, and one fewer is not`(topologies: Int) {
    let needed = Trials.needed(topologies: topologies)
    func ranking(trials: Int) -> Ranking {
      Ranking(
        (0..<topologies).map { index in
          competitor("t\(index)", (0..<trials).map { Double(index * 10 + 10) + Double($0) / 100 })
        })
    }
    #expect(ranking(trials: needed).places.map(\.rank) == Array(1...topologies))
    #expect(ranking(trials: needed - 1).pairs.contains { !$0.isSeparated })
  }

  @Test func `topologies that cannot be separated share a rank`() {
    let noise = [1.0, 1.1, 0.9, 1.05, 0.95, 1.02, 0.97, 1.01]
    let ranking = Ranking([
      competitor("slow", noise.map { $0 * 50 }),
      competitor("b", noise.reversed().map { $0 * 10.01 }),
      competitor("a", noise.map { $0 * 10 }),
    ])
    #expect(ranks(ranking) == ["a 1=", "b 1=", "slow 3"])
  }

  @Test func `a chain shares its rank, and its ends are still separated`() {
    //        round   1    2    3    4    5    6    7    8
    let a = [10.0, 10, 10, 10, 10, 10, 10, 10]
    let b = [9.00, 11, 12, 11.5, 9.5, 12.5, 13, 10.2]
    let c = [12.0, 12.1, 12.2, 12.3, 12.4, 12.45, 12.15, 12.25]
    let ranking = Ranking([competitor("a", a), competitor("b", b), competitor("c", c)])
    #expect(ranks(ranking) == ["a 1=", "b 1=", "c 1="])
    #expect(ranking.pairs.filter(\.isSeparated).map { [$0.better, $0.worse] } == [["a", "c"]])
  }

  @Test func `pairs are compared within rounds, so a machine of two speeds does no harm`() {
    // Every other round is 1.7 times slower. Within each, b takes a tenth longer.
    let speeds = [1.0, 1.7, 1, 1.7, 1, 1.7, 1, 1.7]
    let ranking = Ranking([
      competitor("b", speeds.map { $0 * 11 }), competitor("a", speeds.map { $0 * 10 }),
    ])
    #expect(ranks(ranking) == ["a 1", "b 2"])
    #expect(abs((ranking.pairs[0].ratio ?? 0) - 1.1) < 1e-9)
    #expect(ranking.pairs[0].rounds == 8)
  }

  @Test func `rounds that one of them lacks are left out`() {
    let six = [10.0, 11, 12, 13, 14, 15]
    var other = competitor("b", six.map { $0 * 2 })
    other.values["r/0"] = nil
    let ranking = Ranking([competitor("a", six), other])
    #expect(ranking.pairs[0].rounds == 5)
    #expect(ranks(ranking) == ["a 1=", "b 1="])
  }

  @Test func `zeros are judged by differences`() {
    let ranking = Ranking([
      competitor("blocking", [5, 6, 7, 8, 9, 10]), competitor("free", [0, 0, 0, 0, 0, 0]),
    ])
    #expect(ranks(ranking) == ["free 1", "blocking 2"])
    #expect(ranking.pairs[0].ratio == nil)
    #expect(ranking.pairs[0].difference == 7.5)
  }

  @Test func `identical topologies are never separated`() {
    let values = [1.0, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    let ranking = Ranking([competitor("a", values), competitor("b", values)])
    #expect(ranks(ranking) == ["a 1=", "b 1="])
    #expect(ranking.pairs[0].p == 1)
  }

  @Test func `where higher is better, the highest comes first`() {
    let values = [1.0, 1.1, 1.2, 1.3, 1.4, 1.5]
    let ranking = Ranking(
      [competitor("slow", values), competitor("fast", values.map { $0 * 3 })], better: .higher)
    #expect(ranks(ranking) == ["fast 1", "slow 2"])
  }

  @Test func `no topology has no rank, and one alone has rank 1`() {
    #expect(Ranking([]).places.isEmpty)
    #expect(Ranking([competitor("none", [])]).places.isEmpty)
    #expect(ranks(Ranking([competitor("a", [3])])) == ["a 1"])
  }

  @Test func `equal topologies are separated in fewer than one of twenty runs`() {
    // Four from one distribution: Holm keeps the chance of any false verdict below 5 %.
    var random = SplitMix64(seed: 2026)
    let runs = 2000
    let alarms = (0..<runs).count { _ in
      let competitors = (0..<4).map { index in
        competitor("t\(index)", (0..<10).map { _ in .random(in: 1...2, using: &random) })
      }
      return Ranking(competitors).pairs.contains(where: \.isSeparated)
    }
    #expect(alarms > 0 && Double(alarms) / Double(runs) < 0.05, "\(alarms) of \(runs), seed 2026")
  }
}
