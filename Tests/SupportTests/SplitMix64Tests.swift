import Testing

@testable import Support

struct SplitMix64Tests {
  @Test func `a seed gives the published sequence`() {
    var random = SplitMix64(seed: 1_234_567)
    let numbers = (0..<5).map { _ in random.next() }
    #expect(
      numbers == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
      ])
  }

  @Test func `the streams of a seed differ, and the seeds of a stream differ`() {
    var first: Set<UInt64> = []
    for seed in 0..<20 as Range<UInt64> {
      for stream in 0..<20 as Range<UInt64> {
        var random = SplitMix64(seed: seed, stream: stream)
        first.insert(random.next())
      }
    }
    #expect(first.count == 400)
  }

  @Test func `bounded numbers stay below the bound and are spread evenly`() {
    var random = SplitMix64(seed: 7)
    var counts = [Int](repeating: 0, count: 10)
    for _ in 0..<100_000 { counts[random.next(below: 10)] += 1 }
    // 10,000 expected each; 6 standard deviations are 570.
    #expect(counts.allSatisfy { (9_430...10_570).contains($0) }, "\(counts)")
    #expect((0..<100).allSatisfy { _ in random.next(below: 1) == 0 })
  }

  @Test func `a shuffle is the same on every platform`() {
    var numbers = Array(0..<10)
    var random = SplitMix64(seed: 42, stream: 1)
    random.shuffle(&numbers)
    #expect(numbers == [5, 9, 2, 8, 4, 6, 1, 0, 3, 7])
    #expect(numbers.sorted() == Array(0..<10))
  }

  @Test func `drawing forward agrees with the standard library of Swift 6`() {
    var own = SplitMix64(seed: 9)
    var standard = SplitMix64(seed: 9)
    for count in 0..<40 {
      let numbers = Array(0..<count)
      #expect(own.shuffledForward(numbers) == numbers.shuffled(using: &standard))
      #expect(own.nextBool() == Bool.random(using: &standard))
    }
  }

  @Test func `a forward shuffle is the same on every platform`() {
    var random = SplitMix64(seed: 42)
    #expect(random.shuffledForward(Array(0..<10)) == [7, 2, 4, 5, 1, 9, 6, 3, 8, 0])
  }

  @Test func `every permutation is as likely as any other`() {
    var random = SplitMix64(seed: 3)
    var counts: [[Int]: Int] = [:]
    for _ in 0..<60_000 {
      var numbers = [0, 1, 2]
      random.shuffle(&numbers)
      counts[numbers, default: 0] += 1
    }
    // 10,000 expected each; 6 standard deviations are 548.
    #expect(counts.count == 6)
    #expect(counts.values.allSatisfy { (9_452...10_548).contains($0) }, "\(counts)")
  }
}
