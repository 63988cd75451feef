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

  func run(_ size: Int, in folder: URL) throws {
    let (model, entity) = try City.model()
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
      let saved = try theirs.performAndWait { () throws -> DidSave? in
        let objects = try theirs.fetch(request)
        let saved = Lock<DidSave?>(nil)
        let observation = theirs.observeDidSave { save in saved.withLock { $0 = save } }
        defer { theirs.stopObserving(observation) }
        switch self {
        case .returns: for object in objects { theirs.delete(object) }
        case .refusals: change(objects, to: 2, in: theirs)
        }
        try theirs.save()
        return saved.withLock { $0 }
      }
      guard let saved else { throw BenchError("the other context saved nothing") }
      try count(objects, in: mine, after: saved)
      try BenchError.check(
        objects.count { !$0.isDeleted }, is: size, in: rawValue, of: "core")
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

  private func change(_ objects: [ManagedObject], to value: Int64, in context: ManagedObjectContext)
  {
    for object in objects { object[City.population] = .int64(value) }
    context.processPendingChanges()
  }
}
