import DataModel
import Foundation
import ObjectGraph
import Queues
import SQLiteStore
import TestSupport

extension Story {
  /// Contexts side by side on one coordinator.
  static let storage: [Story] =
    StoreMode.allCases.flatMap { mode in
      [
        of("row-cache", mode, readAndWrite), of("replaced-rows", mode, replaceMeanwhile),
        of("merged-history", mode, mergeMeanwhile),
        of("increments", mode, increment),
        of("generations", mode, pin), of("listeners", mode, listen),
        of("asynchronous-fetches", mode, fetchAsynchronously),
      ]
    } + [
      of("registry", .pool, releaseElsewhere), of("remote-changes", .pool, observe),
    ]

  private static func of(
    _ name: String, _ mode: StoreMode, _ body: @escaping @Sendable (SmallWorld) throws -> Void
  ) -> Story {
    Story(
      name: "contexts,\(name),\(mode.rawValue)", prepare: { try SmallStore.prepare() },
      body: .thread { checks in
        let coordinator: SQLiteCoordinator
        do {
          let world = try SmallWorld(mode, checks)
          coordinator = world.coordinator
          try body(world)
          checks.end()
        }
        // Other threads may release a context last.
        checks.letOthersFinish()
        checks.expect("registrations in the row cache", coordinator.cachedObjectCount, 0)
        try coordinator.close()
      })
  }

  /// Rows that the cache keeps while objects of three contexts come and go.
  @Sendable private static func readAndWrite(_ world: SmallWorld) throws {
    let (writer, first, second) = (world.context(), world.context(), world.context())
    world.checks.begin()
    let others = [
      world.thread { try world.readOften(first) }, world.thread { try world.readOften(second) },
    ]
    for population in [101, 102, 103] as [Int64] {
      try writer.performAndWait {
        let city = try writer.city(1)
        city[City.population] = population
        if population == 102 { writer.delete(try writer.city(2)) }
        try writer.save()
      }
    }
    for other in others { other.wait(as: .other) }
    try first.performAndWait {
      let city = try first.city(1)
      try first.refresh(city, mergeChanges: false)
      world.checks.expect("the last population", city[City.population], 103)
      world.checks.expect("cities", try first.count(FetchRequest(City.entity)), 7)
    }
  }

  /// A save replaces a row that a fetch has read and not registered yet.
  @Sendable private static func replaceMeanwhile(_ world: SmallWorld) throws {
    let (writer, reader) = (world.context(), world.context())
    let id = try writer.performAndWait { try writer.city(1).objectID }
    reader.performAndWait { reader.retainsRegisteredObjects = true }
    world.checks.begin()
    let other = world.thread { try reader.performAndWait { _ = try reader.city(1) } }
    try world.set(101, in: writer)
    writer.performAndWait { writer.reset() }
    other.wait(as: .other)
    guard let cached = world.coordinator.cachedSnapshot(of: id) else { return }
    world.checks.expect("the cached population", cached.values[2], .int64(101))
  }

  /// A batch request changes a row that a fetch has read and not registered yet. Then a merge reads
  /// the row.
  @Sendable private static func mergeMeanwhile(_ world: SmallWorld) throws {
    let (main, reader) = (world.context(), world.context())
    let before = try world.coordinator.currentHistoryToken()
    let city = try main.performAndWait {
      main.retainsRegisteredObjects = true
      return try main.city(1).objectID
    }
    reader.performAndWait { reader.retainsRegisteredObjects = true }
    world.checks.begin()
    let other = world.thread { try reader.performAndWait { _ = try reader.city(1) } }
    _ = try world.coordinator.execute(
      .update(City.entity, where: City.key == 1, set: ["population": .int64(101)]))
    try main.performAndWait {
      try main.mergeChanges(fromHistory: world.coordinator.history(after: before))
      let merged = main.object(with: city)
      world.checks.expect("the merged population", merged[City.population], 101)
    }
    other.wait(as: .other)
    world.checks.expect(
      "the read population", try world.coordinator.snapshot(of: city)?.values[2], .int64(101))
  }

  /// Optimistic locking: no increment of a number is lost.
  @Sendable private static func increment(_ world: SmallWorld) throws {
    world.checks.begin()
    let others = (0..<2).map { _ in
      let context = world.context()
      return world.thread { for _ in 0..<2 { try world.increment(context) } }
    }
    for other in others { other.wait(as: .other) }
    let context = world.context()
    try context.performAndWait {
      world.checks.expect("increments", try context.city(1)[City.population], 5)
    }
  }

  /// A pinned context sees one commit, whole.
  @Sendable private static func pin(_ world: SmallWorld) throws {
    let (writer, pinned, other) = (world.context(), world.context(), world.context())
    world.checks.begin()
    let threads = [pinned, other].map { context in
      world.thread { for _ in 0..<2 { try world.readPinned(context) } }
    }
    for population in [101, 102] as [Int64] {
      try writer.performAndWait {
        for key in [1, 2] as [Int64] { try writer.city(key)[City.population] = population }
        try writer.save()
      }
    }
    for thread in threads { thread.wait(as: .other) }
  }

  /// Contexts begin and end to merge by themselves while others save.
  @Sendable private static func listen(_ world: SmallWorld) throws {
    let (writer, listener, passing) = (world.context(), world.context(), world.context())
    let merges = Lock(0)
    world.checks.begin()
    let others = [
      world.thread {
        try world.beginMerging(listener)
        listener.performAndWait {
          _ = listener.observeDidMerge { _ in merges.withLock { $0 += 1 } }
        }
      },
      world.thread {
        try world.beginMerging(passing)
        passing.performAndWait { passing.automaticallyMergesChangesFromParent = false }
      },
    ]
    try world.set(101, in: writer)
    for other in others { other.wait(as: .other) }
    let before = listener.performAndWait { merges.withLock { $0 } }
    try world.set(102, in: writer)
    try world.set(103, in: writer)
    try listener.performAndWait {
      let city = try listener.city(1)
      world.checks.expect("the merged population", city[City.population], 103)
      world.checks.expect("merges", merges.withLock { $0 }, before + 2)
    }
  }

  @Sendable private static func fetchAsynchronously(_ world: SmallWorld) throws {
    let (writer, context) = (world.context(), world.context())
    let (ends, results) = (ChargedSemaphore(value: 0), Lock<[Int]>([]))
    world.checks.begin()
    let other = world.thread {
      try writer.performAndWait {
        writer.delete(try writer.city(2))
        try writer.save()
      }
    }
    for round in 0..<3 {
      context.performAndWait {
        let fetch = context.fetchAsynchronously(FetchRequest(City.entity)) { found in
          results.withLock { $0.append((try? found.get().count) ?? -1) }
          ends.signal()
        }
        if round == 1 { fetch.cancel() }
      }
    }
    for _ in 0..<3 { ends.wait(as: .other) }
    other.wait(as: .other)
    context.performAndWait {}
    let found = results.withLock { $0 }
    // Only one of them is cancelled, perhaps too late.
    let failed = found.count { $0 == -1 }
    if failed > 1 || !found.allSatisfy({ [-1, 7, 8].contains($0) }) || found.count != 3 {
      world.checks.fail("found \(found)")
    }
  }

  /// Another thread releases objects while their context looks them up.
  @Sendable private static func releaseElsewhere(_ world: SmallWorld) throws {
    let context = world.context()
    let held = Heard<[ManagedObject]>([])
    try context.performAndWait {
      held.value = try context.fetch(FetchRequest(City.entity, limit: 4))
    }
    world.checks.begin()
    let other = world.thread {
      while !held.value.isEmpty { held.value.removeLast() }
    }
    for _ in 0..<3 {
      try context.performAndWait {
        let found = try context.fetch(FetchRequest(City.entity, limit: 4))
        for object in found where context.registeredObject(for: object.objectID) !== object {
          world.checks.fail("\(object.objectID) has two objects")
        }
      }
    }
    other.wait(as: .other)
  }

  /// An observer hears of each transaction once, while another comes and goes.
  @Sendable private static func observe(_ world: SmallWorld) throws {
    let tokens = Lock<[HistoryToken]>([])
    let observation = world.coordinator.observeRemoteChanges { token in
      tokens.withLock { $0.append(token) }
    }
    world.checks.begin()
    let others = (1...2).map { key in
      let context = world.context()
      return world.thread { try world.rename(Int64(key), in: context) }
    }
    for _ in 0..<2 { _ = world.coordinator.observeRemoteChanges { _ in } }
    try world.rename(3, in: world.context())
    for other in others { other.wait(as: .other) }
    withExtendedLifetime(observation) {
      world.checks.expect("transactions", tokens.withLock { Set($0).count }, 3)
      world.checks.expect("notices", tokens.withLock { $0.count }, 3)
    }
  }
}
