import Foundation
import ObjectGraph
import Queues
import SQLiteStore
import TestSupport
import Topologies

/// sliced-merge on a main queue that runs on the test's thread. Its manual clock moves only by the
/// stated cost of work and by main's waits.
final class SlicedBench: Sendable {
  let clock = ManualClock()
  let main: SimulatedMainQueue
  let topology: SlicedMerge
  let store: URL
  private let folder: URL
  private let reader: SQLiteCoordinator

  /// - Parameter cost: the cost on main for each object of a merge.
  init(
    _ mode: StoreMode = .pool, model: Model = League.model, entity: Entity = League.player,
    rows: [ContiguousArray<Value>] = [], frameBudget: Duration = .milliseconds(4),
    frameRate: Double = 60, cost: Duration = .zero
  ) throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("topobench-sliced-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    store = folder.appendingPathComponent("store.sqlite")
    try StoreFile.createTemplate(at: store, model: model, rows: [(entity, rows)])
    reader = try SQLiteCoordinator(StoreConfiguration(url: store, mode: mode), model: model)
    main = SimulatedMainQueue(clock: clock, frameRate: frameRate, heartbeat: nil)
    topology = try SlicedMerge(
      TopologyEnvironment(
        store: store, storeMode: mode, model: model, entity: entity, keyIndex: 0, mainQueue: main,
        lists: [ListDescription(ListQuery(entity, sortedBy: [SortTerm(1), SortTerm(0)]))],
        lookup: .perBatch, realised: .none),
      frameBudget: frameBudget)
    topology.main.observeObjectsDidChange { [clock] change in
      let merged = change.inserted.count + change.deleted.count + change.refreshed.count
      clock.advance(by: cost * merged)
    }
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  func runMain(for time: Duration) {
    main.run(turning: clock, until: clock.now() + time)
  }

  /// Runs main here until `work` has ended in a task.
  func run<R: Sendable>(_ work: @escaping @Sendable () async throws -> R) async throws -> R {
    let outcome = Lock<Result<R, any Error>?>(nil)
    Task {
      let result: Result<R, any Error>
      do { result = .success(try await work()) } catch { result = .failure(error) }
      outcome.withLock { $0 = result }
    }
    var rounds = 0
    while true {
      if let result = outcome.withLock({ $0 }) { return try result.get() }
      // Moves the clock rarely, so that a working worker does not see hours pass.
      rounds += 1
      runMain(for: rounds % 16 == 0 ? .microseconds(500) : .zero)
      await Task.yield()
    }
  }

  func onMain<R: Sendable>(_ body: @escaping @Sendable () throws -> R) throws -> R {
    let outcome = Lock<Result<R, any Error>?>(nil)
    main.async {
      let result = Result(catching: body)
      outcome.withLock { $0 = result }
    }
    runMain(for: .zero)
    guard let result = outcome.withLock({ $0 }) else { throw MainDidNotRun() }
    return try result.get()
  }

  private struct MainDidNotRun: Error {}

  /// Main runs only if the save waits for it.
  func save(_ work: @escaping @Sendable (ManagedObjectContext) throws -> Void) async throws {
    try await topology.saveInBackground(by: 0, work)
  }

  func shown() throws -> [ContiguousArray<Value>] {
    let topology = topology
    return try onMain { (0..<topology.list.count).map { topology.list.row(at: $0) } }
  }

  /// Rows read by another coordinator.
  func stored() throws -> LeagueState {
    let context = ManagedObjectContext(
      name: "reader", queue: PrivateQueue(label: "reader"), parent: .coordinator(reader))
    return try context.performAndWait { try context.leagueState() }
  }

  func close() async throws {
    let topology = topology
    try await run {
      try await topology.settle()
      try await topology.close()
    }
    try reader.close()
  }
}
