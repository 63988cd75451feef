import ArgumentParser
import CLinux
import Foundation
import ObjectGraph
import Queues
import SQLiteStore

/// Steps whose work must grow no faster than their objects do. Callgrind counts their instructions
/// if it starts with `--instr-atstart=no --collect-atstart=no`.
enum Growth: String, ExpressibleByArgument {
  /// Merges a deletion of objects whose rows were all inserted again.
  case returns
  /// Undoes changes of objects that another context has changed too, then refreshes each object.
  case refusals
  /// Saves edits whose rows another context deleted, beside as many new objects with relations.
  case missing

  /// A guide's unsaved relation may lead to a missing row.
  private static func model() throws -> (Model, city: Entity, guide: Entity) {
    let city = try Entity(
      name: "City", attributes: City.attributes,
      relationships: [.toMany("guides", "Guide", inverse: "city")])
    let guide = try Entity(
      name: "Guide", attributes: [AttributeDescription("name", .string, isOptional: true)],
      relationships: [.toOne("city", "City", inverse: "guides")])
    return (try Model([city, guide]), city, guide)
  }

  func run(_ size: Int, in folder: URL) throws {
    let (model, entity, guide) = try Self.model()
    let file = folder.appending(path: "growth.sqlite")
    try StoreFile.createTemplate(at: file, model: model, rows: [(entity, (1...size).map(City.row))])
    let coordinator = try SQLiteCoordinator(file, model)
    let (mine, theirs) = (
      ManagedObjectContext(unchecked: "mine", .coordinator(coordinator)),
      ManagedObjectContext(unchecked: "theirs", .coordinator(coordinator))
    )
    var request = FetchRequest(entity)
    request.returnsObjectsAsFaults = false
    try mine.performAndWait {
      let objects = try mine.fetch(request)
      mine.undoManager = self == .refusals ? ContextUndoManager() : nil
      change(objects, to: 1, in: mine)
      if self == .missing { try addGuides(guide, size, to: entity, in: mine) }
      let saved = try theirs.performAndWait { () throws -> DidSave? in
        let objects = try theirs.fetch(request)
        let saved = Lock<DidSave?>(nil)
        let observation = theirs.observeDidSave { save in saved.withLock { $0 = save } }
        defer { theirs.stopObserving(observation) }
        switch self {
        case .returns, .missing: for object in objects { theirs.delete(object) }
        case .refusals: change(objects, to: 2, in: theirs)
        }
        try theirs.save()
        return saved.withLock { $0 }
      }
      guard let saved else { throw BenchError("the other context saved nothing") }
      try count(objects, in: mine, after: saved)
      let settled = objects.count { self == .missing ? $0.context == nil : !$0.isDeleted }
      try BenchError.check(settled, is: size, in: rawValue, of: "core")
    }
    try coordinator.close()
  }

  private func count(
    _ objects: [ManagedObject], in context: ManagedObjectContext, after saved: DidSave
  ) throws {
    switch self {
    case .returns:
      context.mergePolicy = .overwrite
      try context.save()
      try counting { try context.mergeChanges(fromContextDidSave: saved) }
    case .refusals:
      try context.mergeChanges(fromContextDidSave: saved)
      try counting {
        context.undo()
        for object in objects { try context.refresh(object, mergeChanges: true) }
      }
    case .missing:
      context.mergePolicy = .storeTrump
      try counting { try context.save() }
    }
  }

  private func counting(_ work: () throws -> Void) rethrows {
    clinux_start_instrumentation()
    clinux_toggle_main_count()
    defer {
      clinux_toggle_main_count()
      clinux_stop_instrumentation()
    }
    try work()
  }

  private func addGuides(
    _ guide: Entity, _ count: Int, to entity: Entity, in context: ManagedObjectContext
  ) throws {
    let (home, key) = (context.insert(entity), try ToOneKey("city", of: guide))
    for (column, value) in City.row(count + 1).enumerated() { home[column] = value }
    for _ in 0..<count { context.insert(guide)[key] = home }
  }

  private func change(_ objects: [ManagedObject], to value: Int64, in context: ManagedObjectContext)
  {
    for object in objects { object[City.population] = .int64(value) }
    context.processPendingChanges()
  }
}
