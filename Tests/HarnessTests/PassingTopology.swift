import ObjectGraph
import Queues
import Topologies

/// Passes on to another topology what it does not do itself, apart from counts and searches.
protocol PassingTopology: Topology {
  var sound: any Topology { get }
}

extension PassingTopology {
  var list: any ListOnMain { sound.list }
  func load() async throws { try await sound.load() }
  func apply(_ batch: ChangeBatch) async throws { try await sound.apply(batch) }
  func settle() async throws { try await sound.settle() }
  func close() async throws { try await sound.close() }
  var lastCommit: Instant? { sound.lastCommit }
  func fetchOnMain(_ keys: [Value]) throws -> Int { try sound.fetchOnMain(keys) }
  func editOnMain(_ changes: [Change]) throws { try sound.editOnMain(changes) }
}
