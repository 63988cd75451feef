import Testing

@testable import Workload

struct WorkloadCheckTests {
  private static let settings: [[String]] = [
    [], ["generate.rows=9000", "generate.updates=3000", "generate.deletes=1500"],
    ["generate.rows=0", "generate.updates=0", "generate.deletes=0"],
    ["changes.stream=replace"], ["changes.stream=arrivals"],
    ["generate.inserts=0", "generate.updates=0", "generate.deletes=0"],
    ["generate.updates=95", "user.edits_per_s=10", "user.edited=salary"],
    ["generate.updates=4000", "generate.rows=4005", "changes.second_worker=3"],
    ["generate.updates=0", "generate.deletes=100", "user.fetches_per_s=10"],
    ["changes.rate_per_s=100", "changes.per_save=5"],
    ["changes.rate_per_s=7", "changes.per_save=5"],
    ["changes.rate_per_s=3", "changes.per_save=5"],
    [
      "changes.rate_per_s=100", "changes.per_save=5", "generate.updates=3000", "generate.rows=3005",
    ],
    ["changes.rate_per_s=100", "changes.coalesce_ms=900"],
    ["changes.rate_per_s=100", "changes.coalesce_ms=2000"],
    ["changes.rate_per_s=100", "generate.inserts=0", "generate.updates=0", "generate.deletes=0"],
  ]

  @Test func `a check finds the digest or the mistake of the whole work`() throws {
    var check = WorkloadCheck()
    var mistakes = 0
    for set in Self.settings + Self.settings {
      let scenario = try Generated.scenario(set: set)
      let found = Result { try check.digest(of: scenario, seed: 1) }
      let whole = Result { try Workload.make(scenario, seed: 1).digest }
      switch (found, whole) {
      case (.success(let found), .success(let whole)): #expect(found == whole, "\(set)")
      case (.failure(let found), .failure(let whole)):
        #expect("\(found)" == "\(whole)", "\(set)")
        mistakes += 1
      default: Issue.record("\(set): \(found), but the whole work: \(whole)")
      }
    }
    #expect(mistakes == 16)
  }

  @Test func `work is counted as it is planned`() throws {
    var check = WorkloadCheck()
    var planned = 0
    for set in Self.settings {
      let scenario = try Generated.scenario(set: set)
      guard let whole = try? Workload.make(scenario, seed: 1) else { continue }
      let (size, expected) = (try check.size(of: scenario, seed: 1), WorkloadSize(whole))
      #expect(size.rows == expected.rows && size.changes == expected.changes, "\(set)")
      #expect(size.lastDue == expected.lastDue, "\(set)")
      planned += 1
    }
    #expect(planned == 8)
  }

  @Test func `the saves of ten million rows are counted without planning them`() throws {
    var check = WorkloadCheck()
    let scenario = try Generated.scenario(
      set: ["generate.rows=10000000", "changes.per_save=10", "changes.rate_per_s=4"])
    #expect(try check.size(of: scenario, seed: 1).lastDue == .milliseconds(750))
  }

  @Test(arguments: ["changes.rate_per_s=0", "changes.rate_per_s=100"])
  func `ten million rows are checked by a sample of them`(rate: String) throws {
    var check = WorkloadCheck()
    let digests = try ["9999999", "10000000"].map {
      try check.digest(of: Generated.scenario(set: ["generate.rows=\($0)", rate]), seed: 1)
    }
    #expect(digests[0] != digests[1])
  }
}
