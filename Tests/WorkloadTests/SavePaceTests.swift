import DataModel
import Support
import Testing

@testable import Workload

struct SavePaceTests {
  /// Saves of one change each, numbered from 0.
  private static func saves(_ count: Int64) -> [[Change]] {
    (0..<count).map { [.delete(key: .int64($0))] }
  }

  private static func paced(
    _ saves: [[Change]], _ pace: SavePace
  ) -> (batches: [[Change]], due: [Duration]) {
    pace.paced(saves, join: +=)
  }

  private static func sizes(_ pace: SavePace) -> [Int] {
    paced(saves(6), pace).batches.map(\.count)
  }

  @Test func `without a rate nothing waits`() {
    #expect(Self.paced(Self.saves(3), SavePace()).due.isEmpty)
  }

  @Test func `saves are due on a grid`() {
    let paced = Self.paced(Self.saves(3), SavePace(perSecond: 100))
    #expect(paced.due == [.zero, .milliseconds(10), .milliseconds(20)])
    #expect(paced.batches.count == 3)
  }

  @Test func `the saves of a span are one, due at its end`() {
    let pace = SavePace(perSecond: 100, span: .milliseconds(25))
    #expect(Self.paced(Self.saves(6), pace).due == [25, 50, 75].map { .milliseconds($0) })
    #expect(Self.sizes(pace) == [3, 2, 1])
    #expect(Self.sizes(SavePace(perSecond: 100, span: .milliseconds(1))) == [1, 1, 1, 1, 1, 1])
    let all = Self.paced(Self.saves(6), SavePace(perSecond: 100, span: .seconds(1)))
    #expect(all.batches.flatMap { $0 } == Self.saves(6).flatMap { $0 })
  }

  @Test func `a stream that outlasts the horizon is an error`() throws {
    let error = #expect(throws: InputError.self) {
      try Small.workload(set: ["changes.per_save=1", "changes.rate_per_s=2"])
    }
    #expect(error?.field == "changes.rate_per_s")
  }

  @Test func `tiny rates and spans are errors too`() {
    for settings in [
      ["changes.rate_per_s=1e-300"], ["changes.rate_per_s=1e-10", "changes.coalesce_ms=1e-15"],
    ] {
      let error = #expect(throws: InputError.self) {
        try Small.workload(set: ["changes.per_save=1"] + settings)
      }
      #expect(error != nil, "\(settings)")
    }
  }
}
