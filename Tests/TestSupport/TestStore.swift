package import Foundation
package import ObjectGraph
import Queues
package import SQLiteStore

/// A store file in its own folder, which is removed with it.
package final class TestStore: Sendable {
  package let folder: URL
  package let coordinator: SQLiteCoordinator

  package init(
    _ mode: StoreMode = .pool, model: Model = City.model, keepsHistory: Bool = false
  ) throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("topobench-test-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var configuration = StoreConfiguration(
      url: folder.appendingPathComponent("store.sqlite"), mode: mode)
    configuration.keepsHistory = keepsHistory
    coordinator = try SQLiteCoordinator(configuration, model: model)
  }

  deinit {
    try? coordinator.close()
    try? FileManager.default.removeItem(at: folder)
  }

  package var file: URL { folder.appendingPathComponent("store.sqlite") }

  /// On its own private queue.
  package func context(_ name: String = "context") -> ManagedObjectContext {
    ManagedObjectContext(
      name: name, queue: PrivateQueue(label: name), parent: .coordinator(coordinator))
  }

  /// The new context holds no objects.
  package func reading<R>(_ body: (ManagedObjectContext) throws -> R) rethrows -> R {
    let fresh = context("fresh")
    return try fresh.performAndWait { try body(fresh) }
  }

  /// The keys are 1, 2 and so on.
  package convenience init(
    _ mode: StoreMode = .pool, of first: String, _ others: String...
  ) throws {
    try self.init(mode)
    try fill(([first] + others).enumerated().map { City.values(Int64($0 + 1), $1) })
  }

  package func fill(_ rows: [ContiguousArray<Value>]) throws {
    let context = context("filler")
    try context.performAndWait {
      for row in rows { _ = context.insert(City.entity, values: row) }
      try context.save()
    }
  }
}

private struct MissingCity: Error {
  let key: Int64
}

extension ManagedObjectContext {
  /// On its own private queue.
  package func child(_ name: String = "child") -> ManagedObjectContext {
    ManagedObjectContext(name: name, queue: PrivateQueue(label: name), parent: .context(self))
  }

  /// Realised. Throws if there is none.
  package func city(_ key: Int64) throws -> ManagedObject {
    var request = FetchRequest(City.entity, where: City.key == key)
    request.returnsObjectsAsFaults = false
    guard let city = try fetch(request).first else { throw MissingCity(key: key) }
    return city
  }

  /// Sorted.
  package func names() throws -> [String] {
    try fetch(FetchRequest(City.entity, sortedBy: [City.name.ascending])).map { $0[City.name] }
  }
}
