import Dispatch
import ObjectGraph
import Queues
import Synchronization
import Topologies

/// Fails at its first batch.
final class FaultyTopology: Topology {
  enum Fault: String, CaseIterable {
    /// Forgets one change.
    case losing
    case deadlocking
    /// Uses the main actor, which nothing measures.
    case isolating
    /// Uses the process's main dispatch queue, which nothing measures either.
    case dispatching
    case crashing
    /// Shows its list in the wrong order.
    case disordering
    /// Prints to standard output, where the cell's document goes.
    case talking
    /// Has a data race, which ThreadSanitizer must find.
    case racing
  }

  static let all: [TopologyDescriptor] = Fault.allCases.map { fault in
    TopologyDescriptor(
      name: fault.rawValue, wiring: "worker → coordinator ← main, with a fault",
      summary: "Goes wrong on purpose.",
      make: { environment in
        guard let sound = Topologies.builtIn.first(where: { $0.name == "notification-merge" })
        else { preconditionFailure("notification-merge is not built in") }
        return FaultyTopology(fault, over: try sound.make(environment), on: environment.mainQueue)
      })
  }

  private let fault: Fault
  private let sound: any Topology
  private let main: any RunLoopQueue
  private let hasFailed = Lock(false)

  private init(_ fault: Fault, over sound: any Topology, on main: any RunLoopQueue) {
    self.fault = fault
    self.sound = sound
    self.main = main
  }

  func apply(_ batch: ChangeBatch) async throws {
    let isFirst = hasFailed.withLock { hasFailed in
      defer { hasFailed = true }
      return !hasFailed
    }
    guard isFirst else { return try await sound.apply(batch) }
    switch fault {
    case .losing: try await sound.apply(ChangeBatch(changes: batch.changes.dropLast()))
    case .deadlocking: deadlock()
    case .isolating:
      await MainActor.run {}
      try await sound.apply(batch)
    case .dispatching:
      DispatchQueue.main.async {}
      try await sound.apply(batch)
    case .crashing: fatalError("this topology crashes on purpose")
    case .disordering: try await sound.apply(batch)
    case .talking:
      print("what a library prints")
      try await sound.apply(batch)
    case .racing:
      race()
      try await sound.apply(batch)
    }
    if fault == .deadlocking { try await sound.apply(batch) }
  }

  // @unchecked: false on purpose. No lock guards it.
  private final class Counter: @unchecked Sendable {
    var count = 0
    let starters = Atomic(0)
  }

  /// Two threads count without a lock, at the same time.
  private func race() {
    let counter = Counter()
    let queues = [PrivateQueue(label: "one"), PrivateQueue(label: "two")]
    for queue in queues {
      queue.async {
        counter.starters.add(1, ordering: .relaxed)
        while counter.starters.load(ordering: .relaxed) < queues.count { continue }
        for _ in 0..<10_000 { counter.count += 1 }
      }
    }
    for queue in queues { queue.sync {} }
  }

  /// Main waits for a signal that never comes. The checked mode would stop a deadlock of queues.
  private func deadlock() { main.async { DispatchSemaphore(value: 0).wait() } }

  var list: any ListOnMain {
    fault == .disordering ? Reversed(list: sound.list) : sound.list
  }

  private struct Reversed: ListOnMain {
    let list: any ListOnMain
    var count: Int { list.count }
    func row(at index: Int) -> ContiguousArray<Value> { list.row(at: count - 1 - index) }
  }

  func load() async throws { try await sound.load() }
  func settle() async throws { try await sound.settle() }
  func close() async throws { try await sound.close() }
  var lastCommit: Instant? { sound.lastCommit }
  func fetchOnMain(_ keys: [Value]) throws -> Int { try sound.fetchOnMain(keys) }
  func editOnMain(_ changes: [Change]) throws { try sound.editOnMain(changes) }
}
