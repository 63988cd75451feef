import Support
import Measurement
import MeasurementSamples
import Testing

@Suite struct RankShiftTests {
  /// Values on a coarse grid tie often, on a fine grid never. Their sums are exact.
  private static func draw(_ count: Int, grid: Double, _ random: inout Random) -> [Double] {
    (0..<count).map { _ in (random.normal() * grid).rounded() / grid }
  }

  @Test(arguments: [2.0, 4, 0x1p30], [3, 7, 11])
  func `a bound excludes zero exactly if the test reaches the level`(
    grid: Double, count: Int
  ) throws {
    var random = Random(seed: 42)
    for _ in 0..<50 {
      let first = Self.draw(count, grid: grid, &random)
      let second = Self.draw(count + 1, grid: grid, &random).map { $0 + 0.75 }
      let paired = zip(first, second).map { $1 - $0 }
      for shift in [RankShift(paired: paired), RankShift(from: first, to: second)] {
        let shift = try #require(shift)
        for tail in [0.01, 0.05] {
          let lower = shift.lowerBound(tail: tail) ?? -.infinity
          let upper = shift.upperBound(tail: tail) ?? .infinity
          #expect(shift.pGreater <= tail ? lower >= 0 : lower <= 0, "\(first) \(second) \(tail)")
          #expect(shift.pLess <= tail ? upper <= 0 : upper >= 0, "\(first) \(second) \(tail)")
          #expect(lower <= shift.estimate && shift.estimate <= upper)
        }
      }
    }
  }

  @Test(arguments: [2.0, 16, 0x1p30], [6, 20, 48])
  func `the test rejects shifts outside the bounds, and none inside`(
    grid: Double, count: Int
  ) throws {
    let seed = UInt64.random(in: 0..<1_000_000)
    var random = Random(seed: seed)
    let first = Self.draw(count, grid: grid, &random)
    let second = Self.draw(count + 2, grid: grid, &random)
    func test(_ shift: Double) throws -> RankShift {
      try #require(RankShift(from: first, to: second.map { $0 - shift }))
    }
    let shift = try test(0)
    // Half a step of the values, so that no value equals another's.
    let half = 0.5 / grid
    for tail in [0.002, 0.05] {
      let lower = try #require(shift.lowerBound(tail: tail))
      let upper = try #require(shift.upperBound(tail: tail))
      #expect(try test(lower - half).pGreater <= tail, "seed \(seed)")
      #expect(try test(lower + half).pGreater > tail, "seed \(seed)")
      #expect(try test(upper + half).pLess <= tail, "seed \(seed)")
      #expect(try test(upper - half).pLess > tail, "seed \(seed)")
    }
  }

  @Test(arguments: [1, 3, 6], [2, 5, 7])
  func `probabilities are shares of all choices of ranks`(first: Int, second: Int) throws {
    let seed = UInt64.random(in: 0..<1_000_000)
    var random = Random(seed: seed)
    for grid in [0.5, 2, 0x1p30] {
      let all = Self.draw(first + second, grid: grid, &random)
      let chosen = (1 << (first + second)) - (1 << first)
      let shift = try #require(
        RankShift(from: Array(all[..<first]), to: Array(all[first...])))
      let (less, greater) = Self.tails(of: all, chosen: chosen)
      #expect(abs(shift.pLess - less) < 1e-12, "seed \(seed): \(all)")
      #expect(abs(shift.pGreater - greater) < 1e-12, "seed \(seed): \(all)")
    }
  }

  /// Of all choices of as many values: the shares with ranks at most and at least as high. Bit *n*
  /// of a choice is value *n*.
  private static func tails(of values: [Double], chosen: Int) -> (Double, Double) {
    let ranks = values.map { value in
      values.reduce(0) { $0 + ($1 < value ? 2 : $1 == value ? 1 : 0) } + 1
    }
    func sum(_ choice: Int) -> Int {
      ranks.indices.reduce(0) { $0 + (choice >> $1 & 1) * ranks[$1] }
    }
    let sums = (0..<1 << values.count).filter { $0.nonzeroBitCount == chosen.nonzeroBitCount }
      .map(sum)
    let (count, own) = (Double(sums.count), sum(chosen))
    return (
      Double(sums.count { $0 <= own }) / count, Double(sums.count { $0 >= own }) / count
    )
  }

  @Test func `bounds shift and mirror with the data`() throws {
    var random = Random(seed: 7)
    for _ in 0..<30 {
      let first = Self.draw(8, grid: 1e9, &random)
      let second = Self.draw(9, grid: 1e9, &random)
      let shift = try #require(RankShift(from: first, to: second))
      let moved = try #require(RankShift(from: first, to: second.map { $0 + 3 }))
      let turned = try #require(RankShift(from: second, to: first))
      let lower = try #require(shift.lowerBound(tail: 0.05))
      #expect(abs(try #require(moved.lowerBound(tail: 0.05)) - lower - 3) < 1e-9)
      #expect(abs(try #require(turned.upperBound(tail: 0.05)) + lower) < 1e-9)
      #expect(abs(turned.estimate + shift.estimate) < 1e-9)
    }
  }

  @Test func `too few values have no bound, and no values have no shift`() throws {
    let four = try #require(RankShift(paired: [1, 2, 3, 4]))
    #expect(four.lowerBound(tail: 0.05) == nil)
    #expect(four.upperBound(tail: 1.0 / 16) == 4)
    #expect(four.lowerBound(tail: 1.0 / 16) == 1)
    #expect(RankShift(paired: []) == nil)
    #expect(RankShift(from: [1], to: []) == nil)
  }

  @Test func `equal samples have a shift of zero and an interval of zero length`() throws {
    let same = try #require(RankShift(paired: Array(repeating: 0, count: 8)))
    #expect(same.estimate == 0)
    #expect(same.pGreater == 1 && same.pLess == 1)
    #expect(same.lowerBound(tail: 0.05) == 0)
    #expect(same.upperBound(tail: 0.05) == 0)
  }

  @Test func `bounds of many values need no list of all steps`() throws {
    var random = Random(seed: 3)
    let first = Self.draw(400, grid: 1e9, &random)
    let second = Self.draw(300, grid: 1e9, &random).map { $0 + 0.5 }
    let shift = try #require(RankShift(from: first, to: second))
    let steps = first.flatMap { value in second.map { $0 - value } }.sorted()
    #expect(shift.estimate == (steps[59_999] + steps[60_000]) / 2)
    let paired = try #require(RankShift(paired: first))
    let walsh = first.indices.flatMap { i in first[i...].map { (first[i] + $0) / 2 } }.sorted()
    #expect(paired.estimate == (walsh[40_099] + walsh[40_100]) / 2)
    let lower = try #require(shift.lowerBound(tail: 0.05))
    let upper = try #require(shift.upperBound(tail: 0.05))
    // 1.645 · √(1/400 + 1/300) / √0.955 each way
    #expect(
      abs(shift.estimate - lower - 0.129) < 0.02 && abs(upper - shift.estimate - 0.129) < 0.02)
    #expect(steps.contains(lower) && steps.contains(upper))
  }
}
