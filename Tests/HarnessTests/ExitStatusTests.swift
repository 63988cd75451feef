import Judging
import Measurement
import Testing

@testable import Harness

@Suite struct ExitStatusTests {
  @Test func `exit statuses have their documented numbers`() {
    let numbers = Harness.ExitStatus.allCases.map { "\($0) \($0.rawValue)" }
    #expect(
      numbers == [
        "done 0", "failed 1", "regression 2", "badCell 3", "inconclusive 4", "baseline 5",
        "nothingCompared 6", "usage 64", "interrupted 130",
      ])
  }

  @Test func `of several statuses, the first of 130, 64, 1, 5, 6, 3, 2, 4 applies`() {
    var left = Harness.ExitStatus.allCases.shuffled()
    for expected: Int32 in [130, 64, 1, 5, 6, 3, 2, 4, 0] {
      let worst = Harness.ExitStatus.worst(left)
      #expect(worst.rawValue == expected)
      left.removeAll { $0 == worst }
    }
    #expect(Harness.ExitStatus.worst([]) == .done)
  }

  @Test func `a gate's outcomes are exit statuses in the same order`() {
    let all = Set(GateOutcome.allCases.map(\.exitStatus))
    let inOrder = Harness.ExitStatus.precedence.map(\.rawValue).filter(all.contains)
    #expect(GateOutcome.precedence.map(\.exitStatus) == inOrder)
    #expect(inOrder.count == GateOutcome.allCases.count)
  }
}
