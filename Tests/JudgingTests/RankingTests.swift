import Judging
import Support
import Measurement
import MeasurementSamples
import Testing

@Suite struct RankingTests {
  /// Rounds are numbered in the order of the values.
  private func competitor(
    _ name: String, _ values: [Double]
  ) -> (name: String, values: [Double?]) {
    (name, values)
  }

  private func letters(_ ranking: Ranking) -> [String] {
    ranking.places.map { "\($0.name) \($0.letters)" }
  }

  @Test func `up to seven topologies need 6 trials, thirteen 7, and twenty 8`() {
    #expect(
      [1, 2, 4, 7, 8, 13, 14, 20].map { Trials.needed(topologies: $0) } == [6, 6, 6, 6, 7, 7, 8, 8])
  }

  @Test func `signed ranks begin at 12 rounds of two topologies, and 16 of four`() {
    #expect([2, 4, 20].map { Trials.signedRanks(topologies: $0) } == [12, 16, 22])
    for (rounds, pairing) in [(11, Pairing.unpaired), (12, .paired)] {
      let values = (1...rounds).map(Double.init)
      let ranking = Ranking([competitor("a", values), competitor("b", values.map { $0 * 1.1 })])
      #expect(ranking.pairs[0].pairing == pairing)
    }
  }

  @Test(arguments: [7, 8, 13, 14, 20])
  func `the trials needed separate topologies that do not overlap`(topologies: Int) {
    let needed = Trials.needed(topologies: topologies)
    func ranking(trials: Int) -> Ranking {
      Ranking(
        (0..<topologies).map { index in
          competitor("t\(index)", (0..<trials).map { Double(index * 10 + 10) + Double($0) / 100 })
        })
    }
    #expect(
      ranking(trials: needed).places.map(\.letters)
        == "ABCDEFGHIJKLMNOPQRST".prefix(topologies).map(String.init))
    #expect(ranking(trials: needed - 1).places.allSatisfy { $0.letters.isEmpty })
  }

  @Test func `topologies that cannot be separated share a letter`() {
    let noise = [1.0, 1.1, 0.9, 1.05, 0.95, 1.02, 0.97, 1.01]
    let ranking = Ranking([
      competitor("slow", noise.map { $0 * 50 }),
      competitor("b", noise.reversed().map { $0 * 10.01 }),
      competitor("a", noise.map { $0 * 10 }),
    ])
    #expect(letters(ranking) == ["a A", "b A", "slow B"])
    #expect(ranking.best.map(\.name) == ["a", "b"])
  }

  @Test func `the ends of a chain have no letter in common`() {
    //        round   1    2    3    4    5    6    7    8
    let a = [10.0, 10, 10, 10, 10, 10, 10, 10]
    let b = [9.00, 11, 12, 11.5, 9.5, 12.5, 13, 10.2]
    let c = [12.0, 12.1, 12.2, 12.3, 12.4, 12.45, 12.15, 12.25]
    let ranking = Ranking([competitor("a", a), competitor("b", b), competitor("c", c)])
    #expect(letters(ranking) == ["a A", "b AB", "c B"])
    #expect(ranking.pairs.filter(\.isSeparated).map { [$0.better, $0.worse] } == [["a", "c"]])
    #expect(ranking.separates("c", "a") && !ranking.separates("a", "b"))
    #expect(ranking.best.map(\.name) == ["a", "b"])
  }

  @Test func `a chain of 17 topologies does not share one letter`() {
    // Each overlaps the next one alone.
    let ranking = Ranking(
      (0..<17).map { index in
        competitor("t\(index + 10)", (0..<8).map { Double(10 + index) + Double($0) / 4 })
      })
    let expected = ["A"] + zip("ABCDEFGHIJKLMNO", "BCDEFGHIJKLMNOP").map { "\($0)\($1)" } + ["P"]
    #expect(ranking.places.map(\.letters) == expected)
  }

  @Test(arguments: [1...8, 20...24])
  func `two places have a letter in common exactly if they are not separated`(
    sizes: ClosedRange<Int>
  ) {
    let seed = UInt64.random(in: 0...(.max))
    var random = SplitMix64(seed: seed)
    for _ in 0..<(sizes.lowerBound == 1 ? 2000 : 20) {
      let ranking = Ranking(
        (0..<Int.random(in: sizes, using: &random)).map { index in
          let base = Double.random(in: 10...20, using: &random)
          return competitor(
            "t\(index)", (0..<8).map { _ in .random(in: base...base + 4, using: &random) })
        })
      let symbols = ranking.places.map { Set($0.letters.matches(of: /[A-Z][0-9]*/).map(\.output)) }
      let wrong = ranking.pairs.filter { pair in
        let names = ranking.places.map(\.name)
        guard let better = names.firstIndex(of: pair.better),
          let worse = names.firstIndex(of: pair.worse)
        else { return true }
        return symbols[better].isDisjoint(with: symbols[worse]) != pair.isSeparated
      }
      let isLettered = symbols.count == 1 || !symbols.contains([])
      #expect(wrong.isEmpty && isLettered, "\(letters(ranking)), seed \(seed)")
    }
  }

  @Test func `letters after Z have a number`() {
    let ranking = Ranking(
      (10..<40).map { competitor("t\($0)", Array(repeating: Double($0), count: 10)) })
    #expect(ranking.places.map(\.letters).suffix(5) == ["Z", "A2", "B2", "C2", "D2"])
  }

  @Test func `counts that never vary are separated unless they are equal`() {
    let counts = [("none", 0.0), ("two", 2), ("also two", 2), ("many", 3628)]
    for rounds in [6, 16] {
      let ranking = Ranking(
        counts.map { competitor($0, Array(repeating: $1, count: rounds)) })
      #expect(letters(ranking) == ["none A", "also two B", "two B", "many C"])
    }
  }

  @Test func `with enough rounds, a machine of two speeds does no harm`() {
    // Every other round is 1.7 times slower. Within each, b takes a tenth longer.
    let speeds = Array(
      [[1.0, 1.7], [1, 1.7], [1, 1.7], [1, 1.7], [1, 1.7], [1, 1.7]].joined())
    let ranking = Ranking([
      competitor("b", speeds.map { $0 * 11 }), competitor("a", speeds.map { $0 * 10 }),
    ])
    #expect(letters(ranking) == ["a A", "b B"])
    #expect(abs((ranking.pairs[0].ratio ?? 0) - 1.1) < 1e-9)
    #expect(abs((ranking.pairs[0].medianRatio ?? 0) - 1.1) < 1e-9)
    #expect(ranking.pairs[0].rounds == 12)
  }

  @Test func `rounds that one of them lacks are left out`() {
    let six = [10.0, 11, 12, 13, 14, 15]
    var other = competitor("b", six.map { $0 * 2 })
    other.values[0] = nil
    let ranking = Ranking([competitor("a", six), other])
    #expect(ranking.pairs[0].rounds == 5)
    #expect(letters(ranking) == ["a ", "b "])
  }

  @Test func `zeros are judged by differences`() {
    let ranking = Ranking([
      competitor("blocking", [5, 6, 7, 8, 9, 10]), competitor("free", [0, 0, 0, 0, 0, 0]),
    ])
    #expect(letters(ranking) == ["free A", "blocking B"])
    #expect(ranking.pairs[0].ratio == nil)
    #expect(ranking.pairs[0].difference == 7.5)
  }

  @Test func `no topology has no letter, and one alone has none`() {
    #expect(Ranking([]).places.isEmpty)
    #expect(Ranking([competitor("none", [])]).places.isEmpty)
    #expect(letters(Ranking([competitor("a", [3])])) == ["a "])
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
