import Foundation
import ObjectGraph
import Queues
import SQLiteStore
import TestSupport
import Testing
import Topologies

/// An outside package cannot name the errors of GRDB.
@Suite("Errors of peers") struct PeerErrorTests {
  private static let peers = Topologies.builtIn.filter { $0.kind == .peer }

  @Test(arguments: peers)
  func `a damaged page is an error of the store`(topology: TopologyDescriptor) async throws {
    let bench = try Bench(topology)
    let path = bench.file.path(percentEncoded: false)
    try damage(bench.file)
    let reading = await #expect(throws: StoreError.self) { try await bench.topology.load() }
    #expect(reading.map(Failure.init) == Failure(path: path, operation: .reading))
    let fetching = bench.main.sync {
      #expect(throws: StoreError.self) { try bench.topology.fetchOnMain([.int64(1)]) }
    }
    #expect(fetching.map(Failure.init) == Failure(path: path, operation: .reading))
    let saving = await #expect(throws: StoreError.self) {
      try await bench.topology.apply([.delete(key: .int64(1))])
    }
    #expect(saving.map(Failure.init) == Failure(path: path, operation: .saving))
    // It cannot settle.
    try? await bench.topology.close()
    bench.main.stop()
    try FileManager.default.removeItem(at: bench.file.deletingLastPathComponent())
  }

  /// Overwrites all pages but the first, which holds the schema.
  private func damage(_ file: URL) throws {
    let handle = try FileHandle(forWritingTo: file)
    defer { try? handle.close() }
    let end = try handle.seekToEnd()
    try handle.seek(toOffset: 4096)
    try handle.write(contentsOf: Data(repeating: 0xFF, count: Int(end) - 4096))
  }

  @Test(arguments: peers)
  func `a store that cannot be opened is an error of the store`(
    topology: TopologyDescriptor
  ) throws {
    let folder = FileManager.default.temporaryDirectory
    let main = SimulatedMainQueue(heartbeat: nil)
    let error = #expect(throws: StoreError.self) {
      try topology.make(
        TopologyEnvironment(
          store: folder, storeMode: topology.storeModes[0], model: City.model,
          entity: City.entity, keyIndex: 0, mainQueue: main,
          lists: [ListDescription(ListQuery(City.entity, sortedBy: []))], lookup: .perBatch,
          realised: .visible))
    }
    #expect(
      error.map(Failure.init)
        == Failure(path: folder.path(percentEncoded: false), operation: .opening))
  }

  private struct Failure: Equatable {
    let path: String
    let operation: StoreOperation?

    init(path: String, operation: StoreOperation?) {
      (self.path, self.operation) = (path, operation)
    }

    init(_ error: StoreError) {
      guard case .sqlite(let path, let operation, _, _) = error else {
        self.init(path: "\(error)", operation: nil)
        return
      }
      self.init(path: path, operation: operation)
    }
  }
}
