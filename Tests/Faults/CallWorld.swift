import Foundation
import ObjectGraph
import Queues
import SQLiteStore

/// The contexts of a story, and what they hold:
///
///     child ─▶ main ─▶ coordinator ◀─ worker, pinned, rival
// `@unchecked Sendable`: one thread at a time tells a story.
final class CallWorld: @unchecked Sendable {
  let configuration: StoreConfiguration
  private var opened: Opened?
  var notes: [DidSave] = []
  var token: HistoryToken?
  var hasMetError = false

  struct Opened {
    let coordinator: SQLiteCoordinator
    /// In the order of `Place`.
    let contexts: [ManagedObjectContext]
    var held: [ObjectIdentifier: [String: ManagedObject]] = [:]

    func context(_ place: Place) -> ManagedObjectContext { contexts[place.rawValue] }
  }

  enum Place: Int {
    case main, child, worker, pinned, rival
  }

  init(_ url: URL, _ mode: StoreMode) {
    configuration = .faults(url, mode)
  }

  func open() throws {
    let coordinator = try SQLiteCoordinator(configuration, model: FaultModel.model)
    let main = coordinator.context("main")
    let child = ManagedObjectContext(
      name: "child", queue: PrivateQueue(label: "child"), parent: .context(main))
    let worker = coordinator.context("worker")
    worker.performAndWait {
      worker.mergePolicy = .objectTrump
      _ = worker.observeDidSave { [unowned self] in notes.append($0) }
    }
    opened = Opened(
      coordinator: coordinator,
      contexts: [
        main, child, worker, coordinator.context("pinned"), coordinator.context("rival"),
      ])
  }

  func now() throws -> Opened {
    guard let opened else { throw Mismatch("the store is not open") }
    return opened
  }

  func close() throws {
    try now().coordinator.close()
  }

  /// Releases everything that would outlive the store.
  func end() {
    notes = []
    opened = nil
  }

  // MARK: - Objects

  func hold(_ objects: [ManagedObject], in context: ManagedObjectContext) {
    for object in objects {
      opened?.held[ObjectIdentifier(context), default: [:]][label(object)] = object
    }
  }

  func object(_ label: String, in context: ManagedObjectContext) throws -> ManagedObject {
    guard let object = opened?.held[ObjectIdentifier(context)]?[label] else {
      throw Mismatch("'\(context.name)' does not hold \(label)")
    }
    return object
  }

  private func label(_ object: ManagedObject) -> String {
    switch object.entity.name {
    case "Item": "item \(object[FaultModel.key])"
    case "Tag": "tag \(object[FaultModel.tagTitle])"
    default: object[FaultModel.title]
    }
  }

  /// All unsaved changes as text.
  func unsavedChanges() -> [String] {
    guard let opened else { return [] }
    return opened.contexts.flatMap { context in
      context.performAndWait {
        [
          ("inserted", context.insertedObjects), ("updated", context.updatedObjects),
          ("deleted", context.deletedObjects),
        ].flatMap { change, objects in
          objects.map { "\(context.name) \(change) \(text($0))" }.sorted()
        }
      }
    }
  }

  /// With the changed values only: a merge policy may have taken others from the store.
  private func text(_ object: ManagedObject) -> String {
    let values = object.changedValues.map { "\($0) = \($1)" }.sorted().joined(separator: ", ")
    let id = object.objectID
    return "\(object.entity.name) \(id.isTemporary ? "new" : "\(id.primaryKey)"): \(values)"
  }

  /// The objects of all contexts whose values are not those of the store.
  func staleObjects() throws -> Int {
    try now().contexts.map { context in
      try context.performAndWait {
        if case .coordinator = context.parent { try context.countStaleObjects() } else { 0 }
      }
    }.reduce(0, +)
  }
}

/// A step read something else than expected.
struct Mismatch: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  static func expect<T: Equatable>(_ what: String, _ found: T, _ expected: T) throws {
    if found != expected { throw Mismatch("\(what): \(found) instead of \(expected)") }
  }
}
