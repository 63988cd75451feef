import ObjectGraph
import Queues
import SQLiteStore

/// Executes a story with the core. It retains each registered object.
final class CoreWorld {
  let contexts: [ManagedObjectContext]
  private let queues: [StoryQueue]
  private(set) var held: [[Int: ManagedObject]]
  private var names: [ManagedObjectID: Int] = [:]
  private var ids: [Int: ManagedObjectID] = [:]
  private var notes: [Int: DidSave] = [:]
  private var deletions: [Int: ChangedObjectIDs] = [:]
  private let log = EventLog()

  init(_ tree: [StoryContext], over coordinator: SQLiteCoordinator) {
    let queues = tree.indices.map { StoryQueue(label: "context \($0)") }
    var contexts: [ManagedObjectContext] = []
    for (queue, place) in zip(queues, tree) {
      let context = ManagedObjectContext(
        name: queue.label, queue: queue,
        parent: place.parent.map { .context(contexts[$0]) } ?? .coordinator(coordinator))
      context.performAndWait {
        context.mergePolicy = place.policy
        if place.undoes { context.undoManager = ContextUndoManager() }
        context.automaticallyMergesChangesFromParent = place.mergesAutomatically
      }
      contexts.append(context)
    }
    self.queues = queues
    self.contexts = contexts
    held = contexts.map { _ in [:] }
    for (index, context) in contexts.enumerated() { log.follow(context, index) }
  }

  func takeEvents() -> [Event] { log.take { names[$0] ?? -1 } }

  func name(_ id: ManagedObjectID) -> Int { names[id] ?? -1 }

  func hold(_ index: Int) {
    let context = contexts[index]
    context.performAndWait {
      var now: [Int: ManagedObject] = [:]
      for object in context.registeredObjects {
        let n = names[object.objectID] ?? held[index].first { $0.value === object }?.key ?? -1
        learn(object.objectID, n)
        now[n] = object
      }
      held[index] = now
    }
  }

  private func learn(_ id: ManagedObjectID, _ n: Int) {
    names[id] = n
    if ids[n]?.isTemporary != false { ids[n] = id }
  }

  func perform(_ step: Step) -> Outcome {
    // Automatic merges of the save run at once.
    defer { for queue in queues { queue.runSubmitted() } }
    let context = contexts[step.context]
    return context.performAndWait {
      do {
        return try perform(step.action, in: context, step.context)
      } catch SaveError.conflict(let conflicts) {
        return .conflict(Set(conflicts.map { name($0.id) }))
      } catch SaveError.validation(let errors) {
        return .invalid(Set(errors.map { name($0.objectID) }))
      } catch is ObjectNotFound {
        return .notFound
      } catch {
        return .failed("\(error)")
      }
    }
  }

  /// Drops a context's recorded objects before they are released.
  private func letGo(_ index: Int) {
    held[index] = [:]
    notes = notes.filter { $0.value.context !== contexts[index] }
  }

  func reset(_ indices: [Int]) {
    for index in indices {
      held[index] = [:]
      contexts[index].performAndWait { contexts[index].reset() }
    }
  }
}

// MARK: - Steps

extension CoreWorld {
  private func perform(
    _ action: Action, in context: ManagedObjectContext, _ index: Int
  ) throws -> Outcome {
    switch action {
    case .insert(let n, let kind, let a, let b, let permanent):
      held[index][n] = try insert(n, kind, a, b, permanent: permanent, in: context)
    case .take(let n):
      if let id = ids[n] { held[index][n] = try context.existingObject(with: id) }
    case .fetch(let query):
      let found = try context.fetch(query.request).map { object in
        if held[index][name(object.objectID)] == nil { held[index][name(object.objectID)] = object }
        return name(object.objectID)
      }
      return .found(query.ascending == nil ? found.sorted() : found)
    case .count(let query): return .counted(try context.count(query.request))
    case .processPendingChanges: context.processPendingChanges()
    case .save(let note):
      try context.save()
      notes[note] = log.lastSave
    case .obtainPermanentIDs(let numbers):
      return try obtainPermanentIDs(numbers, in: context, index)
    case .merge(let note):
      if let note = notes[note] { try context.mergeChanges(fromContextDidSave: note) }
      if let deleted = deletions[note] { try context.mergeChanges(fromRemoteContextSave: deleted) }
    case .deleteRows(let note, let numbers): try deleteRows(numbers, note, in: context)
    case .refreshAllObjects: try context.refreshAllObjects()
    case .undo: context.undo()
    case .redo: context.redo()
    case .rollback: context.rollback()
    case .letGo: letGo(index)
    case .reset: break
    default: try edit(action, in: context, held[index])
    }
    return .done
  }

  /// The reference has no row cache.
  private func deleteRows(_ numbers: [Int], _ note: Int, in context: ManagedObjectContext) throws {
    let named = numbers.compactMap { ids[$0] }
    guard let first = named.first else { return }
    var request = BatchRequest.delete(
      StoryModel.places(StoryModel.kind(of: first)).entity, objects: named)
    request.returnsObjectIDs = true
    deletions[note] = ChangedObjectIDs(deleted: try context.execute(request).objectIDs ?? [])
    context.coordinator.forgetRows(of: Array(ids.values.filter { !$0.isTemporary }))
  }

  private func insert(
    _ n: Int, _ kind: Kind, _ a: Int?, _ b: Int?, permanent: Bool, in context: ManagedObjectContext
  ) throws -> ManagedObject {
    let places = StoryModel.places(kind)
    var values = ContiguousArray<Value>(repeating: .null, count: places.entity.columns.count)
    values[places.key.index] = .int64(Int64(n))
    values[places.a.index] = value(a)
    values[places.b.index] = value(b)
    let object = context.insert(places.entity, values: values)
    learn(object.objectID, n)
    if permanent { try context.obtainPermanentIDs(for: [object]) }
    learn(object.objectID, n)
    return object
  }

  private func obtainPermanentIDs(
    _ numbers: [Int], in context: ManagedObjectContext, _ index: Int
  ) throws -> Outcome {
    try context.obtainPermanentIDs(for: numbers.compactMap { held[index][$0] })
    for n in numbers { if let object = held[index][n] { learn(object.objectID, n) } }
    return .found(Set(numbers).filter { held[index][$0]?.objectID.isTemporary == false }.sorted())
  }

  private func edit(
    _ action: Action, in context: ManagedObjectContext, _ held: [Int: ManagedObject]
  ) throws {
    switch action {
    case .set(let n, let property, let to):
      realised([n], held) { $0[0][places($0[0]).column(property)] = value(to) }
    case .relate(let n, let link, let m):
      realised([n] + (m.map { [$0] } ?? []), held) { objects in
        let target = objects.dropFirst().first ?? (m == n ? objects[0] : nil)
        objects[0][places(objects[0]).column(link)] = target.map { .object($0.objectID) } ?? .null
      }
    case .add(let n, let relation, let m):
      realised([n, m], held) { $0[0].add($0[1], to: places($0[0]).key(relation)) }
    case .remove(let n, let relation, let m):
      realised([n, m], held) { $0[0].remove($0[1], from: places($0[0]).key(relation)) }
    case .delete(let n): if let object = held[n] { context.delete(object) }
    case .read(let n): held[n]?.fireFault()
    case .readMembers(let n, let relation):
      realised([n], held) { _ = $0[0].objectIDs(places($0[0]).key(relation)) }
    case .refresh(let n, let mergeChanges):
      if let object = held[n] { try context.refresh(object, mergeChanges: mergeChanges) }
    default: break
    }
  }

  private func realised(
    _ numbers: [Int], _ held: [Int: ManagedObject], _ body: ([ManagedObject]) -> Void
  ) {
    let objects = numbers.compactMap { held[$0] }
    let living = objects.filter { !$0.isDeleted }
    for object in objects { object.fireFault() }
    if !living.contains(where: \.isDeleted) { body(objects) }
  }

  private func places(_ object: ManagedObject) -> Places {
    StoryModel.places(Kind(rawValue: object.entity.name) ?? .item)
  }

  private func value(_ number: Int?) -> Value { number.map { .int64(Int64($0)) } ?? .null }
}

extension Query {
  fileprivate var request: FetchRequest {
    let places = StoryModel.places(kind)
    var request = FetchRequest(places.entity, limit: limit)
    switch test {
    case .equal(let property, let value):
      request.predicate = places.attribute(property) == value.map { Int64($0) }
    case .less(let property, let value):
      request.predicate = places.attribute(property) < Int64(value)
    case nil: break
    }
    if let ascending {
      request.sortTerms = [
        ascending ? places.a.ascending : places.a.descending, places.key.ascending,
      ]
    }
    request.returnsObjectsAsFaults = asFaults
    return request
  }
}
