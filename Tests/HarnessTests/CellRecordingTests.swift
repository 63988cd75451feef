import Foundation
import Measurement
import Queues
import SQLiteStore
import Testing
import Topologies
import Workload

@testable import Harness
@testable import Repeats

@Suite(.timeLimit(.minutes(1)))
struct CellRecordingTests {
  private let folder = TemporaryFolder()

  private func run(
    _ name: String, set settings: [String] = [], record: Bool = true
  ) async throws -> CellDocument {
    try await CellRunner.run(
      try .named(name), of: Scenario.fewCities,
      set: ["data.rows=60", "changes.per_save=10"] + settings, in: folder
    ) { if record { $0.recordTo = path } }
  }

  private var path: String { folder.url.appendingPathComponent("events.json").path }

  private func recorded() throws -> RecordedTimeline {
    try JSONDecoder().decode(
      RecordedTimeline.self, from: try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  @Test func `an odd number of repeats is recorded, and the median one is kept`() async throws {
    let document = try await run("notification-merge", set: ["repeat_for_ms=60"])
    let recorded = try recorded()
    #expect(!document.windows.count.isMultiple(of: 2))
    #expect(recorded.repeats == document.windows.count)
    #expect(recorded.isMedian)
    let blocked = try #require(document.result.metrics["main_blocked_ms"])
    let window = document.windows[recorded.repeat - 1]
    #expect(window.blocked == blocked)
    #expect(Double(recorded.executing + recorded.waiting) / 1e6 - blocked < 1e-6)
    #expect(recorded.pageSize == 4096)
    #expect(recorded.dropped == 0)
  }

  @Test func `without recording, no repeat is added and no file written`() async throws {
    let document = try await run("main-only", set: ["repeat_for_ms=0"], record: false)
    #expect(document.windows.count == 1)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test(arguments: ["parent-child", "container", "grdb-pool", "sliced-merge"])
  func `every change is recorded from its start to main's list`(topology: String) async throws {
    let document = try await run(topology, set: ["repeat_for_ms=0", "user.fetches_per_s=500"])
    #expect(document.result.status != .crashed, "\(document.result.error)")
    let recorded = try recorded()
    let changes = Set(1...(document.result.saves ?? 0))
    func seen(_ mark: RecordedTimeline.Mark, _ role: RecordedTimeline.Tape.Role) -> Set<Int> {
      let events = recorded.tapes.filter { $0.role == role }.flatMap(\.events)
      return Set(events.filter { $0.mark == mark }.map(\.change)).intersection(changes)
    }
    #expect(seen(.apply, .changes) == changes)
    #expect(seen(.committed, .thread).union(seen(.committed, .main)) == changes)
    #expect(seen(.listChanged, .main).union(seen(.arrived, .main)) == changes)
    let times = recorded.tapes.first { $0.role == .main }?.events.map(\.time) ?? []
    #expect(times == times.sorted() && times.last ?? 0 <= recorded.length)
  }
}
