import Judging
import Measurement
import Testing

@testable import Harness

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
