import Foundation
import ObjectGraph
import Queues
import SQLiteStore

final class CoreContender: Contender {
  static let name = "core"
  private let clock: StepClock
  private let file: URL
  private let model: Model
  private let entity: Entity
  private let coordinator: SQLiteCoordinator
  private let keys: (name: AttributeKey<String>, population: AttributeKey<Int64>)

  init(file: URL, clock: StepClock) throws {
    self.clock = clock
    self.file = file
    (model, entity) = try City.model()
    keys = (try AttributeKey("name", of: entity), try AttributeKey("population", of: entity))
    coordinator = try SQLiteCoordinator(file, model)
    // The first read would open a connection.
    try coordinator.openReaders()
  }

  func close() throws { try coordinator.close() }

  func insert(_ rows: [ContiguousArray<Value>]) throws -> Int {
    try inContext { context in
      try clock.measure {
        for row in rows { _ = context.insert(entity, values: row) }
        try context.save()
        return rows.count
      }
    }
  }

  func fetchFaults() throws -> Int {
    try inContext { context in
      let objects = try clock.measure { try context.fetch(FetchRequest(entity)) }
      return objects.count
    }
  }

  func fetchAndRead() throws -> Int {
    try inContext { context in
      var objects: [ManagedObject] = []
      return try clock.measure {
        objects = try context.fetch(realised)
        return sum(objects)
      }
    }
  }

  /// Fires faults whose rows are in the row cache.
  func fireFaults() throws -> Int {
    try inContext { context in
      let objects = try context.fetch(FetchRequest(entity))
      return clock.measure { sum(objects) }
    }
  }

  func update() throws -> Int {
    try inContext { context in
      let objects = try context.fetch(realised)
      try clock.measure {
        change(objects, by: 0)
        try context.save()
      }
      return objects.count
    }
  }

  func delete() throws -> Int {
    try inContext { context in
      let objects = try context.fetch(realised)
      try clock.measure {
        for object in objects { context.delete(object) }
        try context.save()
      }
      return objects.count
    }
  }

  /// Saves a child's edits of all objects into a parent that holds them realised.
  func pushUp() throws -> Int {
    let parent = ManagedObjectContext(unchecked: "bench", .coordinator(coordinator))
    let held = try parent.performAndWait { try parent.fetch(realised) }
    let child = ManagedObjectContext(
      name: "child", queue: PrivateQueue(label: "child"), parent: .context(parent))
    // The child's objects stay alive: their deallocation is no part of a push.
    let objects = try child.performAndWait {
      let objects = try child.fetch(realised)
      change(objects, by: 0)
      try clock.measure { try child.save() }
      return objects
    }
    return parent.performAndWait {
      withExtendedLifetime(objects) { held.count(where: \.isUpdated) }
    }
  }

  /// Merges a save of all objects into a context that holds them realised.
  func merge() throws -> Int {
    try inContext { receiver in
      let held = try receiver.fetch(realised)
      let worker = ManagedObjectContext(
        name: "worker", queue: PrivateQueue(label: "worker"), parent: .coordinator(coordinator))
      let saved = Lock<DidSave?>(nil)
      try worker.performAndWait {
        let observation = worker.observeDidSave { save in saved.withLock { $0 = save } }
        change(try worker.fetch(realised), by: 1)
        try worker.save()
        // The saved object IDs retain the worker, so the worker must not retain them.
        worker.stopObserving(observation)
      }
      guard let saved = saved.withLock({ $0 }) else { return 0 }
      try clock.measure { try receiver.mergeChanges(fromContextDidSave: saved) }
      return held.count { $0[keys.population] == $0.objectID.primaryKey + 1 }
    }
  }

  /// Bytes of a realised, registered object with its cached row. Nil if the allocator does not
  /// report them.
  func bytesOfRealisedObjects() throws -> Int? {
    // A new coordinator, because a row cache keeps the size of its table.
    let coordinator = try SQLiteCoordinator(file, model)
    defer { try? coordinator.close() }
    let context = ManagedObjectContext(unchecked: "bytes", .coordinator(coordinator))
    return try context.performAndWait {
      // Fills SQLite's own cache first.
      _ = try context.count(FetchRequest(entity, where: keys.population != .min))
      let before = heldBytes()
      let objects = try context.fetch(realised)
      guard let before, let after = heldBytes() else { return nil }
      return (after - before) / max(objects.count, 1)
    }
  }

  /// Contexts that outlive their steps would fragment the memory of later steps.
  func checkNothingIsHeld() throws {
    let count = coordinator.cachedObjectCount
    guard count == 0 else {
      throw BenchError("\(count) objects live on after the steps that fetched them")
    }
  }

  private var realised: FetchRequest {
    var request = FetchRequest(entity)
    request.returnsObjectsAsFaults = false
    return request
  }

  private func sum(_ objects: [ManagedObject]) -> Int {
    objects.reduce(0) { $0 + $1[keys.name].utf8.count + Int($1[keys.population]) }
  }

  private func change(_ objects: [ManagedObject], by offset: Int64) {
    for object in objects { object[keys.population] = object.objectID.primaryKey + offset }
  }

  private func inContext<R>(_ work: (ManagedObjectContext) throws -> R) throws -> R {
    let context = ManagedObjectContext(unchecked: "bench", .coordinator(coordinator))
    return try context.performAndWait { try work(context) }
  }
}

extension SQLiteCoordinator {
  convenience init(_ file: URL, _ model: Model) throws {
    try self.init(StoreConfiguration(url: file, mode: .pool), model: model)
  }
}

extension ManagedObjectContext {
  convenience init(unchecked name: String, _ parent: Parent) {
    self.init(name: name, queue: PrivateQueue(label: name), parent: parent, isChecked: false)
  }
}
