import Foundation
import ObjectGraph
import Queues
import TestSupport
import Testing

// Semantics 99
@Suite("Agreement of SQL and memory") struct PredicateAgreementTests {
  private static let entities = [Atlas.country, Atlas.city, Atlas.harbour, Atlas.tag]
  private static let seeds = [UInt64](repeating: 0, count: 10)
    .map { _ in UInt64.random(in: 0...UInt64.max) }

  /// A thousand predicates are evaluated on stored rows, and half of them on unsaved changes too.
  // Semantics 92, 100, 101
  @Test(arguments: seeds)
  func `a fetch finds the objects that match in memory`(seed: UInt64) throws {
    let bench = try AgreementBench(seed: seed)
    for number in 0..<RandomRuns.share(of: 1000) {
      let entity = Self.entities[number % 4]
      let predicate = try bench.predicate(of: entity)
      if number % 8 < 4 {
        let request = bench.request(of: entity, where: predicate)
        let isOrdered = try !bench.disagree(on: request)
        #expect(isOrdered, "seed \(seed), predicate \(number) of \(entity.name): \(request)")
      }
      guard try bench.disagree(on: predicate, of: entity) else { continue }
      let smallest = try predicate.shrunk { try bench.disagree(on: $0, of: entity) }
      let (text, arguments) = smallest.format(of: entity, in: Atlas.model)
      Issue.record("seed \(seed), predicate \(number) of \(entity.name): \(text) with \(arguments)")
      return
    }
  }

  @Test(arguments: seeds)
  func `a predicate printed as a format is parsed as the same predicate`(seed: UInt64) throws {
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

/// One context has unsaved changes, the other is clean.
private final class AgreementBench {
  private let store: AtlasStore
  private let changed: ManagedObjectContext
  private let clean: ManagedObjectContext
  /// Has its own changes.
  private let child: ManagedObjectContext
  private var atlas: RandomAtlas
  private var predicates: RandomPredicates
  private var objects: [ManagedObject] = []
  /// Retained, so that they are read only once.
  private var stored: [ManagedObject] = []
  private var asked = 0

  init(seed: UInt64) throws {
    store = try AtlasStore()
    changed = store.context("changed")
    clean = store.context("clean")
    child = changed.child()
    atlas = RandomAtlas(seed: seed)
    predicates = RandomPredicates(seed: seed &+ 1)
    try changed.saving { objects = atlas.fill(changed) }
    try readStored()
  }

  private func readStored() throws {
    try clean.performAndWait {
      clean.reset()
      stored = try [Atlas.country, Atlas.city, Atlas.tag].flatMap {
        try clean.fetch(FetchRequest($0))
      }
    }
  }

  /// Some predicates follow more changes or a save.
  func predicate(of entity: Entity) throws -> FetchPredicate {
    asked += 1
    if asked % 100 == 50 {
      changed.performAndWait { objects = atlas.change(objects, in: changed) }
    } else if asked % 100 == 75 {
      let ids = objects.map(\.objectID)
      child.performAndWait {
        _ = atlas.change(ids.map(child.object(with:)), in: child)
      }
    } else if asked % 100 == 0 {
      child.performAndWait { child.reset() }
      try changed.performAndWait { try changed.save() }
      try readStored()
    }
    predicates.objects = objects.map(\.objectID)
    return predicates.predicate(of: entity)
  }

  /// Sorted, and sometimes with offset and limit.
  func request(of entity: Entity, where predicate: FetchPredicate) -> FetchRequest {
    var request = FetchRequest(entity, where: predicate, sortedBy: predicates.order(of: entity))
    if predicates.random.chance(3) { request.limit = predicates.random.pick([0, 1, 3, 50]) }
    if predicates.random.chance(3) { request.offset = predicates.random.pick([1, 2, 50]) }
    return request
  }

  func disagree(on request: FetchRequest) throws -> Bool {
    try clean.performAndWait {
      let all = stored.filter { $0.entity.isKind(of: request.entity) }
      let expected = all.filter { request.predicate?.matches($0) != false }
        .sorted { $0.precedes($1, by: request.sortTerms) }
        .dropFirst(request.offset).prefix(request.limit ?? .max).map(\.objectID)
      return try clean.fetch(request).map(\.objectID) != expected
        || clean.fetchIDs(request) != expected || clean.count(request) != expected.count
    }
  }

  /// Changed objects match with current values, all others with stored ones.
  func disagree(on predicate: FetchPredicate, of entity: Entity) throws -> Bool {
    let request = FetchRequest(entity, where: predicate)
    let matching = clean.performAndWait {
      let all = stored.filter { $0.entity.isKind(of: entity) }
      return Set(all.filter(predicate.matches).map(\.objectID))
    }
    let found = try clean.performAndWait { try clean.fetch(request).map(\.objectID) }
    guard found.count == matching.count, Set(found) == matching else { return true }
    if try disagrees(changed, over: matching, on: predicate, of: entity) { return true }
    // A quarter of them test the child too, which takes longest.
    return try asked / 4 % 4 == 0
      && child.performAndWait {
        let below = try changed.performAndWait { try changed.fetch(request).map(\.objectID) }
        return try disagrees(child, over: Set(below), on: predicate, of: entity)
      }
  }

  /// The expected objects: those of the level below without the changed ones, and the changed ones
  /// that match in memory.
  private func disagrees(
    _ context: ManagedObjectContext, over below: Set<ManagedObjectID>, on predicate: FetchPredicate,
    of entity: Entity
  ) throws -> Bool {
    try context.performAndWait {
      let pending = (context.insertedObjects + context.updatedObjects)
        .filter { $0.entity.isKind(of: entity) }
      let expected = below.subtracting((pending + context.deletedObjects).map(\.objectID))
        .union(pending.filter(predicate.matches).map(\.objectID))
      let found = try context.fetch(FetchRequest(entity, where: predicate)).map(\.objectID)
      return found.count != expected.count || Set(found) != expected
    }
  }
}

extension ManagedObject {
  /// Computed independently.
  fileprivate func precedes(_ other: ManagedObject, by terms: [ObjectGraph.SortTerm]) -> Bool {
    for term in terms {
      let (a, b) = (value(for: term), other.value(for: term))
      let order = a.order(relativeTo: b)
      if order != 0 { return (order < 0) == term.isAscending }
    }
    return objectID.primaryKey < other.objectID.primaryKey
  }

  private func value(for term: ObjectGraph.SortTerm) -> Value {
    var object: ManagedObject? = self
    for column in term.steps {
      object = object?[column].objectID.flatMap { object?.context?.object(with: $0) }
    }
    return (object?[term.attribute] ?? .null).folded(term.options)
  }
}
