import Foundation
import Judging
import Measurement
import ObjectGraph
import Queues
import Support
import Testing
import Topologies
import Workload

@testable import Harness

@Suite(.timeLimit(.minutes(3)))
struct ScreenPhaseTests {
  private let folder = TemporaryFolder()

  /// 60 rows; the stream inserts 20 in one save.
  private static let contacts = """
    name: contacts
    asks: How long until my list opens?
    entity:
      name: Contact
      key: number
      attributes: { number: int64, name: string, company: string?, favourite: bool }
    generate: { rows: 60, inserts: 20 }
    changes: { per_save: 20 }
    list: { sort: [name] }
    repeat_for_ms: 0
    """

  /// - Parameter baselineRuns: how often SQLite alone runs.
  private func run(
    _ topology: TopologyDescriptor, set: [String] = [], baselineRuns: Int = 1
  ) async throws -> CellDocument {
    let file = folder.url.appendingPathComponent("contacts.yaml")
    try Data(Self.contacts.utf8).write(to: file)
    return try await CellRunner.run(topology, of: file.path, set: set, in: folder) {
      $0.baselineRuns = baselineRuns
    }
  }

  private func sound(_ name: String, set: [String] = []) async throws -> CellResult {
    let result = try await run(TopologyDescriptor.named(name), set: set).result
    #expect(result.status != .crashed && result.status != .wrong, "\(name) \(set): \(result.error)")
    return result
  }

  @Test(arguments: Topologies.builtIn)
  func `each phase is measured in every topology`(topology: TopologyDescriptor) async throws {
    for thread in ["main", "background"] {
      let result = try await sound(topology.name, set: ["store.opens_on=\(thread)"])
      for metric in ["open_blocked_ms", "open_longest_gap_ms", "scroll_longest_gap_ms"] {
        #expect(result.metrics[Metric(named: metric)] ?? -1 >= 0, "\(metric)")
      }
      #expect(result.metrics[.openVisible] ?? 0 > 0)
      #expect(result.metrics[label: .asksAbout] == "change")
    }
  }

  /// Main reads all 60 rows by one statement, also through a root, whose queue then runs on main's
  /// thread. Snapshots and peers fetch off main. GRDB looks at the schema when it opens a pool; the
  /// C API reads each of 12 visible rows.
  @Test(arguments: [
    ("container", 1.0, 60.0), ("root-hybrid", 1, 60), ("background-snapshot", 0, 0),
    ("grdb-pool", 1, 1), ("sqlite-direct", 12, 12), ("refetch", 1, 60),
  ])
  func `opening counts main's statements and rows`(
    name: String, statements: Double, rows: Double
  ) async throws {
    let result = try await sound(name)
    #expect(result.metrics[.openStatements] == statements)
    #expect(result.metrics[.openRowsRead] == rows)
  }

  /// `container`, which takes longer to open.
  private func opening(in duration: Duration) throws -> TopologyDescriptor {
    let topology = try TopologyDescriptor.named("container")
    return TopologyDescriptor(
      name: "slow", wiring: "", summary: "",
      make: { environment in
        let end = environment.mainQueue.clock.now() + duration
        while environment.mainQueue.clock.now() < end {}
        return try topology.make(environment)
      })
  }

  /// A store on main's thread is opened in main's own slice; the first fetch stays on main.
  @Test func `a store that opens in the background does not block main`() async throws {
    let slow = try opening(in: .milliseconds(600))
    let main = try await run(slow, set: ["store.opens_on=main"]).result
    let background = try await run(slow, set: ["store.opens_on=background"]).result
    #expect(main.metrics[.openBlocked] ?? 0 >= 600)
    #expect(main.metrics[.openLongestGap] ?? 0 >= 600)
    #expect(background.metrics[.openVisible] ?? 0 >= 600)
    let blocked = try #require(background.metrics[.openBlocked])
    #expect(blocked < 600)
  }

  @Test func `rows are visible at a tick of the display`() async throws {
    let result = try await sound("container", set: ["list.frame_rate_hz=1"])
    // The opening is due at a tick in the first repeat, so the first frame is due a second later.
    // A busy machine opens late, which shortens the wait.
    let visible = try #require(result.metrics[.openVisible])
    #expect(visible > 500)
  }

  @Test func `a page is a block, so a scroll's longest gap is shorter than its blocked time`()
    async throws
  {
    let topology = try TopologyDescriptor.named("sqlite-direct")
    let result = try await run(topology, set: ["generate.rows=2000", "list.visible_rows=10"]).result
    let blocked = try #require(result.metrics[.mainDeferred])
    let gap = try #require(result.metrics[.scrollLongestGap])
    #expect(gap < blocked)
    #expect(result.metrics[.scrollStatements] == 2020)
  }

  @Test(arguments: ["open", "change", "scroll"])
  func `an answer is about the phase that the scenario names, and the digest is not`(
    phase: String
  ) async throws {
    let topology = try TopologyDescriptor.named("container")
    let document = try await run(topology, set: ["asks_about=\(phase)"])
    #expect(document.result.metrics[label: .asksAbout] == phase)
    #expect(document.result.question.phase.rawValue == phase)
    let usual = try await run(topology)
    #expect(document.specification.scenarioDigest == usual.specification.scenarioDigest)
    #expect(document.result.fingerprint == usual.result.fingerprint)
  }

  /// The C API reads 12 visible rows, and each row of the scroll, by a statement on main.
  @Test func `a price of a statement is charged in each phase, main_priced_ms in one`()
    async throws
  {
    let document = try await run(.named("sqlite-direct"), set: ["costs.statement_us=1000"])
    let metrics = document.result.metrics
    for (blocked, statements) in [
      (Metric.openBlocked, Metric.openStatements),
      (Metric.mainDeferred, Metric.scrollStatements),
    ] {
      let charged = try #require(metrics[statements])
      #expect(charged > 0 && metrics[blocked] ?? 0 >= charged, "\(blocked.name)")
    }
    let events = try #require(document.windows.first?.mainEvents)
    #expect(metrics[.mainPriced] == Double(events["statement", default: 0]))
  }

  /// One opening takes 300 ms, one scroll 320 ms at a statement a row, and one window much less.
  @Test func `repeat_for_ms counts the phase that the scenario asks about`() async throws {
    let long = ["repeat_for_ms=300"]
    let slow = try opening(in: .milliseconds(300))
    let open = try await run(slow, set: long + ["asks_about=open"])
    #expect(open.windows.count == 1)
    let priced = ["asks_about=scroll", "costs.statement_us=1000", "generate.rows=300"]
    let scroll = try await run(.named("sqlite-direct"), set: long + priced)
    #expect(scroll.windows.count == 1)
    let change = try await run(.named("container"), set: long)
    let totals = change.windows.map(\.total)
    #expect(totals.reduce(0, +) >= 300 && totals.dropLast().reduce(0, +) < 300)
  }

  @Test func `the raw baseline of an opening is the list's own query`() async throws {
    let topology = try TopologyDescriptor.named("container")
    let large = ["generate.rows=20000", "asks_about=open"]
    let query = try await run(topology, set: large, baselineRuns: 5)
    let few = try await run(topology, set: large + ["list.limit=1"], baselineRuns: 5)
    let (all, one) = (query.rawSQLite ?? [], few.rawSQLite ?? [])
    #expect(try #require(all.min()) > #require(one.min()))
  }

  @Test func `without a list only changes can be asked about`() async throws {
    let topology = try TopologyDescriptor.named("container")
    let error = await #expect(throws: InputError.self) {
      _ = try await run(topology, set: ["list.count=0", "asks_about=open"])
    }
    #expect("\(error, default: "")".contains("must be 'change' with list.count 0"))
  }
}
