import TestSupport
import Testing

@Suite("Power cuts", .timeLimit(.minutes(15))) struct PowerCutTests {
  // sqlite.org/pragma.html#pragma_synchronous
  @Test func `FULL keeps each commit, NORMAL those before the last checkpoint`() throws {
    let run = try faultSoak("cuts", "--stories", "\(RandomRuns.share(of: 15))", "--cuts", "10")
    #expect(run.status == 0, "\(run.output)")
    #expect(run.output.contains("FULL: 0 of "))
    #expect(run.output.contains(" 0 with problems"))
  }

  @Test func `the disk loses what was not synced`() throws {
    let run = try faultSoak("cuts", "--stories", "5", "--cuts", "10", "--seed", "7")
    #expect(!run.output.contains("NORMAL: 0 of "), "\(run.output)")
    #expect(!run.output.contains("OFF: 0 of "), "\(run.output)")
  }

  @Test func `a killed process leaves each commit that it saw`() throws {
    let run = try faultSoak("kills", "--stories", "\(RandomRuns.share(of: 10))", "--kills", "3")
    #expect(run.status == 0, "\(run.output)")
    #expect(run.output.contains(" 0 with problems"))
  }

  @Test func `a seed kills a process at the same call each time`() throws {
    let runs = try (1...2).map { _ in
      try faultSoak("kills", "--stories", "4", "--seed", "7", "--echo").output
    }
    #expect(runs[0] == runs[1])
    // Files beside the store are not counted.
    #expect(runs[0].contains("20 kills, 20 of them before the end"))
    #expect(runs[0].contains(#/kill 5 (in|before) change [0-9]+ of [0-9]+: [0-9]+ steps/#))
  }
}
