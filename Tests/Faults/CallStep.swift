import Dispatch
import ObjectGraph
import Queues
import SQLiteStore

/// One request of a story. Its edits are made once, and may read only what they can do without. The
/// request is made again after an error.
struct CallStep: Sendable {
  typealias Edit = @Sendable (CallWorld, ManagedObjectContext) throws -> Void

  let name: String
  /// The operations that an error may name.
  let operations: [StoreOperation]
  var edit: @Sendable (CallWorld) throws -> Void = { _ in }
  let request: @Sendable (CallWorld) throws -> Void
}

extension CallStep {
  /// A request of a context, on its queue.
  static func on(
    _ place: CallWorld.Place, _ name: String, _ operations: [StoreOperation] = [.reading],
    edit: @escaping Edit = { _, _ in }, request: @escaping Edit
  ) -> CallStep {
    @Sendable func perform(_ edit: Edit, _ world: CallWorld) throws {
      let context = try world.now().context(place)
      try context.performAndWait { try edit(world, context) }
    }
    return CallStep(
      name: "\(name) on \(place)", operations: operations, edit: { try perform(edit, $0) },
      request: { try perform(request, $0) })
  }

  static func save(_ place: CallWorld.Place, _ name: String, _ edit: @escaping Edit) -> CallStep {
    on(place, name, [.saving, .reading], edit: edit) { try $1.save() }
  }

  /// Fetches objects, and holds them.
  static func fetch(
    _ place: CallWorld.Place, _ entities: [Entity] = FaultModel.model.entities
  ) -> CallStep {
    on(place, "fetch") { world, context in
      for entity in entities {
        var request = FetchRequest(entity)
        request.returnsObjectsAsFaults = false
        world.hold(try context.fetch(request), in: context)
      }
    }
  }

  static func fetchAsynchronously(_ place: CallWorld.Place, count: Int) -> CallStep {
    CallStep(name: "fetch asynchronously on \(place)", operations: [.reading]) { world in
      let context = try world.now().context(place)
      let (result, isDone) = (
        Lock<Result<Int, any Error>>(.success(0)), DispatchSemaphore(value: 0)
      )
      context.performAndWait {
        _ = context.fetchAsynchronously(FetchRequest(FaultModel.item)) { found in
          result.withLock { $0 = found.map(\.count) }
          isDone.signal()
        }
      }
      isDone.wait()
      try Mismatch.expect("items", try result.withLock { $0 }.get(), count)
    }
  }

  static func batch(
    _ name: String, count: Int, _ request: @escaping @Sendable () -> BatchRequest
  ) -> CallStep {
    on(.worker, name, [.batch]) { _, worker in
      try Mismatch.expect(name, try worker.execute(request()).count, count)
    }
  }

  static func mergeHistory(_ place: CallWorld.Place) -> CallStep {
    on(place, "merge the history", [.history, .reading]) { world, context in
      try context.mergeChanges(fromHistory: try world.now().coordinator.history())
    }
  }

  static let open = CallStep(name: "open", operations: [.opening]) { try $0.open() }
  static let close = CallStep(name: "close", operations: [.closing]) { try $0.close() }

  /// No context holds a value that differs from its row.
  static let compare = CallStep(name: "compare", operations: [.reading]) { world in
    try Mismatch.expect("stale objects", try world.staleObjects(), 0)
  }
}
