import Foundation
import ObjectGraph
import Queues
import TestSupport
import Testing

/// SQL and memory give one answer to the same predicate, whatever it asks.
@Suite("Agreement of SQL and memory") struct PredicateAgreementTests {
  private static let entities = [Atlas.country, Atlas.city, Atlas.harbour, Atlas.tag]
  private static let seeds = [UInt64](repeating: 0, count: 10)
    .map { _ in UInt64.random(in: 0...UInt64.max) }

  /// One store, a thousand predicates: each is asked of what is stored, and half of them of what is
  /// changed and not saved too.
  // 92, 99, 100, 101
  @Test(arguments: seeds)
  func `a fetch finds what matches in memory`(seed: UInt64) throws {
    let bench = try AgreementBench(seed: seed)
    for number in 0..<1000 {
      let entity = Self.entities[number % 4]
      let predicate = bench.predicate(of: entity)
      guard try bench.disagree(on: predicate, of: entity) else { continue }
      let smallest = try predicate.shrunk { try bench.disagree(on: $0, of: entity) }
      let (text, arguments) = smallest.format(of: entity, in: Atlas.model)
      Issue.record(
        "seed \(seed), predicate \(number) of \(entity.name): \(text) with \(arguments)")
      return
    }
  }

  // 99
  @Test(arguments: seeds)
  func `a predicate written as a format is read back the same`(seed: UInt64) throws {
    var predicates = RandomPredicates(seed: seed)
    predicates.objects = (1...3).map {
      ManagedObjectID(store: 1, entityIndex: 0, primaryKey: $0)
    }
    for number in 0..<500 {
      let entity = Self.entities[number % 4]
      let predicate = predicates.predicate(of: entity)
      let (text, arguments) = predicate.format(of: entity, in: Atlas.model)
      let read = try FetchPredicate(
        format: text, entity, in: Atlas.model, arguments: arguments.map { $0 })
      #expect(read == predicate, "seed \(seed), predicate \(number): \(text) with \(arguments)")
    }
  }
}

/// Two contexts on one store: in one are changes that are not saved, the other is clean.
private final class AgreementBench {
  private let store: AtlasStore
  private let changed: ManagedObjectContext
  private let clean: ManagedObjectContext
  private var atlas: RandomAtlas
  private var predicates: RandomPredicates
  private var objects: [ManagedObject] = []
  private var asked = 0

  init(seed: UInt64) throws {
    store = try AtlasStore()
    changed = store.context("changed")
    clean = store.context("clean")
    atlas = RandomAtlas(seed: seed)
    predicates = RandomPredicates(seed: seed &+ 1)
    try changed.performAndWait {
      objects = atlas.fill(changed)
      try changed.save()
    }
  }

  /// The next predicate; now and then after more changes, or after they were saved.
  func predicate(of entity: Entity) -> FetchPredicate {
    asked += 1
    if asked % 100 == 50 {
      changed.performAndWait { objects = atlas.change(objects, in: changed) }
    } else if asked % 100 == 0 {
      changed.performAndWait {
        do { try changed.save() } catch { preconditionFailure("\(error)") }
      }
      clean.performAndWait { clean.reset() }
    }
    predicates.objects = objects.map(\.objectID)
    return predicates.predicate(of: entity)
  }

  /// Whether a fetch finds something else than matches in memory: the changed objects as they are
  /// here, all others as they are stored, and related as they are stored.
  func disagree(on predicate: FetchPredicate, of entity: Entity) throws -> Bool {
    let request = FetchRequest(entity, where: predicate)
    let stored = try clean.performAndWait {
      let all = try clean.fetch(FetchRequest(entity))
      return Set(all.filter(predicate.matches).map(\.objectID))
    }
    let found = try clean.performAndWait { try clean.fetch(request).map(\.objectID) }
    guard found.count == stored.count, Set(found) == stored else { return true }
    return try changed.performAndWait {
      let pending = objects.filter { $0.hasChanges && $0.entity.isKind(of: entity) }
      let deleted = changed.deletedObjects.map(\.objectID)
      let expected = stored.subtracting(pending.map(\.objectID)).subtracting(deleted)
        .union(pending.filter(predicate.matches).map(\.objectID))
      let found = try changed.fetch(request).map(\.objectID)
      return found.count != expected.count || Set(found) != expected
    }
  }
}
