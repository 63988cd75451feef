import Foundation
import ObjectGraph
import Queues
import SQLiteStore
import TestSupport
import Testing
import Topologies

//   another process ├── holds SQLite's write lock ──────────┤
//   worker             apply ──▶ save ├╌╌ waits ╌╌╌╌╌╌╌╌╌╌╌╌┤── written
//   main                                  fetch: waits for …?

/// The waits of main in each topology while the worker's save is stopped. Serialised, because each
/// test blocks threads that the others need.
@Suite("Waits of main in each topology", .serialized)
struct HeldWriterTests {
  /// The waits that follow from the wiring.
  private static func expected(_ variant: Variant) throws -> Set<WaitCause> {
    let isSerial = variant.mode == .serial
    switch variant.topology.name {
    // Main writes to disk itself.
    case "main-only", "parent-child", "private-from-main", "swiftdata-on-main": return [.sqlite]
    case "root-main-private", "root-main-private-nowait", "root-hybrid": return [.parent]
    case "notification-merge", "container", "thread-confinement", "refetch", "batch-insert",
      "sliced-merge", "background-snapshot", "background-snapshot-waiting",
      "swiftdata", "swiftdata-autosave", "context-actor", "refetch-coalesced":
      return isSerial ? [.coordinator] : []
    case "two-coordinators", "grdb-pool", "grdb-pool-async", "sqlite-direct": return []
    // The worker's transaction holds the only connection.
    case "grdb-queue": return [.queue]
    default: throw Unknown(name: variant.topology.name)
    }
  }

  private struct Unknown: Error {
    let name: String
  }

  @Test(arguments: Variant.all)
  func `a fetch on main waits for a save as the wiring says`(variant: Variant) async throws {
    let expected = try Self.expected(variant)
    guard !expected.isEmpty else {
      // The lock is released after main has fetched. Main may meet the worker at the coordinator's
      // lock, which pool mode holds briefly, but at nothing that lasts as long as the save.
      let met = try await waits(variant, releasedAfter: nil)
      return #expect(met.isSubset(of: [.coordinator]), "\(met)")
    }
    for patience in 8..<26 {
      let found = try await waits(variant, releasedAfter: 1 << patience)
      guard found.isSuperset(of: expected) else { continue }
      return #expect(found.subtracting(expected).isSubset(of: [.coordinator]), "\(found)")
    }
    Issue.record("main never waited for \(expected)")
  }

  /// Main's waits until a batch has settled, while the user fetches repeatedly.
  ///
  /// - Parameter turns: how long the write lock is held, in yields; nil until main has fetched
  ///   several times.
  private func waits(
    _ variant: Variant, releasedAfter turns: Int?
  ) async throws -> Set<WaitCause> {
    let found = Lock<Set<WaitCause>>([])
    try await Bench.with(variant.topology, variant.mode) { bench in
      let held = try HeldWriter(bench.file)
      let topology = bench.topology
      bench.main.sync { bench.main.openWindow() }
      if let turns { held.release(after: turns) }
      async let applied: Void = topology.apply(Self.updates)
      var fetches = 0
      while turns == nil ? fetches < 20 : !held.isReleased {
        #expect(try bench.main.sync { try topology.fetchOnMain([.int64(20)]) } == 1)
        fetches += 1
      }
      held.release()
      try await applied
      try await topology.settle()
      let use = bench.main.sync { bench.main.closeWindow() }.use
      found.withLock { found in found = Set(WaitCause.allCases.filter { use[$0] > 0 }) }
    }
    return found.withLock { $0 }
  }

  /// No inserts: nested wirings would obtain permanent IDs from SQLite before they save.
  private static let updates = Stream.batches[0].filter { change in
    if case .update = change.kind { true } else { false }
  }
}

struct HeldWriter: Sendable {
  private let mayContinue = Gate()
  private let isDone = Gate()
  private let released = Lock(false)

  /// Whether the lock is released or about to be.
  var isReleased: Bool { released.withLock { $0 } }

  /// Returns when the lock is held.
  init(_ file: URL) throws {
    let coordinator = try SQLiteCoordinator(
      StoreConfiguration(url: file, mode: .pool), model: City.model)
    let (isHeld, mayContinue, isDone) = (Gate(), mayContinue, isDone)
    let holder = Thread {
      Activity.install(HoldingRecorder(isHeld, mayContinue))
      let context = ManagedObjectContext(
        name: "holder", queue: PrivateQueue(label: "holder"), parent: .coordinator(coordinator))
      context.performAndWait {
        _ = context.insert(City.entity, values: City.values(9999, "nobody's"))
        try? context.save()
      }
      Activity.install(nil)
      try? coordinator.close()
      isDone.open()
    }
    holder.start()
    isHeld.wait()
  }

  /// Another thread releases the lock after so many yields, or after two seconds. On busy cores a
  /// yield takes milliseconds, and SQLite waits for the lock for ten seconds at most.
  func release(after turns: Int) {
    Thread {
      let end = ContinuousClock.now + .seconds(2)
      for _ in 0..<turns where ContinuousClock.now < end { sched_yield() }
      released.withLock { $0 = true }
      mayContinue.open()
    }.start()
  }

  /// Returns when the lock is released.
  func release() {
    released.withLock { $0 = true }
    mayContinue.open()
    isDone.wait()
  }
}
