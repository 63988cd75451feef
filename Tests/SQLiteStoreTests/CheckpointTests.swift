import ObjectGraph
import Queues
import Testing

@testable import SQLiteStore

@Suite struct CheckpointTests {
  @Test(arguments: StoreMode.allCases)
  func `a commit that fills the WAL runs a checkpoint on its own thread`(mode: StoreMode) throws {
    let store = try TestStore(mode, rows: 1) { $0.checkpointThreshold = 10 }
    let (_, small) = try watched {
      try store.coordinator.save(store.insertion(store.fixture.row(0)))
    }
    #expect(small.checkpoints.isEmpty)
    let (_, large) = try watched {
      try store.coordinator.save(store.insertion(of: (1...2000).map { store.fixture.row($0) }))
    }
    #expect(large.checkpoints.count == 1)
    #expect(large.checkpoints.allSatisfy { $0 > .zero })
    #expect(store.coordinator.checkpointCount == 1)
  }

  @Test(arguments: StoreMode.allCases)
  func `no commit checkpoints below the threshold`(mode: StoreMode) throws {
    let store = try TestStore(mode) { $0.checkpointThreshold = .max }
    _ = try store.coordinator.save(store.insertion(of: (1...20_000).map { store.fixture.row($0) }))
    #expect(store.coordinator.checkpointCount == 0)
  }
}
