import Foundation
import ObjectGraph
import Queues
import Topologies

/// A sound topology. If its executable is named `slow-topobench`, it fetches on main once more for
/// each batch. So two links to one executable are two builds, of which one has a known regression.
final class PacedTopology: Topology {
  static let descriptor = TopologyDescriptor(
    name: "paced", wiring: "worker → coordinator ← main",
    summary: "Works, but more on main if its executable is called slow-topobench.",
    make: { environment in
      guard let sound = Topologies.builtIn.first(where: { $0.name == "notification-merge" })
      else { preconditionFailure("notification-merge is not built in") }
      return PacedTopology(over: try sound.make(environment), on: environment.mainQueue)
    })

  private static let isSlow = CommandLine.arguments[0].hasSuffix("slow-topobench")

  private let sound: any Topology
  private let main: any RunLoopQueue

  private init(over sound: any Topology, on main: any RunLoopQueue) {
    self.sound = sound
    self.main = main
  }

  func apply(_ batch: ChangeBatch) async throws {
    if Self.isSlow { await fetchOnceMore() }
    try await sound.apply(batch)
  }

  private func fetchOnceMore() async {
    let sound = sound
    await withCheckedContinuation { continuation in
      main.async {
        _ = try? sound.fetchOnMain([.int64(1)])
        continuation.resume()
      }
    }
  }

  var list: any ListOnMain { sound.list }
  func load() async throws { try await sound.load() }
  func settle() async throws { try await sound.settle() }
  func close() async throws { try await sound.close() }
  var lastCommit: Instant? { sound.lastCommit }
  func fetchOnMain(_ keys: [Value]) throws -> Int { try sound.fetchOnMain(keys) }
  func editOnMain(_ changes: [Change]) throws { try sound.editOnMain(changes) }
}
