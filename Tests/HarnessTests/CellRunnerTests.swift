import Foundation
import Measurement
import ObjectGraph
import Queues
import SQLiteStore
import Testing
import Topologies
import Workload

@testable import Harness

@Suite(.timeLimit(.minutes(1)))
struct CellRunnerTests {
  private let folder = TemporaryFolder()

  private static let small = ["data.rows=60", "changes.per_save=10"]

  private func run(
    _ topology: TopologyDescriptor, set settings: [String]
  ) async throws -> CellDocument {
    try await CellRunner.run(
      topology, of: Scenario.fewCities, set: Self.small + settings, in: folder)
  }

  @Test(arguments: Topologies.builtIn)
  func `a user who scrolls, looks up and edits leaves the right rows`(
    topology: TopologyDescriptor
  ) async throws {
    let document = try await run(
      topology,
      set: [
        "repeat_for_ms=0", "user.fetches_per_s=2000", "user.edits_per_s=1000",
        "list.scroll_rows_per_s=300", "drawing.delta_us=5", "drawing.reload_us=5",
      ])
    #expect(document.result.status != .crashed, "\(document.result.error)")
    #expect(document.result.status != .wrong, "\(document.result.error)")
    #expect(try #require(document.result.metrics["main_ui_ms"]) > 0)
    #expect(try #require(document.result.metrics["frames_due"]) > 0)
    #expect(try #require(document.result.metrics["wal_mib"]) > 0)
    // In these, main commits nothing: root writes the user's edits, or another queue does.
    let writesElsewhere = ["root-hybrid", "grdb-pool-async"].contains(topology.name)
    let commits = writesElsewhere ? "main_statements" : "main_commits"
    #expect(try #require(document.result.metrics[commits]) > 0)
  }

  @Test(arguments: Topologies.builtIn)
  func `prices are charged where events happen, and leave the right rows`(
    topology: TopologyDescriptor
  ) async throws {
    let document = try await run(
      topology,
      set: ["repeat_for_ms=0", "costs.statement_us=1", "costs.push_up_us=2", "costs.commit_us=3"])
    #expect(document.result.error == "" || document.result.status == .suspect)
    let window = try #require(document.windows.first)
    let (main, others) = (try #require(window.mainEvents), try #require(window.otherEvents))
    let all = main.merging(others, uniquingKeysWith: +)
    #expect(all["statement", default: 0] > 0 && all["commit", default: 0] > 0)
    #expect(all["row_written", default: 0] > 0)
    let (statements, pushed) = (main["statement", default: 0], main["push_up", default: 0])
    let charged = statements + 2 * pushed + 3 * main["commit", default: 0]
    #expect(try #require(window.priced) == Double(charged) / 1000)
    #expect(document.result.metrics["main_priced_ms"] == window.priced)
  }

  @Test(arguments: ["main-only", "notification-merge", "thread-confinement", "two-coordinators"])
  func `a repeat releases its topology and list, with workers that live for the run`(
    name: String
  ) async throws {
    let remains = Lock<[Remains]>([])
    let sound = try TopologyDescriptor.named(name)
    let watched = TopologyDescriptor(
      name: "watched", wiring: "", summary: "",
      make: { environment in
        let topology = try sound.make(environment)
        remains.withLock { $0.append(Remains(topology)) }
        return topology
      })
    // Most of the user's events are still scheduled when a repeat is over.
    let document = try await run(
      watched, set: ["repeat_for_ms=50", "user.fetches_per_s=1000", "worker.lives=run"])
    #expect(document.result.status != .crashed, "\(document.result.error)")
    // One more is opened to compare its list.
    #expect(remains.withLock { $0.count } == document.windows.count + 1)
    #expect(remains.withLock { $0.allSatisfy { $0.topology == nil } })
    #expect(remains.withLock { $0.allSatisfy { $0.list == nil } })
  }

  private func slowTopology(_ log: Lock<SlowTopology.Log>) throws -> TopologyDescriptor {
    let mainOnly = try TopologyDescriptor.named("main-only")
    return TopologyDescriptor(
      name: "slow", wiring: "", summary: "",
      make: {
        log.withLock { $0.isClosing = false }
        return SlowTopology(try mainOnly.make($0), on: $0.mainQueue, log)
      })
  }

  @Test func `no frame reads a row while its store is closed`() async throws {
    let log = Lock(SlowTopology.Log())
    let slow = try slowTopology(log)
    // Edits for which the window has no time are made after it, and cause frames.
    let document = try await run(slow, set: ["repeat_for_ms=0", "user.edits_per_s=200"])
    #expect(document.result.status != .crashed, "\(document.result.error)")
    #expect(log.withLock { $0.readsAfterClosing } == 0)
  }

  @Test func `the changes are saved when the last apply returns, not when history was read`()
    async throws
  {
    let log = Lock(SlowTopology.Log())
    let slow = try slowTopology(log)
    let settings = ["repeat_for_ms=0", "store.age=30", "worker.history=read"]
    let scenarios = try Scenario.load(file: Scenario.fewCities, set: Self.small + settings)
    let batches = try Workload.make(#require(scenarios.first), seed: 1).batches.count
    log.withLock { $0.batches = batches }
    let document = try await run(slow, set: settings)
    #expect(document.result.status != .crashed, "\(document.result.error)")
    let metrics = document.result.metrics
    let saved = try #require(metrics["saved_ms"])
    let afterCommit = saved - (try #require(metrics["durable_ms"]))
    let (commit, ended) = log.withLock { ($0.commit, $0.historyEnded) }
    #expect(afterCommit < (try #require(ended) - (try #require(commit))).milliseconds)
    #expect(try #require(metrics["total_ms"]) == max(saved, try #require(metrics["visible_ms"])))
  }
}

/// Takes five frames to close, and reads history until five frames after the last batch.
private final class SlowTopology: PassingTopology {
  struct Log {
    var isClosing = false
    var readsAfterClosing = 0
    var batches = 0
    var applied = 0
    var commit: Instant?
    var historyEnded: Instant?
  }

  let sound: any Topology
  private let main: any RunLoopQueue
  private let log: Lock<Log>

  init(_ sound: any Topology, on main: any RunLoopQueue, _ log: Lock<Log>) {
    (self.sound, self.main, self.log) = (sound, main, log)
  }

  func close() async throws {
    log.withLock { $0.isClosing = true }
    await waitForFiveFrames()
    try await sound.close()
  }

  func use(_ history: HistoryRequest) async throws {
    while log.withLock({ $0.applied < $0.batches }) { await waitForFiveFrames() }
    await waitForFiveFrames()
    log.withLock { $0.historyEnded = main.clock.now() }
  }

  private func waitForFiveFrames() async {
    await withCheckedContinuation { continuation in
      main.schedule(at: main.clock.now() + .milliseconds(84)) { continuation.resume() }
    }
  }

  func apply(_ batch: ChangeBatch) async throws {
    try await sound.apply(batch)
    log.withLock { $0.applied += 1 }
  }

  func settle() async throws {
    try await sound.settle()
    log.withLock { $0.commit = sound.lastCommit }
  }

  func visibleRowsDidChange(_ rows: Range<Int>) {
    log.withLock { if $0.isClosing { $0.readsAfterClosing += 1 } }
  }
}

private struct Remains: Sendable {
  // A weak reference may be read on any thread; this one is set once.
  nonisolated(unsafe) private(set) weak var topology: (any Topology)?
  // Set once, as above.
  nonisolated(unsafe) private(set) weak var list: AnyObject?

  init(_ topology: any Topology) {
    self.topology = topology
    list = topology.list as AnyObject
  }
}
