import DataModel
import Foundation
import ObjectGraph
import Queues
import SQLiteStore
import TestSupport

/// A coordinator of the small store, and threads that use it.
final class SmallWorld: Sendable {
  let coordinator: SQLiteCoordinator
  let checks: Checks

  init(_ mode: StoreMode, _ checks: Checks) throws {
    var configuration = StoreConfiguration(url: SmallStore.file, mode: mode)
    configuration.readerCount = 2
    configuration.keepsHistory = true
    coordinator = try SQLiteCoordinator(configuration, model: City.model)
    self.checks = checks
  }

  func context() -> ManagedObjectContext {
    ManagedObjectContext(
      name: "context", queue: PrivateQueue(label: "context"), parent: .coordinator(coordinator))
  }

  /// - Returns: what the thread signals at its end.
  func thread(_ body: @escaping @Sendable () throws -> Void) -> ChargedSemaphore {
    let isDone = ChargedSemaphore(value: 0)
    // The thread's last objects are gone before its end is signalled.
    let body = Heard<(@Sendable () throws -> Void)?>(body)
    Thread { [checks] in
      checks.run { try body.value.take()?() }
      isDone.signal()
    }.start()
    return isDone
  }

  /// A value never returns to an older one, in the store or in the row cache.
  func readOften(_ context: ManagedObjectContext) throws {
    var last: Int64 = 0
    for _ in 0..<2 {
      try context.performAndWait {
        let city = try context.city(1)
        for _ in 0..<2 {
          let population = city[City.population]
          if population < last { checks.fail("read \(population) after \(last)") }
          last = population
          try context.refresh(city, mergeChanges: false)
        }
      }
    }
  }

  func increment(_ context: ManagedObjectContext) throws {
    while true {
      let isDone = try context.performAndWait {
        let city = try context.city(1)
        city[City.population] += 1
        do {
          try context.save()
          return true
        } catch is SaveError {
          context.stalenessInterval = .zero
          try context.refresh(city, mergeChanges: false)
          return false
        }
      }
      if isDone { return }
    }
  }

  func readPinned(_ context: ManagedObjectContext) throws {
    try context.performAndWait {
      context.setQueryGeneration(from: .current)
      let populations = try [1, 2].map { key in
        var request = FetchRequest(City.entity, where: City.key == Int64(key))
        request.returnsObjectsAsFaults = false
        let city = try context.fetch(request)[0]
        return city[City.population]
      }
      if populations != [1, 2], populations[0] != populations[1] {
        checks.fail("a pinned context saw \(populations)")
      }
      context.setQueryGeneration(from: nil)
      context.reset()
    }
  }

  /// The context keeps the first city.
  func beginMerging(_ context: ManagedObjectContext) throws {
    try context.performAndWait {
      context.retainsRegisteredObjects = true
      context.automaticallyMergesChangesFromParent = true
      _ = try context.city(1)
    }
  }

  func set(_ population: Int64, in context: ManagedObjectContext) throws {
    try context.performAndWait {
      try context.city(1)[City.population] = population
      try context.save()
    }
  }

  func rename(_ key: Int64, in context: ManagedObjectContext) throws {
    try context.performAndWait {
      try context.city(key)[City.name] = "renamed"
      try context.save()
    }
  }
}
