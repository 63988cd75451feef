import Foundation
import ObjectGraph
import SQLiteStore
import SoakSupport
import TestSupport
import Testing

@testable import fault_soak

@Suite("Failing calls of the disk", .timeLimit(.minutes(15))) struct FailingCallTests {
  @Test func `an error reaches the request that met it, and loses nothing`() throws {
    // The soak fails every call, CI every tenth of each kind.
    let every = 1000 / RandomRuns.share(of: 100)
    let run = try faultSoak("calls", "--every", "\(every)")
    #expect(run.status == 0, "\(run.output)")
    #expect(run.output.contains(" 0 with problems"))
  }

  @Test func `a pinned state that a failed read ended is not replaced by a newer one`() async {
    await #expect(processExitsWith: .success) {
      try OpenStore.use { store, disk in
        let pinned = store.context(.pinned)
        try pinned.performAndWait { () throws in
          pinned.setQueryGeneration(from: .current)
          #expect(try pinned.count(FetchRequest(FaultModel.item)) == 6)
          disk.failNext(.read, .io)
          let path = store.coordinator.configuration.path
          #expect(throws: readError(266, path)) {
            try pinned.fetch(FetchRequest(FaultModel.group))
          }
          #expect(throws: StoreError.generationLost(path: path)) {
            try pinned.count(FetchRequest(FaultModel.item))
          }
          pinned.setQueryGeneration(from: .current)
          #expect(try pinned.count(FetchRequest(FaultModel.item)) == 6)
        }
      }
    }
  }

  @Test(arguments: [false, true])
  func `a write without memory stores no null, and leaves no transaction open`(
    isLasting: Bool
  ) async {
    await #expect(processExitsWith: .success) { [isLasting = isLasting as Bool] in
      var (allocation, wasReached) = (0, true)
      while wasReached {
        try OpenStore.use { store, disk in
          disk.failNext(.allocate, .memory, after: allocation, isLasting: isLasting)
          do { try nameItems(store, "first") } catch is StoreError {}
          wasReached = disk.hasFailed
          disk.repair()
          let found = try namesOfItems(store)
          #expect(found == ["first"] || found == ["item 1", "item 2", "item 3"])
          try nameItems(store, "second")
          #expect(try namesOfItems(store) == ["second"])
        }
        allocation += 3
      }
      #expect(allocation > 100)
    }
  }

  @Test func `a getter whose fault cannot be read stops the program with the reason`() async throws
  {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      try OpenStore.use { store, disk in
        let main = store.context(.main)
        try main.performAndWait { () throws in
          var request = FetchRequest(FaultModel.group)
          request.includesPropertyValues = false
          let group = try #require(try main.fetch(request).first)
          disk.failNext(.read, .corrupt, isLasting: true)
          _ = group[FaultModel.items].map { $0[FaultModel.name] }
        }
      }
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("in context 'main': reading '"))
    #expect(text.contains("(SQLite's code 11); restore a copy, or make a new store"))
    #expect(text.contains("call existingObject(with:) or refresh, which throw instead"))
  }
}

private func nameItems(_ store: CallWorld.Opened, _ name: String) throws {
  _ = try store.coordinator.execute(.update(FaultModel.item, set: ["name": .string(name)]))
}

private func namesOfItems(_ store: CallWorld.Opened) throws -> Set<String> {
  let request = DictionaryRequest(FaultModel.item, [.value("name", FaultModel.name)])
  return Set(
    try store.coordinator.fetchDictionaries(request).map {
      if case .string(let name) = $0[0] { name } else { "no name" }
    })
}

private func readError(_ code: Int, _ path: String) -> StoreError {
  .sqlite(path: path, operation: .reading, code: code, reason: "disk I/O error")
}

/// A store on a disk of its own. Call it in a process of its own: all of SQLite's files go through
/// the disk's shim.
private enum OpenStore {
  static func use(_ body: (CallWorld.Opened, FailingDisk) throws -> Void) throws {
    try SimulatedDisks.install()
    let folder = try TrialFolder()
    let url = folder.url.appending(path: "store.sqlite")
    try FirstStores(in: folder.url).copy(.new, to: url)
    let disk = FailingDisk()
    try SimulatedDisks.use(disk, for: folder.url) {
      let world = CallWorld(url, .pool)
      try world.open()
      // GRDB stops the program if it has no memory for a new connection.
      try world.now().coordinator.openReaders()
      try body(world.now(), disk)
      try world.close()
      world.end()
    }
  }
}

/// `fault-soak` with these arguments.
func faultSoak(_ arguments: String...) throws -> ProgramRun {
  try ProgramRun("fault-soak", arguments)
}
